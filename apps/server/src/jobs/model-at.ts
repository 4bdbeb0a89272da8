import type { Configuration } from '@cadmus/model/configuration'
import { upgradeConfiguration } from '@cadmus/model/content'
import { notFound } from '../errors/api-error.ts'
import { contentByHash } from '../store/content.ts'
import type { Store, Tx } from '../store/database.ts'
import { manifestById } from '../store/manifest.ts'
import { configurationOf } from '../store/manifest-configuration.ts'
import { snapshotByHash, type ManifestSnapshot } from '../store/manifest-snapshot.ts'
import { frozenVersions } from '../store/manifest-version.ts'
import { ModelReader, type LoadedModel } from '../store/model-source.ts'
import type { ModelPlace } from './tasks.ts'

/** `configuration` is undefined where none was saved. */
export type ConfiguredModel = LoadedModel & { configuration: Configuration | undefined }

/** The model of a manifest as of one moment, read in one snapshot of the store. `reader` may have read it before. */
export async function modelAt(
  store: Store,
  place: ModelPlace,
  reader: ModelReader = new ModelReader(),
): Promise<ConfiguredModel> {
  const { organisationId, manifestId, version } = place
  return store
    .of(organisationId)
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async tx => {
      const manifest = await manifestById(tx, organisationId, manifestId)
      // It may have gone while this waited for its turn.
      if (manifest === undefined) throw notFound('The manifest')
      if (version === null || version === manifest.latest_version) {
        const configuration = manifest.configuration_hash === null ? undefined : await configurationOf(tx, manifest)
        const model = await reader.latest(tx, organisationId, manifest)
        return { ...model, configuration: configuration?.configuration }
      }
      const frozen = (await frozenVersions(tx, manifest)).find(row => row.version === version)
      if (frozen === undefined) throw notFound(`The version ${version}`)
      const snapshot = await snapshotByHash(tx, organisationId, frozen.content_hash)
      const model = await reader.version(tx, organisationId, manifestId, snapshot)
      return { ...model, configuration: await configurationThen(tx, organisationId, manifestId, snapshot) }
    })
}

async function configurationThen(
  tx: Tx,
  organisationId: number,
  manifestId: number,
  snapshot: ManifestSnapshot,
): Promise<Configuration | undefined> {
  const hash = snapshot.manifests.find(part => part.id === manifestId)?.configuration ?? null
  const body = hash === null ? undefined : await contentByHash(tx, organisationId, hash)
  return body === undefined ? undefined : upgradeConfiguration(JSON.parse(body)).configuration
}
