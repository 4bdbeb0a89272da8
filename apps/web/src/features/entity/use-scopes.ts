import { readConfiguration } from '@cadmus/model/configuration'
import { getManifestConfiguration } from '@cadmus/model/contract/manifest-configuration'
import { offeredScopes } from '@cadmus/model/rules/scope-definition'
import { useQuery } from '@tanstack/react-query'
import { callApi } from '../../api/client.ts'
import { keys } from '../../api/query-client.ts'

const none: readonly string[] = []

/** The scopes that an operation of a manifest's entity may be given: those defined that are not global. */
export function useScopes(manifestId: number | null): readonly string[] {
  const { data } = useQuery({
    queryKey: [...keys.manifests, 'scopes', manifestId],
    enabled: manifestId !== null,
    queryFn: async ({ signal }) => {
      const params = { id: manifestId ?? 0 }
      const { manifestProperties } = await callApi(getManifestConfiguration, { params }, { signal })
      return offeredScopes(readConfiguration(manifestProperties).configurationBuild.apiScopeConfiguration)
    },
  })
  return data ?? none
}
