import { queryOptions, useQuery } from '@tanstack/react-query'
import { callFirst, firstCalls } from './first-calls.ts'
import { useOrganisationAtWork } from './elsewhere.ts'
import { keys } from './query-client.ts'
import type { CallOptions } from './send.ts'

// What is shown first. Other calls come with what uses them: building all their declarations takes as long as drawing the page.

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

/** A page of the list, with the number of all. */
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

/** A page of the list, with the number of all. */
export async function manifestPage(query: ManifestPageQuery, options: CallOptions = {}) {
  return callFirst(firstCalls.listManifests, { query }, options)
}

/** How many manifests of its own the organisation has; undefined while unknown. */
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
