import { currentOrganisation } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'
import { ancestorsOf } from '../../tree/tree-model.ts'
import type { StoredFolding } from '../../tree/use-folding.ts'
import { workbench } from '../../workbench/page-workbench.ts'

// Tree state that survives a reload.

const defaultUnfolded = ['custom', 'custom>manifests', 'library>entities']
/** Maximum number of stored ids; the oldest are dropped first. */
const maxStored = 300

export function chooseNode(id: string | null): void {
  workbench.getState().set({ selectedNode: id })
  if (id === null) storage.remove('selectedNode')
  else storage.write('selectedNode', id)
}

export const storedFolding: StoredFolding = {
  /** The stored folding, else the default groups, plus the ancestors of the selected node. */
  first: () => {
    const selected = storage.read('selectedNode')
    return [...(storedIds() ?? defaultUnfolded), ...(selected ? ancestorsOf(selected) : [])]
  },
  keep: open => {
    storage.writeJson('unfolded', { organisation: currentOrganisation(), ids: [...open].slice(-maxStored) })
  },
}

/** Null without stored state for this organisation. */
function storedIds(): string[] | null {
  const stored = storage.readJson('unfolded')
  if (typeof stored !== 'object' || stored === null || !('ids' in stored) || !Array.isArray(stored.ids)) return null
  if (!('organisation' in stored) || stored.organisation !== currentOrganisation()) return null
  return stored.ids.filter(id => typeof id === 'string')
}
