import type { Configuration } from '@cadmus/model/configuration'
import { readConfigurationContent } from '@cadmus/model/content'
import { newNamesOfModel } from '@cadmus/model/names-of-model'
import { newValidator } from '@cadmus/model/validate'
import { newSchemaNotes } from '@cadmus/sql/schema-notes'
import { notFound } from '../errors/api-error.ts'
import { contentByHash } from '../store/content.ts'
import type { Db, Tx } from '../store/database.ts'
import type { Store } from '../store/store.ts'
import { configurationOf } from '../store/manifest-configuration.ts'
import { type ManifestSnapshot, snapshotByHash } from '../store/manifest-snapshot.ts'
import { frozenManifestVersions, manifestById, type ManifestRow, type ManifestVersionRow } from '../store/manifest.ts'
import { type LoadedModel, ModelReader } from '../store/model-source.ts'
import { latestVersions, type ModelVersions, snapshotVersions, withEarlierVersions } from '../store/model-versions.ts'
import { ProblemWriter } from './problem-writer.ts'
import type { ModelPlace } from './tasks.ts'
import type { EditedEntity } from './unsaved-edits.ts'

/** `configuration` is undefined if none was saved. */
type ConfiguredModel = LoadedModel & { configuration: Configuration | undefined }

/** `earlier` holds the ids of objects that have versions before this one. */
type VersionedModel = ConfiguredModel & ModelVersions & { earlier: ReadonlySet<number> }

/** Reads the model of a manifest in one snapshot of the store. `reader` may hold cached contents. */
export async function modelAt(
  store: Store,
  place: ModelPlace,
  reader: ModelReader = new ModelReader(),
): Promise<ConfiguredModel> {
  return atOneMoment(store, place, (tx, moment) => modelAtMoment(tx, place, moment, reader))
}

/**
 * As `modelAt`, with the versions of all objects, which manifests have a configuration, and which objects have earlier
 * versions.
 */
export async function versionedModelAt(store: Store, place: ModelPlace): Promise<VersionedModel> {
  return atOneMoment(store, place, async (tx, moment) => {
    const model = await modelAtMoment(tx, place, moment, new ModelReader())
    const { manifests, entities } = model.source
    const versions = moment.snapshot
      ? snapshotVersions(moment.snapshot)
      : await latestVersions(tx, place.organisationId, {
          manifests: [...manifests.keys()],
          entities: [...entities.keys()],
        })
    return { ...model, ...versions, earlier: await withEarlierVersions(tx, place.organisationId, versions.versions) }
  })
}

type Moment = { manifest: ManifestRow; snapshot: ManifestSnapshot | undefined }

async function atOneMoment<T>(
  store: Store,
  place: ModelPlace,
  read: (tx: Tx, moment: Moment) => Promise<T>,
): Promise<T> {
  return inOneMoment(store, place.organisationId, async tx => read(tx, await momentOf(tx, place)))
}

/** Runs reads that see the same state of the store. */
export async function inOneMoment<T>(store: Store, organisationId: number, read: (tx: Tx) => Promise<T>): Promise<T> {
  return store.of(organisationId).transaction().setIsolationLevel('repeatable read').execute(read)
}

/** A manifest with the snapshot of its version; none for the latest. Throws 404 if one does not exist. */
export async function momentOf(tx: Tx, { organisationId, manifestId, version }: ModelPlace): Promise<Moment> {
  const manifest = await manifestById(tx, organisationId, manifestId)
  // The manifest may have been deleted while the task waited.
  if (manifest === undefined) throw notFound('The manifest')
  if (version === null || version === manifest.latest_version) return { manifest, snapshot: undefined }
  const frozen = (await frozenManifestVersions(tx, manifest)).find(row => row.version === version)
  if (frozen === undefined) throw notFound(`The version ${version}`)
  return { manifest, snapshot: await snapshotByHash(tx, organisationId, frozen.content_hash) }
}

/** `only`: members to read of a current state; default: all. */
export async function modelAtMoment(
  tx: Tx,
  { organisationId, manifestId }: ModelPlace,
  { manifest, snapshot }: Moment,
  reader: ModelReader,
  only?: ReadonlySet<number>,
): Promise<ConfiguredModel> {
  if (snapshot) {
    const model = await reader.version(tx, organisationId, manifestId, snapshot)
    return { ...model, configuration: await frozenConfiguration(tx, organisationId, manifestId, snapshot) }
  }
  const configuration = manifest.configuration_hash === null ? undefined : await configurationOf(tx, manifest)
  const model = await reader.latest(tx, organisationId, manifest, only)
  return { ...model, configuration: configuration?.configuration }
}

async function frozenConfiguration(
  tx: Tx,
  organisationId: number,
  manifestId: number,
  snapshot: ManifestSnapshot,
): Promise<Configuration | undefined> {
  const hash = snapshot.manifests.find(part => part.id === manifestId)?.configuration ?? null
  const body = hash === null ? undefined : await contentByHash(tx, organisationId, hash)
  return body === undefined ? undefined : readConfigurationContent(JSON.parse(body)).configuration
}

/**
 * Returns a manifest's row and its version's row (null for the latest). Throws 404 if one does not exist or was deleted
 * while the task waited.
 */
export async function manifestAt(
  db: Db,
  { organisationId, manifestId, version }: ModelPlace,
): Promise<{ row: ManifestRow; frozen: ManifestVersionRow | null }> {
  const row = await manifestById(db, organisationId, manifestId)
  if (row === undefined) throw notFound('The manifest')
  if (version === null || version === row.latest_version) return { row, frozen: null }
  const frozen = (await frozenManifestVersions(db, row)).find(one => one.version === version)
  if (frozen === undefined) throw notFound(`The version ${version}`)
  return { row, frozen }
}

/** Cached data of a manifest, reused by its next validation. */
export class CachedModel {
  readonly reader = new ModelReader()
  /** Of the last unsaved edits. */
  readonly edited = new Map<number, EditedEntity>()
  readonly names = newNamesOfModel()
  readonly validator = newValidator()
  readonly schemaNotes = newSchemaNotes()
  readonly answers = new ProblemWriter()

  /** Characters of the contents, which the derived data grows with, plus bytes of the answer. */
  get size(): number {
    return this.reader.size + this.answers.size
  }
}
