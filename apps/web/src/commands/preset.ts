import { isDefaultPath } from '@cadmus/model/paths'
import type { LoadedEntity } from '../api/entities.ts'
import { keyIn, keys, queryClient } from '../api/query-client.ts'
import type { Tab } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import type { Named } from './context.ts'

/**
 * The manifest that buttons of the page preselect: that of the shown document, else that of the selected tree node. Null
 * for predefined manifests, which are read-only.
 */
export async function presetManifest(active: Tab | null): Promise<Named | null> {
  const shown = manifestOfDocument(active, cachedOwner)
  if (shown) return shown
  const id = manifestOfNode(workbench.getState().selectedNode)
  if (id === null) return null
  try {
    const { manifestQuery } = await import('../api/manifests.ts')
    const { manifest } = await queryClient.ensureQueryData(manifestQuery(id))
    return isDefaultPath(manifest.path) ? null : { id, name: manifest.name }
  } catch {
    // The manifest is a suggestion: without it the user chooses one.
    return null
  }
}

/** `ownerOf`: the manifest of an entity; null if it belongs to none or to several. */
export function manifestOfDocument(active: Tab | null, ownerOf: (entityId: number) => Named | null): Named | null {
  if (active === null || (active.path !== undefined && isDefaultPath(active.path))) return null
  if (active.kind === 'manifest') return { id: active.id, name: active.name }
  if (active.kind === 'configuration') return { id: active.id, name: active.name.replace(/ Configuration$/, '') }
  return active.kind === 'entity' ? ownerOf(active.id) : null
}

/** The innermost manifest of a node of the organisation's tree. */
export function manifestOfNode(id: string | null): number | null {
  const found = id === null ? null : /^(?:custom|org:[^>]*)>.*\bmanifest:(\d+)/.exec(id)
  return found ? Number(found[1]) : null
}

function cachedOwner(id: number): Named | null {
  const read = queryClient.getQueriesData<LoadedEntity>({ queryKey: keyIn(keys.entity(id).slice(0, 3)) })
  const [owner = null] = read.flatMap(([, loaded]) => loaded?.entity.targetManifest ?? [])
  return owner
}
