import { currentOrganisation } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'
import { ancestorsOf } from '../../tree/tree-model.ts'
import type { KeptFolding } from '../../tree/use-folding.ts'
import { workbench } from '../../workbench/desk.ts'

// What of the workspace's tree outlives a reload.

const unfoldedAtFirst = ['custom', 'custom>manifests', 'library>entities']
/** What was unfolded first is let go of, so that years of use do not fill the storage. */
const mostKept = 300

/** Chooses a node or none, and remembers it for the next visit. */
export function chooseNode(id: string | null): void {
  workbench.getState().set({ selectedNode: id })
  if (id === null) storage.remove('selectedNode')
  else storage.write('selectedNode', id)
}

export const kept: KeptFolding = {
  /** What was unfolded last time, else the first groups; and everything above the node that was chosen. */
  first: () => {
    const selected = storage.read('selectedNode')
    return [...(unfoldedBefore() ?? unfoldedAtFirst), ...(selected ? ancestorsOf(selected) : [])]
  },
  keep: open => {
    storage.writeJson('unfolded', { organisation: currentOrganisation(), ids: [...open].slice(-mostKept) })
  },
}

/** Null where nothing was kept, or for another organisation. */
function unfoldedBefore(): string[] | null {
  const stored = storage.readJson('unfolded')
  if (typeof stored !== 'object' || stored === null || !('ids' in stored) || !Array.isArray(stored.ids)) return null
  if (!('organisation' in stored) || stored.organisation !== currentOrganisation()) return null
  return stored.ids.filter(id => typeof id === 'string')
}
