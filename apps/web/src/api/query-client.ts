import { hashKey, QueryClient, type QueryKey } from '@tanstack/react-query'
import { connectionStore } from './connection.ts'
import { organisationElsewhere } from './elsewhere.ts'
import { ApiError } from './error.ts'

/** Everything read from the server, shared by all screens. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Nothing that was read in one organisation is shown in another.
      queryKeyHashFn: hashHere,
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      // What the server refused stays refused; what did not arrive is tried once more.
      retry: (failures, error) =>
        failures < 1 && error instanceof ApiError && (error.status === 0 || error.status === 503),
    },
  },
})

/** What failed while the server was away is read again when it is back; what is shown is looked at again. */
connectionStore.subscribe((now, before) => {
  if (before.away && !now.away) void queryClient.invalidateQueries()
})

/** Query keys by resource: invalidating a prefix refreshes everything below it. */
export const keys = {
  entities: ['entities'] as const,
  entity: (id: number, version?: string) => ['entities', 'one', id, version ?? 'latest'] as const,
  entityVersions: (id: number) => ['entities', 'versions', id] as const,
  /** Below the list's key: whatever is created, deleted or put elsewhere may change what refers to what. */
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
  /** The pages of the tree. */
  tree: ['tree'] as const,
  coreSchema: ['coreSchema'] as const,
  options: ['options'] as const,
}

/** After something was created, deleted or put elsewhere: the tree, lists, pickers and open documents read again. */
export async function refreshStructure(): Promise<void> {
  // The administration counts what an organisation has; nobody waits for that.
  if (organisationElsewhere() !== null) void queryClient.invalidateQueries({ queryKey: keys.organisations })
  await Promise.all(
    [keys.tree, keys.options, keys.manifests, keys.entities, keys.packages].map(queryKey =>
      queryClient.invalidateQueries({ queryKey }),
    ),
  )
}

/**
 * Shows what a save answered. What was asked before it and is still on its way is older, and would come back over it. `queryHash`: taken
 * with `hashHere` before the save was sent; the page may work in another organisation by now.
 */
export async function putNewest(queryKey: QueryKey, queryHash: string, answer: unknown): Promise<void> {
  await queryClient.cancelQueries({ predicate: query => query.queryHash === queryHash })
  const options = queryClient.defaultQueryOptions({ queryKey, queryHash })
  queryClient.getQueryCache().build(queryClient, options).setData(answer, { manual: true })
}

/** What is the same in whichever organisation the page works. */
const everywhere: ReadonlySet<unknown> = new Set(
  [keys.organisations, keys.coreSchema, keys.tokens].map(([name]) => name),
)

/** The hash of a query in the organisation that the page works in. */
export function hashHere(queryKey: QueryKey): string {
  const elsewhere = organisationElsewhere()
  return hashKey(elsewhere === null || everywhere.has(queryKey[0]) ? queryKey : [{ elsewhere }, ...queryKey])
}
