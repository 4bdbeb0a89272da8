import { readPackages } from '@cadmus/formats/package/read'
import { sourceOfPackage } from '@cadmus/model/api/package-model'
import { columnName, columnsOf } from '@cadmus/model/columns'
import { alignedModel } from '@cadmus/model/comparison/align'
import type { ComparedModel } from '@cadmus/model/comparison/comparison'
import { withFollowedNames } from '@cadmus/model/comparison/followed-names'
import { type Configuration, withoutSecrets } from '@cadmus/model/configuration'
import type { Comparison, ScriptSide, Side } from '@cadmus/model/contract/comparison'
import type { EntityNode } from '@cadmus/model/entity'
import { limits } from '@cadmus/model/limits'
import type { ManifestNode } from '@cadmus/model/manifest'
import { withFollowedReferences } from '@cadmus/model/names-of-model'
import { mapReferences } from '@cadmus/model/references'
import { type ModelSource, resolveModel } from '@cadmus/model/resolved-model'
import { builtPackage } from '../../commands/package/package-zip.ts'
import type { Tx } from '../../store/database.ts'
import { type LoadedModel, ModelReader, tooLargeTogether } from '../../store/model-source.ts'
import { referencesIn } from '../../store/open-reference.ts'
import type { Store } from '../../store/store.ts'
import { inOneMoment, modelAtMoment, momentOf } from '../model-at.ts'
import { zipByHash } from '../package-build.ts'
import type { ComparedPlace } from '../tasks.ts'
import { withConfigurationEdits, withEntityEdits } from '../unsaved-edits.ts'
import { migrationTexts } from '@cadmus/model/messages/migration'
import { modelOfScript } from './script-side.ts'
import { currentPlaces } from './placed-entities.ts'

export type SideModel = ComparedModel & { shown: Comparison['before'] }

/**
 * Both sides, with the same uids and ids for what is the same, and with ids of existing entities. What does not exist now has a negative
 * id, below -1 if one of the sides has it. Unchanged entities are the same objects on both sides. Configurations have no secrets.
 */
export type Sides = { before: SideModel; after: SideModel }

/** A side as read; `areCurrent`: the store has all of its entities, with these ids. */
type ReadSide = LoadedModel & {
  configuration: Configuration | undefined
  shown: SideModel['shown']
  areCurrent: boolean
}

/**
 * Reads both sides from one state of the store. Throws 404 if one does not exist in the organisation, 409 for a package that is not built,
 * 400 if they are too large together. `reader` may hold cached contents.
 */
export async function readSides(
  store: Store,
  place: ComparedPlace,
  reader: ModelReader = new ModelReader(),
): Promise<Sides> {
  const { organisationId } = place
  return inOneMoment(store, organisationId, async tx => {
    const reading = new SideReading(tx, place, reader)
    const { before, after } = await reading.both(place)
    const sources = [before, after].map(({ source: { entities }, areCurrent }) => ({ entities, areCurrent }))
    const places = await currentPlaces(tx, organisationId, sources)
    const manifests = manifestIds(before, after)
    const placed = (side: ReadSide): SideModel => {
      const manifest = (node: ManifestNode): ManifestNode => ({
        ...node,
        id: manifests.get(node.uid) ?? node.id,
        entities: node.entities.flatMap(({ id, type }) => {
          const entity = side.source.entities.get(id)
          return entity ? { id: places.idOf(entity), type } : []
        }),
        subManifests: node.subManifests.map(id => manifests.get(side.source.manifests.get(id)?.uid ?? '') ?? id),
      })
      const nodes = Array.from(side.source.manifests.values(), manifest)
      const source = {
        manifests: new Map(nodes.map(node => [node.id, node])),
        entities: places.placed(side.source.entities),
      }
      const { configuration, shown } = side
      return {
        resolvedModel: resolveModel(manifest(side.root), source),
        configuration: configuration && withoutSecrets(configuration, () => ''),
        shown,
      }
    }
    return aligned({ before: placed(before), after: placed(after) }, await reading.uid())
  })
}

/** A script has the settings of the other side, with which it is exported. */
function scriptSide(script: ScriptSide, after: ReadSide): ReadSide {
  const shown = { name: after.shown.name, version: migrationTexts.scriptVersion, packageVersion: null }
  const { configuration } = after
  return { ...modelOfScript(script, after), configuration, shown, areCurrent: false }
}

/** Ids of manifests by uid: those of a build are local, those of another side count before them. */
function manifestIds(...sides: readonly ReadSide[]): ReadonlyMap<string, number> {
  const nodes = sides.flatMap(({ source }) => [...source.manifests.values()]).toSorted((a, b) => a.id - b.id)
  return new Map(nodes.map(({ uid, id }) => [uid, id]))
}

/** The reference is the side of the compared manifest; `before` if both are others. */
function aligned({ before, after }: Sides, uid: string): Sides {
  const [was, is] = [before, after].map(({ resolvedModel }) => resolvedModel.root.uid)
  if (was === is) return { before, after }
  const to = (side: SideModel, { resolvedModel }: SideModel): SideModel => ({
    ...side,
    resolvedModel: alignedModel(side.resolvedModel, resolvedModel),
  })
  return is === uid ? { before: to(before, after), after } : { before, after: to(after, before) }
}

class SideReading {
  readonly #tx: Tx
  readonly #place: ComparedPlace
  readonly #reader: ModelReader
  /** States of the store by manifest and version, because drafts are usually compared with theirs. */
  readonly #states = new Map<string, Promise<ReadSide>>()
  #builds = 0
  /** Characters of the contents of the sides already read. */
  #size = 0

  constructor(tx: Tx, place: ComparedPlace, reader: ModelReader) {
    this.#tx = tx
    this.#place = place
    this.#reader = reader
  }

  /** Uid of the compared manifest. */
  async uid(): Promise<string> {
    const { manifest } = await momentOf(this.#tx, { ...this.#place, version: null })
    return manifest.uid
  }

  async both({
    before,
    after,
  }: Pick<ComparedPlace, 'before' | 'after'>): Promise<{ before: ReadSide; after: ReadSide }> {
    if (before.kind !== 'script') return { before: await this.side(before), after: await this.side(after) }
    const latter = await this.side(after)
    return { before: scriptSide(before, latter), after: latter }
  }

  async side(side: Side): Promise<ReadSide> {
    switch (side.kind) {
      case 'now':
        return this.#stored(this.#place.manifestId, null)
      case 'version':
        return this.#stored(this.#place.manifestId, side.version)
      case 'manifest':
        return this.#stored(side.manifest, side.version)
      case 'draft':
        return this.#draft(side)
      case 'build':
        return this.#build(side.package, side.version)
    }
  }

  async #stored(manifestId: number, version: string | null): Promise<ReadSide> {
    const key = JSON.stringify([manifestId, version])
    const state = this.#states.get(key) ?? this.#read(manifestId, version)
    this.#states.set(key, state)
    return state
  }

  async #read(manifestId: number, version: string | null): Promise<ReadSide> {
    const place = { organisationId: this.#place.organisationId, manifestId, version }
    const moment = await momentOf(this.#tx, place)
    this.#reader.limitReading(limits.modelContents - this.#size)
    const model = await modelAtMoment(this.#tx, place, moment, this.#reader, this.#place.only)
    this.#size += this.#reader.size
    const shown = { name: model.root.name, version: version ?? moment.manifest.latest_version, packageVersion: null }
    return { ...model, shown, areCurrent: moment.snapshot === undefined }
  }

  /** Entities that do not exist any more are ignored. */
  async #draft({ entities: drafts, configuration: edits }: Extract<Side, { kind: 'draft' }>): Promise<ReadSide> {
    const now = await this.#stored(this.#place.manifestId, null)
    const edited = withEntityEdits(now.source.entities, drafts)
    const isRenamed = drafts.some(({ id }) => hasNewNames(now.source.entities.get(id), edited.get(id)))
    const entities = isRenamed ? withFollowedReferences(now.source.entities, edited) : edited
    const targets = drafts.flatMap(({ id }) => entities.get(id) ?? []).flatMap(referencesIn)
    const missing = targets.map(({ id }) => id).filter(id => !entities.has(id))
    const model = { root: now.root, source: { ...now.source, entities } }
    const { organisationId } = this.#place
    const { source } = await this.#reader.extended(this.#tx, organisationId, model, missing)
    const followed =
      isRenamed && now.configuration
        ? withFollowedNames(now.configuration, now.source.entities, source.entities)
        : now.configuration
    return { ...now, source, configuration: withConfigurationEdits(followed, now.root.name, edits) }
  }

  /** Entities and manifests of a package have local ids, which become negative here, different for each build. */
  async #build(id: number, version: string): Promise<ReadSide> {
    const { organisationId } = this.#place
    const built = await builtPackage(this.#tx, organisationId, { id }, version)
    const [read] = readPackages(await zipByHash(this.#tx, organisationId, built.hash))
    if (read === undefined) throw new Error('A built package is empty.')
    const { model } = read
    this.#size += JSON.stringify(model).length
    if (this.#size > limits.modelContents) throw tooLargeTogether(this.#size)
    this.#builds += 1
    const local = localIds(this.#builds)
    const source = withIds(sourceOfPackage(model), local)
    const root = source.manifests.get(local(model.root))
    if (root === undefined) throw new Error('A built package has no manifest.')
    const shown = { name: root.name, version: model.manifestVersion, packageVersion: version }
    return { root, source, configuration: model.configuration, shown, areCurrent: false }
  }
}

type NewId = (id: number) => number

/** Negative ids, different for each build; no package has so many entities. */
function localIds(build: number): NewId {
  return id => (id > 0 ? -build * 1_000_000_000 - id : id)
}

function withIds({ manifests, entities }: ModelSource, idOf: NewId): ModelSource {
  const reference = <T extends { id: number }>(item: T): T => ({ ...item, id: idOf(item.id) })
  const nodes = Array.from(entities.values(), entity => ({
    ...mapReferences(entity, { entity: reference, column: column => column }),
    id: idOf(entity.id),
    path: entity.path,
  }))
  const manifestNodes = Array.from(manifests.values(), manifest => ({
    ...manifest,
    id: idOf(manifest.id),
    entities: manifest.entities.map(reference),
    subManifests: manifest.subManifests.map(idOf),
  }))
  return {
    manifests: new Map(manifestNodes.map(node => [node.id, node])),
    entities: new Map(nodes.map(node => [node.id, node])),
  }
}

function hasNewNames(before: EntityNode | undefined, after: EntityNode | undefined): boolean {
  if (!before || !after || before === after) return false
  if (before.name !== after.name) return true
  const names = new Map(columnsOf(after).map(column => [column.uid, columnName(column)]))
  return columnsOf(before).some(column => (names.get(column.uid) ?? columnName(column)) !== columnName(column))
}
