import { queryOptions, useQuery } from '@tanstack/react-query'
import { callFirst, firstCalls } from './first-calls.ts'
import { useOrganisationAtWork } from './other-organisation.ts'
import { keys } from './query-client.ts'
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
  const enabled = useOrganisationAtWork() !== ''
  return useQuery({ ...ownManifestCountQuery, enabled }).data
}

export const ownManifestCountQuery = queryOptions({
  queryKey: [...keys.manifests, 'count'],
  queryFn: async ({ signal }) => (await manifestPage({ filter: 'PRIVATE', limit: 1 }, { signal })).totalElements,
})

type MemberQuery = { page?: number; limit?: number; search?: string }
export async function manifestEntityPage(id: number, query: MemberQuery, options: CallOptions = {}) {
  return callFirst(firstCalls.listManifestEntities, { params: { id }, query }, options)
}
export async function subManifestPage(id: number, query: MemberQuery, options: CallOptions = {}) {
  return callFirst(firstCalls.listSubManifests, { params: { id }, query }, options)
}
