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
  readonly #renames: readonly Rename[]
  readonly #given = new Set<string>()

  constructor(model: ResolvedModel, renames: readonly Rename[]) {
    this.#model = model
    this.#entities = new Map(model.entities.toReversed().map(entity => [foldName(entity.name), entity]))
    this.#byUid = new Map(model.entities.map(entity => [entity.uid, entity]))
    this.#renames = renames
    for (const { uid, column } of renames) if (column === null) this.#given.add(uid)
  }

  entity(entity: ImportedEntity): ImportedEntity {
    const renamed = this.#renames.find(({ table, column }) => column === null && isSameName(table, entity.name))
    const named = this.#entities.get(foldName(entity.name))
    const other = renamed ? this.#byUid.get(renamed.uid) : named && !this.#given.has(named.uid) ? named : undefined
    if (!other) return { ...entity, uid: newUid() }
    this.#given.add(other.uid)
    const columns = this.#columnsOf(other)
    const chosen = this.#renames.filter(one => one.column !== null && isSameName(one.table, entity.name))
    const taken = new Set(chosen.map(({ uid }) => uid))
    const uids = new Map<string, string>()
    const give = (own: string, name: string) => {
      const choice = chosen.find(({ column }) => column !== null && isSameName(column, name))
      const same = columns.get(foldName(name))
      const uid = choice?.uid ?? (same !== undefined && !taken.has(same) ? same : undefined)
      if (uid === undefined) return
      if (!choice) taken.add(uid)
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

function isSameName(one: string, other: string): boolean {
  return foldName(one) === foldName(other)
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

/** Most tables and columns that are offered. */
const maxUnpaired = 500

/** Tables and columns of the script that the model does not have, with those of the model that the script does not have. */
export function unpairedOf(script: ResolvedModel, model: ResolvedModel): Migration['unpaired'] {
  const others = new Map(model.entities.map(entity => [entity.uid, entity]))
  const own = new Set(script.entities.map(({ uid }) => uid))
  const tables = script.entities.filter(({ uid }) => !others.has(uid))
  const candidates = model.entities.filter(({ uid }) => !own.has(uid))
  const unpairedTables = tables.map(({ name, typeAttributes }) => ({
    table: name,
    column: null,
    candidates: candidates.map(entity => ({ uid: entity.uid, name: entity.name })),
    suggested: mostAlike(
      typeAttributes.map(one => one.name),
      candidates,
    ),
  }))
  const unpairedColumns = script.entities.flatMap(entity => {
    const other = others.get(entity.uid)
    return other ? columnsWithoutPair(entity, other) : []
  })
  return [...unpairedTables, ...unpairedColumns].slice(0, maxUnpaired)
}

/** The only candidate, or the one with the most of these names. */
function mostAlike(names: readonly string[], candidates: readonly EntityNode[]): string | null {
  const folded = new Set(names.map(foldName))
  const counted = candidates.map(({ uid, typeAttributes }) => ({
    uid,
    count: typeAttributes.filter(({ name }) => folded.has(foldName(name))).length,
  }))
  const [best] = counted.toSorted((a, b) => b.count - a.count)
  return best && (best.count > 0 || counted.length === 1) ? best.uid : null
}

function columnsWithoutPair(entity: EntityNode, other: EntityNode): Migration['unpaired'] {
  const [before, after] = [columnsInOrder(entity), columnsInOrder(other)]
  const [own, others] = [before, after].map(columns => new Set(columns.map(({ uid }) => uid)))
  const candidates = after.filter(({ uid }) => !own?.has(uid))
  if (candidates.length === 0) return []
  return before
    .filter(({ uid }) => !others?.has(uid))
    .map(column => {
      const alike = candidates.filter(one => typeOf(one) === typeOf(column))
      const inPlace = alike.find(one => after.indexOf(one) === before.indexOf(column))
      return {
        table: entity.name,
        column: columnName(column),
        candidates: candidates.map(one => ({ uid: one.uid, name: columnName(one) })),
        suggested: (inPlace ?? (alike.length === 1 ? alike[0] : undefined))?.uid ?? null,
      }
    })
}

function typeOf(column: Column): string {
  return isTypeAttribute(column) ? `${column.dataType} ${column.format}` : column.foreignKeyDataType
}
