import { readSqlText } from '@cadmus/formats/ddl/read'
import { ImportError } from '@cadmus/formats/import-error'
import type { ImportedEntity } from '@cadmus/formats/imported-model'
import { placedModel } from '@cadmus/formats/placed-model'
import { type Column, columnName, columnsInOrder, columnsOf, isTypeAttribute } from '@cadmus/model/columns'
import { constraintsWithUids } from '@cadmus/model/constraints'
import type { Migration, ScriptSide } from '@cadmus/model/contract/comparison'
import type { DataStep } from '@cadmus/model/data-steps'
import type { ManifestNode } from '@cadmus/model/manifest'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import type { EntityNode } from '@cadmus/model/entity'
import { withPairUids } from '@cadmus/model/key-pairs'
import { foldName } from '@cadmus/model/paths'
import { type ModelSource, resolveModel, type ResolvedModel } from '@cadmus/model/resolved-model'
import { newUid } from '@cadmus/model/uid'
import { invalid } from '../../errors/api-error.ts'
import type { LoadedModel } from '../../store/model-source.ts'

type Rename = ScriptSide['renames'][number]

/**
 * The tables of a script as a model with the uids that `after` has for what has the same name or was chosen as renamed, ids being negative.
 * Throws 400 if it is no script that creates tables.
 */
export function modelOfScript({ text, database, renames }: ScriptSide, after: LoadedModel): LoadedModel {
  const { manifests, entities, ...read } = readOrRefuse(text, database)
  const uids = new ScriptUids(resolveModel(after.root, after.source), renames)
  const placed = placedModel({ ...read, manifests, entities: entities.map(entity => uids.entity(entity)) })
  return withNegativeIds(placed, { ...after.root, dataSteps: stepsTaken(placed, after) })
}

/** A script does not say which data steps were taken: those are of whose attributes nothing changes. */
function stepsTaken({ entities }: ResolvedModel, { source }: LoadedModel): DataStep[] {
  const shapes = (nodes: Iterable<EntityNode>) =>
    new Map([...nodes].flatMap(entity => entity.typeAttributes.map(one => [one.uid, shapeOf(one)] as const)))
  const [before, after] = [shapes(entities), shapes(source.entities.values())]
  const steps = [...source.manifests.values()].flatMap(({ dataSteps }) => dataSteps)
  return steps.filter(({ attribute: { uid } }) => before.get(uid) === after.get(uid))
}

function shapeOf({ dataType, format, nullable, choices }: TypeAttribute): string {
  return JSON.stringify([dataType, format, nullable, choices])
}

function readOrRefuse(text: string, database: ScriptSide['database']) {
  try {
    return readSqlText(text, { database })
  } catch (error) {
    if (error instanceof ImportError) throw invalid(error.message, [{ path: 'before.text', message: error.message }])
    throw error
  }
}

/** Each uid of the other model is given once. */
class ScriptUids {
  readonly #entities: ReadonlyMap<string, EntityNode>
  readonly #byUid: ReadonlyMap<string, EntityNode>
  readonly #model: ResolvedModel
  readonly #renames: ReadonlyMap<string, Rename[]>
  readonly #given = new Set<string>()

  constructor(model: ResolvedModel, renames: readonly Rename[]) {
    this.#model = model
    this.#entities = new Map(model.entities.toReversed().map(entity => [foldName(entity.name), entity]))
    this.#byUid = new Map(model.entities.map(entity => [entity.uid, entity]))
    this.#renames = Map.groupBy(renames, ({ table }) => foldName(table))
    for (const { uid, column } of renames) if (column === null) this.#given.add(uid)
  }

  entity(entity: ImportedEntity): ImportedEntity {
    const renames = this.#renames.get(foldName(entity.name)) ?? []
    const renamed = renames.find(({ column }) => column === null)
    const named = this.#entities.get(foldName(entity.name))
    const other = renamed ? this.#byUid.get(renamed.uid) : named && !this.#given.has(named.uid) ? named : undefined
    if (!other) return { ...entity, uid: newUid() }
    this.#given.add(other.uid)
    const columns = this.#columnsOf(other)
    const chosen = new Map(
      renames.flatMap(({ column, uid }) => (column === null ? [] : [[foldName(column), uid] as const])).toReversed(),
    )
    const taken = new Set(chosen.values())
    const uids = new Map<string, string>()
    const give = (own: string, name: string) => {
      const choice = chosen.get(foldName(name))
      const same = columns.get(foldName(name))
      const uid = choice ?? (same !== undefined && !taken.has(same) ? same : undefined)
      if (uid === undefined) return
      if (choice === undefined) taken.add(uid)
      uids.set(own, uid)
    }
    for (const column of columnsInOrder(entity)) {
      give(column.uid, columnName(column))
      if (!isTypeAttribute(column)) for (const pair of column.alsoBy) give(pair.uid, pair.name)
    }
    const uidOf = (uid: string) => uids.get(uid) ?? uid
    const withUid = <T extends Column>(column: T): T => ({ ...withPairUids(column, uidOf), uid: uidOf(column.uid) })
    return {
      ...entity,
      uid: other.uid,
      ...constraintsWithUids(entity, uidOf),
      typeAttributes: entity.typeAttributes.map(withUid),
      entityAttributes: entity.entityAttributes.map(withUid),
    }
  }

  /** Own and inherited columns, and the further ones of foreign keys, by name. */
  #columnsOf(entity: EntityNode): ReadonlyMap<string, string> {
    const all = this.#withParents(entity).flatMap(columnsOf)
    const pairs = all.flatMap(column => (isTypeAttribute(column) ? [] : column.alsoBy))
    const named = [...pairs, ...all.map(column => ({ uid: column.uid, name: columnName(column) }))]
    return new Map(named.map(({ uid, name }) => [foldName(name), uid]))
  }

  #withParents(entity: EntityNode): EntityNode[] {
    const all = [entity]
    for (const one of all) {
      const parent = one.extendsEntity && this.#model.byId.get(one.extendsEntity.id)
      if (parent && !all.includes(parent)) all.push(parent)
    }
    return all.toReversed()
  }
}

/** No entity of the store has these ids. */
function withNegativeIds(
  { root, manifests, byId }: ResolvedModel,
  { uid, dataSteps }: Pick<ManifestNode, 'uid' | 'dataSteps'>,
): LoadedModel {
  const idOf = (id: number) => (id > 0 ? -1_000_000_000 - id : id)
  const reference = <T extends { id: number }>(item: T): T => ({ ...item, id: idOf(item.id) })
  const entities = [...byId.values()].map(entity => ({
    ...entity,
    id: idOf(entity.id),
    entityAttributes: entity.entityAttributes.map(relationship => ({
      ...relationship,
      associatedEntity: {
        ...reference(relationship.associatedEntity),
        uid: byId.get(relationship.associatedEntity.id)?.uid,
      },
    })),
  }))
  const nodes = manifests.map(manifest => ({
    ...manifest,
    id: idOf(manifest.id),
    ...(manifest.id === root.id ? { uid, dataSteps } : {}),
    entities: manifest.entities.map(reference),
    subManifests: manifest.subManifests.map(idOf),
  }))
  const source: ModelSource = {
    manifests: new Map(nodes.map(node => [node.id, node])),
    entities: new Map(entities.map(entity => [entity.id, entity])),
  }
  const top = nodes.find(node => node.uid === uid)
  if (!top) throw new Error('A script has a manifest.')
  return { root: top, source }
}

/** Most tables and columns that are offered, and candidates of all of them and at least of each: short scripts must not make long answers. */
const maxUnpaired = 500
const candidatesOf = { all: 20_000, each: 40 }

type Unpaired = Migration['unpaired'][number]

/** Tables and columns of the script that the model does not have, with those of the model that the script does not have. */
export function unpairedOf(script: ResolvedModel, model: ResolvedModel): Unpaired[] {
  const others = new Map(model.entities.map(entity => [entity.uid, entity]))
  const own = new Set(script.entities.map(({ uid }) => uid))
  const rank = rankBySharedNames(model.entities.filter(({ uid }) => !own.has(uid)))
  const open = script.entities.filter(({ uid }) => !others.has(uid)).map(entity => () => tableWithoutPair(entity, rank))
  for (const entity of script.entities) {
    if (open.length >= maxUnpaired) break
    const other = others.get(entity.uid)
    if (other) open.push(...columnsWithoutPair(entity, other))
  }
  const offered = open.slice(0, maxUnpaired)
  const most = Math.max(candidatesOf.each, Math.floor(candidatesOf.all / offered.length))
  return offered.map(choice => {
    const unpaired = choice()
    return { ...unpaired, candidates: unpaired.candidates.slice(0, most) }
  })
}

type Ranked = { readonly entity: EntityNode; readonly count: number }

/** Orders the candidates by the number of names that they share with an entity. */
function rankBySharedNames(candidates: readonly EntityNode[]): (entity: EntityNode) => Ranked[] {
  const named = candidates.flatMap(entity => Array.from(namesOf(entity), name => ({ name, entity })))
  const byName = Map.groupBy(named, ({ name }) => name)
  return entity => {
    const counts = new Map<EntityNode, number>()
    for (const name of namesOf(entity))
      for (const { entity: one } of byName.get(name) ?? []) counts.set(one, (counts.get(one) ?? 0) + 1)
    return candidates.map(one => ({ entity: one, count: counts.get(one) ?? 0 })).toSorted((a, b) => b.count - a.count)
  }
}

function namesOf({ typeAttributes }: EntityNode): Set<string> {
  return new Set(typeAttributes.map(({ name }) => foldName(name)))
}

/** Suggested is the only candidate, or the one with the most of the names. */
function tableWithoutPair(table: EntityNode, rank: (entity: EntityNode) => Ranked[]): Unpaired {
  const ranked = rank(table)
  const [best] = ranked
  return {
    table: table.name,
    column: null,
    candidates: ranked.map(({ entity }) => ({ uid: entity.uid, name: entity.name })),
    suggested: best && (best.count > 0 || ranked.length === 1) ? best.entity.uid : null,
  }
}

function columnsWithoutPair(entity: EntityNode, other: EntityNode): (() => Unpaired)[] {
  const [before, after] = [columnsInOrder(entity), columnsInOrder(other)]
  const [own, others] = [before, after].map(columns => new Set(columns.map(({ uid }) => uid)))
  const candidates = after.filter(({ uid }) => !own?.has(uid))
  if (candidates.length === 0) return []
  const unpaired = before.map((column, place) => ({ column, place })).filter(({ column }) => !others?.has(column.uid))
  return unpaired.slice(0, maxUnpaired).map(({ column, place }) => () => {
    const alike = candidates.filter(one => typeOf(one) === typeOf(column))
    const inPlace = alike.find(one => one === after[place])
    const suggested = inPlace ?? (alike.length === 1 ? alike[0] : undefined)
    const sorted = new Set([...(suggested ? [suggested] : []), ...alike, ...candidates])
    return {
      table: entity.name,
      column: columnName(column),
      candidates: Array.from(sorted, one => ({ uid: one.uid, name: columnName(one) })),
      suggested: suggested?.uid ?? null,
    }
  })
}

function typeOf(column: Column): string {
  return isTypeAttribute(column) ? `${column.dataType} ${column.format}` : column.foreignKeyDataType
}
