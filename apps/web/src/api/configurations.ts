import { readConfiguration, withoutSecrets, type Configuration } from '@cadmus/model/configuration'
import { getManifestConfiguration, getManifestPaths, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import type { ManifestAnswer } from '@cadmus/model/contract/manifest-shapes'
import { isEqual } from '@cadmus/model/equal'
import { useQuery } from '@tanstack/react-query'
import { callApi, callWithTag } from './client.ts'
import { ApiError, isGone } from './error.ts'
import { manifestQuery } from './manifests.ts'
import { invalidate, keyIn, keys, putNewest, queryClient, refreshStructure, scoped } from './query-client.ts'
import { outcomeOf } from './saved-by.ts'
import { currentScope, type Scope } from './scope.ts'
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

/**
 * Saves the shown version based on the state with tag `etag`. Returns the stored state, which may include changes by
 * other users.
 */
export async function saveConfiguration(
  before: SavedConfiguration,
  configuration: Configuration,
  etag: string,
  { saveId, scope = currentScope() }: { saveId: string; scope?: Scope },
): Promise<LoadedConfiguration> {
  const { id, currentVersion: version } = before
  const own = keyIn(keys.configuration(id), scope)
  const { answer, etag: stored } = await callWithTag(
    saveManifestConfiguration,
    { params: { id }, query: { version, saveId }, body: configuration },
    { ifMatch: etag, scope },
  ).catch(async (failure: unknown) => {
    // Another version is the latest now, or that version was deleted: refreshes the document.
    if (isGone(failure) || (failure instanceof ApiError && failure.code === 'locked')) void refreshStructure()
    throw failure
  })
  const loaded = { saved: { ...before, configuration: readConfiguration(answer.manifestProperties) }, etag: stored }
  await putNewest(own, loaded)
  // The response includes changes by other users, possibly renamings, so the tree and pickers are refreshed.
  if (!isEqual(withoutSecrets(loaded.saved.configuration), withoutSecrets(configuration))) void refreshStructure()
  // The scopes offered by entities and the manifest's response depend on it.
  void invalidate([...keys.manifests, 'scopes'], keys.manifest(id))
  return loaded
}

/**
 * The configuration stored by the save with that id; null if nothing was stored. `basedOn`: tag of the state that was
 * sent.
 */
export async function configurationSavedBy(
  before: SavedConfiguration,
  saveId: string,
  basedOn?: string,
  scope = currentScope(),
): Promise<LoadedConfiguration | null> {
  const { id } = before
  const request = callWithTag(getManifestConfiguration, { params: { id }, query: { savedBy: saveId } }, { scope }).then(
    ({ answer, etag }) => ({
      saved: { ...before, configuration: readConfiguration(answer.manifestProperties) },
      etag,
    }),
  )
  return outcomeOf(
    request,
    basedOn === undefined ? undefined : { shown: keyIn(keys.configuration(id), scope), etag: basedOn },
  )
}

/** The entities whose operations the manifest's API contains, and the required scopes. */
export function manifestPathsQuery(id: number) {
  return scoped(keys.manifestPaths(id), options => callApi(getManifestPaths, { params: { id } }, options))
}

function partOf({ id, name, path, isDefault, versions, latestVersion, currentVersion }: ManifestAnswer) {
  return { id, name, path, isDefault, versions, latestVersion, currentVersion }
}
