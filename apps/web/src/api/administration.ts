import { adminGetOrganisationSummary } from '@cadmus/model/contract/admin-content'
import { adminCreateEntity } from '@cadmus/model/contract/admin-entity'
import { adminCreateManifest } from '@cadmus/model/contract/admin-manifest'
import { generateNavigator, getLibraryProgress } from '@cadmus/model/contract/navigator'
import { useQuery } from '@tanstack/react-query'
import { callApi } from './client.ts'
import { keys, queryClient, refreshStructure } from './query-client.ts'

// What administrators do in an organisation, or for all, by calls of their own.

/** An entity of the organisation that is in no manifest. */
export async function createGlobalEntity(org: string, name: string) {
  const { entity } = await callApi(adminCreateEntity, { body: { org, entity: { name } } })
  await refreshStructure()
  return entity
}

/** A manifest of the organisation, with nothing in it. */
export async function createEmptyManifest(org: string, manifestName: string) {
  const { manifest } = await callApi(adminCreateManifest, { body: { org, manifest: { manifestName } } })
  await refreshStructure()
  return manifest
}

/** How far the reading of the library is, asked for again and again while it is under way. */
export function useLibraryProgress() {
  return useQuery({
    queryKey: [...keys.coreSchema, 'progress'],
    queryFn: ({ signal }) => callApi(getLibraryProgress, {}, { signal }),
    refetchInterval: progressInterval,
    gcTime: 0,
  })
}
const progressInterval = 500

/** Reads the predefined structure again from the library. */
export async function refreshCoreStructure(): Promise<void> {
  await callApi(generateNavigator, {})
  await Promise.all([refreshStructure(), queryClient.invalidateQueries({ queryKey: keys.coreSchema })])
}

/** How much an organisation has, and had at the end of each of the last days. */
export function useSummary(code: string) {
  return useQuery({
    queryKey: [...keys.organisation(code), 'summary'],
    queryFn: ({ signal }) => callApi(adminGetOrganisationSummary, { params: { code } }, { signal }),
  })
}
