import { hashKey, QueryClient, type QueryKey } from '@tanstack/react-query'
import { connectionStore } from './connection.ts'
import { otherOrganisation } from './other-organisation.ts'
import { ApiError } from './error.ts'

/** Cache of all server data, shared by all screens. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Data of one organisation must not be shown in another.
      queryKeyHashFn: hashHere,
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      // Retries calls that did not reach the server once; refusals are final.
      retry: (failures, error) =>
        failures < 1 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
  },
})

/** When the server is reachable again, reloads failed queries and refreshes the shown data. */
connectionStore.subscribe((now, before) => {
  if (before.away && !now.away) void queryClient.invalidateQueries()
})

/** Query keys by resource: invalidating a prefix refreshes everything below it. */
export const keys = {
  entities: ['entities'] as const,
  entity: (id: number, version?: string) => ['entities', 'one', id, version ?? 'latest'] as const,
  entityVersions: (id: number) => ['entities', 'versions', id] as const,
  /** Below the list's key, because creating, deleting or moving documents may change references. */
  references: (kind: 'entity' | 'manifest', id: number) => ['entities', 'references', kind, id] as const,
  manifests: ['manifests'] as const,
  manifest: (id: number, version?: string) => ['manifests', 'one', id, version ?? 'latest'] as const,
  configuration: (id: number, version?: string) => ['manifests', 'configuration', id, version ?? 'latest'] as const,
  manifestPaths: (id: number) => ['manifests', 'paths', id] as const,
  manifestVersions: (id: number) => ['manifests', 'versions', id] as const,
  organisations: ['organisations'] as const,
  organisation: (code: string) => ['organisations', 'one', code] as const,
  logs: (kind: 'manifest' | 'entity') => ['logs', kind] as const,
  tokens: ['tokens'] as const,
  packages: ['packages'] as const,
  tree: ['tree'] as const,
  coreSchema: ['coreSchema'] as const,
  options: ['options'] as const,
}

/** Call after an object was created, deleted or moved: reloads the tree, lists, pickers and open documents. */
export async function refreshStructure(): Promise<void> {
  // Refreshes the administration's counts in the background.
  if (otherOrganisation() !== null) void queryClient.invalidateQueries({ queryKey: keys.organisations })
  await Promise.all(
    [keys.tree, keys.options, keys.manifests, keys.entities, keys.packages].map(queryKey =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
}

/**
 * Shows the response of a save. Earlier requests still in flight would overwrite it with older data, so they are
 * cancelled. `queryHash`: computed with `hashHere` before the save was sent, because the page may have changed the
 * organisation since.
 */
export async function putNewest(queryKey: QueryKey, queryHash: string, answer: unknown): Promise<void> {
  await queryClient.cancelQueries({ predicate: query => query.queryHash === queryHash })
  const options = queryClient.defaultQueryOptions({ queryKey, queryHash })
  queryClient.getQueryCache().build(queryClient, options).setData(answer, { manual: true })
}

/** Data that is the same in every organisation. */
const everywhere: ReadonlySet<unknown> = new Set(
  [keys.organisations, keys.coreSchema, keys.tokens].map(([name]) => name),
)

export function hashHere(queryKey: QueryKey): string {
  const elsewhere = otherOrganisation()
  return hashKey(elsewhere === null || everywhere.has(queryKey[0]) ? queryKey : [{ elsewhere }, ...queryKey])
}
