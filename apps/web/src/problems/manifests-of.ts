import { isDefaultPath } from '@cadmus/model/paths'
import { useQuery } from '@tanstack/react-query'
import { entityQuery, referencesTo } from '../api/entities.ts'
import { keys, queryClient, scoped } from '../api/query-client.ts'
import type { DocumentRef } from '../workbench/documents.ts'
import { useWorkbench } from '../workbench/page-workbench.ts'

export type ListedIn = { id: number; name: string }

/** Manifests of an entity whose problems are read. */
const most = 4

/** Manifests of the organisation that have the entity: the one that owns it, then those that list it. */
function manifestsQuery(entity: number) {
  return scoped([...keys.references('entity', entity), 'manifests'], async options => {
    const [owned, { references }] = await Promise.all([
      queryClient.fetchQuery(entityQuery(entity)),
      referencesTo('entity', entity, 100, options),
    ])
    const owner = owned.entity.targetManifest
    const members = references.filter(({ kind, path }) => kind === 'member' && !isDefaultPath(path))
    return [...(owner ? [owner] : []), ...members].slice(0, most).map(({ id, name }): ListedIn => ({ id, name }))
  })
}

/**
 * The manifests of the document shown: itself, of its configuration, or those that list the entity; undefined while they are not known.
 * None for a predefined manifest, which nobody can change, nor for an old version.
 */
export function useShownManifests(): readonly ListedIn[] | undefined {
  const active = useWorkbench(state => state.tabs.find(({ tabId }) => tabId === state.active))
  const isOld = useWorkbench(state => active && state.shown.get(active.tabId)?.version !== undefined) ?? false
  const entity = active?.kind === 'entity' ? active.id : null
  const { data } = useQuery({ ...manifestsQuery(entity ?? 0), enabled: entity !== null && !isOld })
  if (!active || isOld) return none
  return entity === null ? ofManifest(active) : data
}

const none: readonly ListedIn[] = []

function ofManifest({ kind, id, name, path }: DocumentRef): readonly ListedIn[] {
  if (isDefaultPath(path)) return none
  if (kind === 'configuration') return [{ id, name: name.replace(/ Configuration$/, '') }]
  return kind === 'manifest' ? [{ id, name }] : none
}
