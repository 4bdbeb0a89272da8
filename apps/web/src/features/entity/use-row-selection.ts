import { useMemo } from 'react'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { afterDialogs } from '../../workbench/dialogs.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import type { Selection } from '../../workbench/workbench.ts'

/** The selected rows of one kind, stored in the workbench for the properties panel. */
export function useRowSelection(entityId: number, kind: Selection['kind'], rows: readonly { uid: string }[]) {
  const tabId = tabIdOf({ kind: 'entity', id: entityId })
  const selection = useWorkbench(state => state.selections.get(tabId))
  const selected = useMemo(() => {
    // Deselect deleted rows.
    const existing = new Set(rows.map(row => row.uid))
    return new Set(selection?.kind === kind ? selection.uids.filter(uid => existing.has(uid)) : [])
  }, [selection, kind, rows])
  const select = (uids: ReadonlySet<string>) =>
    workbench.getState().select(tabId, uids.size === 0 ? null : { kind, uids: [...uids] })
  const reveal = selection?.reveal && selection.kind === kind ? (selection.uids[0] ?? null) : null
  return { selected, select, reveal, onRevealed: () => select(selected) }
}

/** Selects, reveals and focuses the row, after a dialog has returned the focus. */
export function revealRow(entityId: number, kind: Selection['kind'], uid: string): void {
  const tabId = tabIdOf({ kind: 'entity', id: entityId })
  workbench.getState().select(tabId, { kind, uids: [uid] })
  afterDialogs(() => workbench.getState().select(tabId, { kind, uids: [uid], reveal: true }))
}
