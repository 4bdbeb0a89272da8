import { useMemo } from 'react'
import { useWorkbench, workbench } from '../../workbench/desk.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import type { Selection } from '../../workbench/workbench.ts'

/** The chosen rows of one kind in an entity's document, kept by the workbench so that the properties panel shows them. */
export function useRowSelection(entityId: number, kind: Selection['kind']) {
  const tabId = tabIdOf({ kind: 'entity', id: entityId })
  const selection = useWorkbench(state => state.selections.get(tabId))
  const selected = useMemo(() => new Set(selection?.kind === kind ? selection.uids : []), [selection, kind])
  const select = (uids: ReadonlySet<string>) =>
    workbench.getState().select(tabId, uids.size === 0 ? null : { kind, uids: [...uids] })
  return { selected, select }
}
