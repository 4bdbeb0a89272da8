import { readConfiguration, withoutSecrets, type Configuration } from '@cadmus/model/configuration'
import {
  getManifestConfiguration,
  getManifestPaths,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest-configuration'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { isEqual } from '@cadmus/model/equal'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { callApi, callWithTag } from './client.ts'
import { ApiError, isGone } from './error.ts'
import { manifestQuery } from './manifests.ts'
import { hashHere, keys, putNewest, queryClient, refreshStructure } from './query-client.ts'
import { orNothing } from './saved-by.ts'

/** A manifest's configuration with what of the manifest its document shows. */
export type SavedConfiguration = Pick<
  ManifestAnswer,
  'id' | 'name' | 'path' | 'isDefault' | 'versions' | 'latestVersion' | 'currentVersion'
> & { configuration: Configuration }
export type LoadedConfiguration = { saved: SavedConfiguration; etag: string }

/** The configuration of a manifest as it is now, or as one of its versions froze it. */
export function configurationQuery(id: number, version?: string) {
  return queryOptions({
    queryKey: keys.configuration(id, version),
    queryFn: async ({ signal }): Promise<LoadedConfiguration> => {
      const reading =
        version === undefined ? callWithTag(getManifestConfiguration, { params: { id } }, { signal }) : null
      const [{ manifest }, latest] = await Promise.all([queryClient.fetchQuery(manifestQuery(id, version)), reading])
      const configuration = readConfiguration(latest ? latest.answer.manifestProperties : manifest.configuration)
      return { saved: { ...partOf(manifest), configuration }, etag: latest?.etag ?? `version ${version}` }
    },
  })
}

export type { ManifestPaths } from '@cadmus/model/contract/manifest-configuration'

export function useConfiguration(id: number, version?: string) {
  return useQuery(configurationQuery(id, version))
}

/** Saves against the state that `etag` names, for the version that is shown; answers what is stored then, which may hold what others saved. */
export async function saveConfiguration(
  before: SavedConfiguration,
  configuration: Configuration,
  etag: string,
  saveId: string,
): Promise<LoadedConfiguration> {
  const { id, currentVersion: version } = before
  const own = hashHere(keys.configuration(id))
  const { answer, etag: stored } = await callWithTag(
    saveManifestConfiguration,
    { params: { id }, query: { version, saveId }, body: configuration },
    { ifMatch: etag },
  ).catch(async (failure: unknown) => {
    // Another version is the latest by now, that one is gone, or something like it: the document shows what is so.
    if (isGone(failure) || (failure instanceof ApiError && failure.code === 'locked')) void refreshStructure()
    throw failure
  })
  const loaded = { saved: { ...before, configuration: readConfiguration(answer.manifestProperties) }, etag: stored }
  await putNewest(keys.configuration(id), own, loaded)
  // Others' changes came with it, renamings among them: tree, pickers and whatever else names something say it too.
  if (!isEqual(withoutSecrets(loaded.saved.configuration), withoutSecrets(configuration))) void refreshStructure()
  // Which scopes entities offer, and what the manifest's answer says of it, hang on it.
  void queryClient.invalidateQueries({ queryKey: ['manifests', 'scopes'] })
  void queryClient.invalidateQueries({ queryKey: keys.manifest(id) })
  return loaded
}

/** The configuration as the save of that id left it; null where it stored nothing. `basedOn`: the tag of the state that was sent. */
export async function configurationSavedBy(
  before: SavedConfiguration,
  saveId: string,
  basedOn?: string,
): Promise<LoadedConfiguration | null> {
  const { id } = before
  const asking = callWithTag(getManifestConfiguration, { params: { id }, query: { savedBy: saveId } }).then(
    ({ answer, etag }) => ({
      saved: { ...before, configuration: readConfiguration(answer.manifestProperties) },
      etag,
    }),
  )
  return orNothing(asking, basedOn === undefined ? undefined : { shown: keys.configuration(id), etag: basedOn })
}

/** The entities whose operations an API of the manifest has, and the scopes that they ask for. */
export function manifestPathsQuery(id: number) {
  return queryOptions({
    queryKey: keys.manifestPaths(id),
    queryFn: async ({ signal }) => callApi(getManifestPaths, { params: { id } }, { signal }),
  })
}

function partOf({ id, name, path, isDefault, versions, latestVersion, currentVersion }: ManifestAnswer) {
  return { id, name, path, isDefault, versions, latestVersion, currentVersion }
}
