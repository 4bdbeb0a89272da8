import { useQuery } from '@tanstack/react-query'
import { callFirst, firstCalls } from './first-calls.ts'
import { keys, scoped } from './query-client.ts'
import { useScope, type Scope } from './scope.ts'
import type { CallOptions } from './send.ts'

// Calls of the first screen. Other calls are loaded with their features, because building all declarations takes as
// long as the first paint.

export type EntityFilter = 'ALL' | 'DEFAULT' | 'PRIVATE' | 'RESOLVED' | 'EXCLUSIVE'
export type EntityPageQuery = {
  search?: string
  page?: number
  limit?: number
  filter?: EntityFilter
  excludedEntity?: number
  folderFilter?: string
  pathFilter?: string
  order?: 'name' | 'match'
  /** With 'match': the manifest whose entities come first. */
  near?: number
}

export async function entityPage(query: EntityPageQuery, options: CallOptions = {}) {
  return callFirst(firstCalls.listEntities, { query }, options)
}

export type ManifestFilter = 'ALL' | 'DEFAULT' | 'PRIVATE'
export type ManifestPageQuery = {
  search?: string
  page?: number
  limit?: number
  filter?: ManifestFilter
  exclude?: number
  order?: 'name' | 'match'
}

export async function manifestPage(query: ManifestPageQuery, options: CallOptions = {}) {
  return callFirst(firstCalls.listManifests, { query }, options)
}

/** Number of the organisation's own manifests; undefined while unknown. */
export function useOwnManifestCount(): number | undefined {
  const scope = useScope()
  return useQuery({ ...ownManifestCountQuery(scope), enabled: scope.organisation !== '' }).data
}

export function ownManifestCountQuery(scope?: Scope) {
  const read = async (options: CallOptions) => manifestPage({ filter: 'PRIVATE', limit: 1 }, options)
  return scoped([...keys.manifests, 'count'], async options => (await read(options)).totalElements, scope)
}

type MemberQuery = { page?: number; limit?: number; search?: string }
export async function manifestEntityPage(id: number, query: MemberQuery, options: CallOptions = {}) {
  return callFirst(firstCalls.listManifestEntities, { params: { id }, query }, options)
}
export async function subManifestPage(id: number, query: MemberQuery, options: CallOptions = {}) {
  return callFirst(firstCalls.listSubManifests, { params: { id }, query }, options)
}
