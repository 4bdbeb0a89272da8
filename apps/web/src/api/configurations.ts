import { readConfiguration, type Configuration } from '@cadmus/model/configuration'
import { getManifestConfiguration, getManifestPaths } from '@cadmus/model/contract/manifest'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { useQuery } from '@tanstack/react-query'
import { callApi, callWithTag } from './client.ts'
import { manifestQuery } from './manifests.ts'
import { keys, queryClient, scoped } from './query-client.ts'
import type { Scope } from './scope.ts'
import type { CallOptions } from './send.ts'

/** A manifest's configuration with the properties of the manifest that its document shows. */
export type SavedConfiguration = Pick<
  ManifestAnswer,
  'id' | 'name' | 'path' | 'isDefault' | 'versions' | 'latestVersion' | 'currentVersion'
> & { configuration: Configuration }
export type LoadedConfiguration = { saved: SavedConfiguration; etag: string }

/** The configuration of a manifest, current or of one of its versions. */
export function configurationQuery(id: number, version?: string, scope?: Scope) {
  const read = async (options: CallOptions): Promise<LoadedConfiguration> => {
    const reading = version === undefined ? callWithTag(getManifestConfiguration, { params: { id } }, options) : null
    const ofManifest = queryClient.fetchQuery(manifestQuery(id, version, options.scope))
    const [{ manifest }, latest] = await Promise.all([ofManifest, reading])
    const configuration = readConfiguration(latest ? latest.answer.manifestProperties : manifest.configuration)
    return { saved: { ...partOf(manifest), configuration }, etag: latest?.etag ?? `version ${version}` }
  }
  return scoped(keys.configuration(id, version), read, scope)
}

export type { ManifestPaths } from '@cadmus/model/contract/manifest'

export function useConfiguration(id: number, version?: string) {
  return useQuery(configurationQuery(id, version))
}

/** The entities whose operations the manifest's API contains, and the required scopes. */
export function manifestPathsQuery(id: number) {
  return scoped(keys.manifestPaths(id), options => callApi(getManifestPaths, { params: { id } }, options))
}

function partOf({ id, name, path, isDefault, versions, latestVersion, currentVersion }: ManifestAnswer) {
  return { id, name, path, isDefault, versions, latestVersion, currentVersion }
}
