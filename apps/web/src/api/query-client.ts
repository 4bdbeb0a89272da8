import { partialMatchKey, QueryClient, queryOptions, type QueryFilters, type QueryKey } from '@tanstack/react-query'
import { connectionStore } from './connection.ts'
import { currentScope, type Scope } from './scope.ts'
import type { CallOptions } from './send.ts'
import { ApiError } from './error.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** Every key starts with its scope: data of one organisation is never shown in another. 'console': data of all. */
    queryKey: readonly [scope: Scope | 'console', ...unknown[]]
  }
}

/** Cache of all server data, shared by all screens. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
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

/** Keys by resource, below their scope: invalidating a prefix refreshes everything below it, in every scope. */
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
  logs: (kind: 'manifest' | 'entity') => ['logs', kind] as const,
  packages: ['packages'] as const,
  tree: ['tree'] as const,
  options: ['options'] as const,
  organisations: ['console', 'organisations'] as const,
  organisation: (code: string) => ['console', 'organisations', 'one', code] as const,
  tokens: ['console', 'tokens'] as const,
  coreSchema: ['console', 'coreSchema'] as const,
}

type Part = readonly unknown[]

/** The key of a part of the data in a scope. */
export function keyIn(part: Part, scope = currentScope()): QueryKey {
  return [scope, ...part]
}

/** A query whose reads go to the scope of its key. */
export function scoped<T>(part: Part, read: (options: CallOptions) => Promise<T>, scope = currentScope()) {
  return queryOptions({ queryKey: keyIn(part, scope), queryFn: ({ signal }) => read({ signal, scope }) })
}

/** Invalidates parts of the data in every scope, because roles share the data of an organisation. */
export async function invalidate(...parts: readonly Part[]): Promise<void> {
  await refresh({ predicate: isBelow(parts) })
}

/** As `invalidate`, but waits for the parts that are needed next, however long others take. */
export async function invalidateBefore(needed: readonly Part[], ...parts: readonly Part[]): Promise<void> {
  const [isNeeded, isConcerned] = [isBelow(needed), isBelow(parts)]
  void refresh({ predicate: query => isConcerned(query) && !isNeeded(query) })
  await refresh({ predicate: isNeeded })
}

/** Reads what a change concerns again. */
export async function refresh(filters: QueryFilters): Promise<void> {
  // The library does not repeat a first read in progress, whose answer may be older than the change.
  const reading = queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })
  const first = reading.filter(({ state }) => state.data === undefined)
  await queryClient.invalidateQueries(filters)
  await queryClient.invalidateQueries({ predicate: query => first.includes(query) })
}

export function isBelow(parts: readonly Part[]) {
  return ({ queryKey }: { queryKey: QueryKey }) => parts.some(part => partialMatchKey(queryKey, [queryKey[0], ...part]))
}

/**
 * Call after an object was created, deleted or moved: reloads the tree, lists, pickers and open documents. Nothing waits for it, because the
 * server computes some of what is shown from whole models. What is needed next is read by `fetchQuery`, which joins a read in progress.
 */
export function refreshStructure(): void {
  // The administration's counts.
  void refresh({ queryKey: keys.organisations })
  void invalidate(keys.tree, keys.options, keys.manifests, keys.entities, keys.packages)
}

/**
 * Shows the response of a save. Earlier requests still in flight would overwrite it with older data, so they are
 * cancelled. `queryKey`: made before the save was sent, because the page may have changed the scope since.
 */
export async function putNewest(queryKey: QueryKey, answer: unknown): Promise<void> {
  await queryClient.cancelQueries({ queryKey, exact: true })
  queryClient.setQueryData(queryKey, answer)
}
