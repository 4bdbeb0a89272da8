import {
  adminCreateEntity,
  adminCreateManifest,
  adminGetOrganisationSummary,
} from '@cadmus/model/contract/admin-documents'
import { generateNavigator, getLibraryProgress } from '@cadmus/model/contract/navigator'
import { useQuery } from '@tanstack/react-query'
import { callApi } from './client.ts'
import { keys, queryClient, refreshStructure } from './query-client.ts'

// Calls for administrators within an organisation or for all.

/** An entity of the organisation outside of manifests. */
export async function createGlobalEntity(org: string, name: string) {
  const { entity } = await callApi(adminCreateEntity, { body: { org, entity: { name } } })
  refreshStructure()
  return entity
}

/** An empty manifest of the organisation. */
export async function createEmptyManifest(org: string, manifestName: string) {
  const { manifest } = await callApi(adminCreateManifest, { body: { org, manifest: { manifestName } } })
  refreshStructure()
  return manifest
}

/** Progress of loading the library, polled while it runs. */
export function useLibraryProgress() {
  return useQuery({
    queryKey: [...keys.coreSchema, 'progress'],
    queryFn: ({ signal }) => callApi(getLibraryProgress, {}, { signal }),
    refetchInterval: progressInterval,
    gcTime: 0,
  })
}
const progressInterval = 500

/** Reloads the predefined structure from the library. */
export async function refreshCoreStructure(): Promise<void> {
  await callApi(generateNavigator, {})
  refreshStructure()
  void queryClient.invalidateQueries({ queryKey: keys.coreSchema })
}

/** Size of an organisation, now and at the end of each of the last days. */
export function useSummary(code: string) {
  return useQuery({
    queryKey: [...keys.organisation(code), 'summary'],
    queryFn: ({ signal }) => callApi(adminGetOrganisationSummary, { params: { code } }, { signal }),
  })
}
