import { type Column, columnName, columnsOf } from '../columns.ts'
import type { EntityNode } from '../entity.ts'
import type { ManifestNode } from '../manifest.ts'
import { foldName } from '../paths.ts'
import { mapReferences } from '../references.ts'
import { resolveModel, type ResolvedModel } from '../resolved-model.ts'
import { ColumnLookup } from './column-lookup.ts'

type Item = { uid: string; copiedFrom?: string | null }

/**
 * The model of another manifest with the uids and ids that the reference model has for the same manifests, entities and columns. Items are
 * the same if they have the same uid, then if one was copied from the other or both from the same origin, then if only they have their
 * name; members count before entities outside. What has no counterpart keeps its own identity, and what both models contain keeps its
 * references to what both contain, as an entity that refers to the origin of a copy.
 */
export function alignedModel(model: ResolvedModel, reference: ResolvedModel): ResolvedModel {
  return new Alignment(model, reference).model()
}

class Alignment {
  readonly #model: ResolvedModel
  readonly #reference: ResolvedModel
  readonly #entities: ReadonlyMap<number, EntityNode>
  readonly #manifests: ReadonlyMap<number, ManifestNode>
  readonly #lookup: ColumnLookup
  /** Uids of the reference by own uid, for each entity that has other ones. */
  readonly #columns = new Map<number, ReadonlyMap<string, string>>()

  constructor(model: ResolvedModel, reference: ResolvedModel) {
    this.#model = model
    this.#reference = reference
    this.#lookup = new ColumnLookup(model.byId)
    this.#entities = entityPairs(model, reference)
    this.#manifests = manifestPairs(model, reference)
    for (const [id, match] of this.#entities) {
      const entity = model.byId.get(id)
      const columns = entity ? columnPairs(entity, match) : new Map()
      if (columns.size > 0) this.#columns.set(id, columns)
    }
  }

  model(): ResolvedModel {
    const { root, manifests, byId } = this.#model
    const aligned = new Map(manifests.map(manifest => [this.#manifestId(manifest.id), this.#manifest(manifest)]))
    // Counterparts come last, because the id of one may be that of an origin outside.
    const shared = [...byId.values()].filter(entity => this.#isShared(entity.id))
    const others = [...byId.values()].filter(({ id }) => !this.#entities.has(id))
    const matched = [...byId.values()].filter(({ id }) => this.#entities.has(id))
    const entities = [...shared, ...[...others, ...matched].map(entity => this.#entity(entity))]
    return resolveModel(this.#manifest(root), {
      manifests: aligned,
      entities: new Map(entities.map(entity => [entity.id, entity])),
    })
  }

  /** Whether both models contain the entity. */
  #isShared(id: number): boolean {
    const uid = this.#model.byId.get(id)?.uid
    return uid !== undefined && this.#reference.byId.get(id)?.uid === uid
  }

  #manifestId(id: number): number {
    return this.#manifests.get(id)?.id ?? id
  }

  #manifest(manifest: ManifestNode): ManifestNode {
    return {
      ...manifest,
      id: this.#manifestId(manifest.id),
      uid: this.#manifests.get(manifest.id)?.uid ?? manifest.uid,
      entities: manifest.entities.map(({ id, type }) => ({ id: this.#entities.get(id)?.id ?? id, type })),
      subManifests: manifest.subManifests.map(id => this.#manifestId(id)),
    }
  }

  /** Unchanged entities remain the same objects. */
  #entity(entity: EntityNode): EntityNode {
    const match = this.#entities.get(entity.id)
    const columns = this.#columns.get(entity.id)
    let isChanged = columns !== undefined || (match !== undefined && !isSame(entity, match))
    const uidOf = (uid: string) => columns?.get(uid) ?? uid
    const isShared = match !== undefined && isSame(entity, match)
    const stays = (id: number) => isShared && this.#isShared(id)
    const content = mapReferences(entity, {
      entity: reference => {
        const target = this.#entities.get(reference.id)
        if (!target || isSame(reference, target) || stays(reference.id)) return reference
        isChanged = true
        return { ...reference, id: target.id, uid: target.uid }
      },
      column: (column, _entity, { id }) => {
        if (stays(id)) return column
        const uid = column.uid === undefined ? undefined : this.#targetUid(id, column.uid)
        isChanged ||= uid !== column.uid
        return { ...column, uid }
      },
    })
    if (!isChanged) return entity
    return {
      ...content,
      id: match?.id ?? entity.id,
      uid: match?.uid ?? entity.uid,
      path: entity.path,
      typeAttributes: content.typeAttributes.map(column => ({ ...column, uid: uidOf(column.uid) })),
      entityAttributes: content.entityAttributes.map(column => ({ ...column, uid: uidOf(column.uid) })),
    }
  }

  #targetUid(entityId: number, uid: string): string {
    const owner = this.#lookup.byUid(entityId, uid)?.entity
    return (owner && this.#columns.get(owner.id)?.get(uid)) ?? uid
  }
}

function isSame(item: { id: number; uid?: string | undefined }, { id, uid }: { id: number; uid: string }): boolean {
  return item.id === id && item.uid === uid
}

/**
 * Entities of the reference by own id. Members are paired first: an entity outside may be the origin of a member, or have its name. By
 * name only members are paired.
 */
function entityPairs(model: ResolvedModel, reference: ResolvedModel): ReadonlyMap<number, EntityNode> {
  const pairs = new Pairs<EntityNode>([...model.byId.values()], [...reference.byId.values()])
  const isMember = (entity: EntityNode) => model.owner.has(entity.id)
  const isReferenceMember = (entity: EntityNode) => reference.owner.has(entity.id)
  pairs.matchByIdentity(isMember, isReferenceMember)
  pairs.matchByIdentity()
  pairs.match(
    entity => (isMember(entity) ? foldName(entity.name) : null),
    entity => (isReferenceMember(entity) ? foldName(entity.name) : null),
  )
  return new Map(Array.from(pairs.all, ([one, other]) => [one.id, other]))
}

function manifestPairs(model: ResolvedModel, reference: ResolvedModel): ReadonlyMap<number, ManifestNode> {
  const pairs = new Pairs<ManifestNode>(model.manifests, reference.manifests)
  pairs.matchByIdentity()
  pairs.match(
    ({ id }) => (id === model.root.id ? 'root' : null),
    ({ id }) => (id === reference.root.id ? 'root' : null),
  )
  pairs.match(({ name }) => foldName(name))
  return new Map(Array.from(pairs.all, ([one, other]) => [one.id, other]))
}

/** Uids in the reference by own uid, without those that are the same. */
function columnPairs(entity: EntityNode, reference: EntityNode): ReadonlyMap<string, string> {
  const pairs = new Pairs<Column>(columnsOf(entity), columnsOf(reference))
  pairs.matchByIdentity()
  pairs.match(column => foldName(columnName(column)))
  const uids = Array.from(pairs.all, ([one, other]) => [one.uid, other.uid] as const)
  return new Map(uids.filter(([one, other]) => one !== other))
}

/** Pairs of items of two lists, each item once. */
class Pairs<T extends Item> {
  readonly all = new Map<T, T>()
  readonly #ones: readonly T[]
  readonly #others: readonly T[]
  readonly #matched = new Set<T>()

  constructor(ones: readonly T[], others: readonly T[]) {
    this.#ones = ones
    this.#others = others
  }

  /** `among`, `amongOthers`: only these items of each list. */
  matchByIdentity(among: (item: T) => boolean = () => true, amongOthers = among): void {
    const uid = (item: T) => item.uid
    const origin = (item: T) => item.copiedFrom ?? null
    for (const [keyOf, otherKeyOf] of [
      [uid, uid],
      [origin, uid],
      [uid, origin],
      [origin, origin],
    ] as const) {
      this.match(
        item => (among(item) ? keyOf(item) : null),
        item => (amongOthers(item) ? otherKeyOf(item) : null),
      )
    }
  }

  /** Pairs remaining items with the same key if no other remaining item of their list has it. Null is no key. */
  match(keyOf: (item: T) => string | null, otherKeyOf: (item: T) => string | null = keyOf): void {
    const ones = uniqueByKey(
      this.#ones.filter(item => !this.all.has(item)),
      keyOf,
    )
    const others = uniqueByKey(
      this.#others.filter(item => !this.#matched.has(item)),
      otherKeyOf,
    )
    for (const [key, one] of ones) {
      const other = others.get(key)
      if (one === null || !other) continue
      this.all.set(one, other)
      this.#matched.add(other)
    }
  }
}

/** Null for a key of several items. */
function uniqueByKey<T>(items: readonly T[], keyOf: (item: T) => string | null): Map<string, T | null> {
  const unique = new Map<string, T | null>()
  for (const item of items) {
    const key = keyOf(item)
    if (key !== null) unique.set(key, unique.has(key) ? null : item)
  }
  return unique
}
