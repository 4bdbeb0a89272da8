import { type Column, isTypeAttribute } from '@cadmus/model/columns'
import { useMemo, useState } from 'react'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { afterDialogs } from '../../workbench/dialogs.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import type { Selection } from '../../workbench/workbench.ts'

/**
 * The selected ones of an entity's rows, stored in the workbench for the properties panel. The panel shows the relationships if there are no
 * attributes.
 */
export function useRowSelection(entityId: number, rows: readonly Column[]) {
  const tabId = tabIdOf({ kind: 'entity', id: entityId })
  const selection = useWorkbench(state => state.selections.get(tabId))
  const selected = useMemo(() => {
    // Deselect deleted rows.
    const existing = new Set(rows.map(row => row.uid))
    return new Set(selection?.uids.filter(uid => existing.has(uid)))
  }, [selection, rows])
  const select = (uids: ReadonlySet<string>) => {
    const isAttribute = (row: Column) => uids.has(row.uid) && isTypeAttribute(row)
    const kind = rows.some(isAttribute) ? 'typeAttribute' : 'entityAttribute'
    workbench.getState().select(tabId, uids.size === 0 ? null : { kind, uids: [...uids] })
  }
  const [first = null] = selected
  const reveal = selection?.reveal ? first : null
  return { selected, select, reveal, revealColumn: selection?.column, onRevealed: () => select(selected) }
}

/** Selects, reveals and focuses the row, after a dialog has returned the focus. */
export function revealRow(entityId: number, kind: Selection['kind'], uid: string): void {
  const tabId = tabIdOf({ kind: 'entity', id: entityId })
  workbench.getState().select(tabId, { kind, uids: [uid] })
  afterDialogs(() => workbench.getState().select(tabId, { kind, uids: [uid], reveal: true }))
}

/** The search of a table; cleared so that a revealed row is visible. */
export function useRowSearch(reveal: string | null) {
  const [search, setSearch] = useState('')
  const [revealed, setRevealed] = useState<string | null>(null)
  if (reveal !== revealed) {
    setRevealed(reveal)
    if (reveal !== null) setSearch('')
  }
  return [search, setSearch] as const
}
