import { positioned, type Placed } from './apply-positions.ts'
import { isEqual } from './equal.ts'
import {
  newEntityAttribute,
  type AlternativeTarget,
  type EntityAttribute,
  type EntityReference,
} from './entity-attribute.ts'
import { automaticKey, newEntityContent, primaryKeyOf, type EntityContent } from './entity.ts'
import { foldName } from './paths.ts'
import { isKeyDataType } from './rules/key-data-type.ts'
import { takesPrecision } from './rules/precision.ts'
import { isPrimaryKey, newTypeAttribute, type TypeAttribute } from './type-attribute.ts'
import { isUid, newUid } from './uid.ts'
import type { EntityRequest, RelationshipRequest, TypeAttributeRequest } from './contract/entity-shapes.ts'

type EntityFields = Pick<EntityRequest, 'entity'> & Partial<EntityRequest>

/**
 * The content that a create (no `previous`) or update request means. Nothing is judged here: ask `entityProblems` next. What the
 * wire does not carry (traits, copies, type) is kept; attributes are matched by uid, else by name, so that a rename stays a rename.
 */
export function contentFromRequest(request: EntityFields, previous?: EntityContent): EntityContent {
  const { entity } = request
  const known = new KnownItems(previous)
  const relationships = known.claim(entity.entityAttributes, item => item.foreignKeyAttribute.typeAttributeName)
  const attributes = known.claim(entity.typeAttributes, item => item.name)
  const placed = positioned(
    attributes.map(({ item, old, uid }) => place(item, old, typeAttributeFrom(item, uid, asTypeAttribute(old)))),
    relationships.map(({ item, old, uid }) => place(item, old, relationshipFrom(item, uid, asRelationship(old)))),
  )
  const base =
    previous ?? newEntityContent({ name: '', type: request.type ?? 'EXCLUSIVE', uid: known.freshUid(entity.uid) })
  return {
    ...base,
    name: entity.name.trim(),
    description: entity.description,
    extendsEntity: referenceFrom(entity.extendsEntity, previous?.extendsEntity),
    referenceImportPaths: request.referenceImportPaths ?? base.referenceImportPaths,
    typeAttributes: withOneKey(placed.first, previous),
    entityAttributes: placed.second,
    operationScopes: { ...base.operationScopes, ...entity.operationScopes },
  }
}

/** A new exclusive entity without a key gets the automatic one: an attribute `id` of its own, before all others. */
export function withAutomaticKey(content: EntityContent): EntityContent {
  if (primaryKeyOf(content) !== null) return content
  const named = content.typeAttributes.find(attribute => foldName(attribute.name) === 'id')
  if (named) {
    if (!isKeyDataType(named.dataType)) return content
    return {
      ...content,
      typeAttributes: content.typeAttributes.map(item =>
        item === named ? { ...item, purpose: 'identifiedBy' } : item,
      ),
    }
  }
  const moved = <T extends { position: number }>(item: T) => ({ ...item, position: item.position + 1 })
  return {
    ...content,
    typeAttributes: [automaticKey(), ...content.typeAttributes.map(moved)],
    entityAttributes: content.entityAttributes.map(moved),
  }
}

/** One relationship as the wire gives it; its position is that of `previous`, else the caller's. */
export function relationshipFrom(
  request: RelationshipRequest,
  uid: string,
  previous?: EntityAttribute,
  position = 0,
): EntityAttribute {
  const base =
    previous ??
    newEntityAttribute({
      uid,
      associatedEntity: { id: -1, name: '', path: '' },
      associatedEntityTypeAttribute: '',
      foreignKeyTypeAttribute: '',
      position,
    })
  const { foreignKeyAttribute } = request
  const changed: EntityAttribute = {
    ...base,
    associatedEntity: associatedEntityFrom(request, previous),
    ...targetColumnFrom(request, previous),
    description: request.description,
    traitReference: request.traitReference,
    simple: request.simple,
    foreignKeyTypeAttribute: foreignKeyAttribute.typeAttributeName.trim(),
    foreignKeyPurpose: foreignKeyAttribute.purpose,
    foreignKeyDataType: foreignKeyAttribute.dataType,
    nullable: request.nullable,
    unique: request.unique,
    onDelete: request.onDelete,
    alternativeTargets: request.alternativeTargets?.map(alternativeFrom) ?? base.alternativeTargets,
  }
  return keepTraits(changed, previous)
}

function typeAttributeFrom(
  request: TypeAttributeRequest,
  uid: string,
  previous: TypeAttribute | undefined,
): TypeAttribute {
  const base = previous ?? newTypeAttribute({ uid, name: '', position: 0 })
  const { dataType } = request
  const isOtherType = previous !== undefined && previous.dataType !== dataType
  const dropsPrecision = isOtherType && !takesPrecision(dataType)
  const changed: TypeAttribute = {
    ...base,
    name: request.name.trim(),
    dataType,
    purpose: request.purpose,
    description: request.description,
    nullable: request.isNullable,
    choices: [...request.choices],
    maxLength: dataType === 'string' ? maxLengthFrom(request.maxLength) : null,
    defaultValue: request.defaultValue,
    unique: request.unique,
    indexed: request.indexed,
    precision: dropsPrecision ? null : request.precision,
    scale: dropsPrecision ? null : request.scale,
    // A format refined the old data type; one that was chosen together with the new type stays.
    format: isOtherType && request.format === previous.format ? null : request.format,
  }
  return keepTraits(changed, previous)
}

/** Digits as an integer. What is none becomes NaN, which the rule refuses. */
function maxLengthFrom(value: number | string | null): number | null {
  if (value === null || typeof value === 'number') return value
  const text = value.trim()
  if (text === '') return null
  return /^\d+$/.test(text) ? Number.parseInt(text, 10) : Number.NaN
}

/** Traits came by import and belong to what they describe: they go when it changes. Its place does not matter. */
function keepTraits<T extends { traits: unknown[]; position: number }>(changed: T, previous: T | undefined): T {
  return previous && isEqual(changed, previous) ? changed : { ...changed, traits: [] }
}

function referenceFrom(
  given: { id: number; name?: string; path?: string } | null,
  previous: EntityReference | null | undefined,
): EntityReference | null {
  if (!given) return null
  if (previous && previous.id === given.id) return previous
  return { id: given.id, name: given.name ?? '', path: given.path ?? '' }
}

function associatedEntityFrom(request: RelationshipRequest, previous: EntityAttribute | undefined): EntityReference {
  const { associatedEntityId: id, associatedEntityName: name, associatedEntityPath: path } = request
  if (previous?.associatedEntity.id === id) return previous.associatedEntity
  return { id, name, path }
}

/** What is no uid is none: then path and name count. */
function alternativeFrom({
  entity: { uid, ...entity },
  attribute,
  attributeUid,
}: AlternativeTarget): AlternativeTarget {
  return {
    entity: uid !== undefined && isUid(uid) ? { ...entity, uid } : entity,
    attribute,
    ...(attributeUid !== undefined && isUid(attributeUid) ? { attributeUid } : {}),
  }
}

/**
 * The target attribute: the same as before where the uid is, for the name may have changed since the caller read it, or else the
 * name; otherwise the one of that uid, or the one of that name, whose uid is found when it is stored.
 */
function targetColumnFrom(
  request: RelationshipRequest,
  previous: EntityAttribute | undefined,
): Pick<EntityAttribute, 'associatedEntityTypeAttribute' | 'associatedEntityTypeAttributeUid'> {
  const name = request.associatedEntityTypeAttribute.trim()
  const wanted = request.associatedEntityTypeAttributeUid ?? null
  const before = previous?.associatedEntityTypeAttributeUid ?? null
  const isSameEntity = previous?.associatedEntity.id === request.associatedEntityId
  if (isSameEntity && (wanted === null ? name === previous.associatedEntityTypeAttribute : wanted === before)) {
    const kept = previous.associatedEntityTypeAttribute
    return { associatedEntityTypeAttribute: kept, associatedEntityTypeAttributeUid: before }
  }
  const uid = wanted === before ? null : wanted
  return { associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: uid }
}

/** Marking another attribute as the key takes the mark from the one that had it. */
function withOneKey(attributes: TypeAttribute[], previous: EntityContent | undefined): TypeAttribute[] {
  const before = new Set(previous?.typeAttributes.filter(isPrimaryKey).map(attribute => attribute.uid))
  const hasNewKey = attributes.some(attribute => isPrimaryKey(attribute) && !before.has(attribute.uid))
  if (!hasNewKey || before.size !== 1) return attributes
  return attributes.map(attribute =>
    isPrimaryKey(attribute) && before.has(attribute.uid) ? { ...attribute, purpose: 'hasA' } : attribute,
  )
}

type Known = { kind: 'type'; item: TypeAttribute } | { kind: 'relationship'; item: EntityAttribute }
type Claim<T> = { item: T; old: Known | undefined; uid: string }

/** The attributes and relationships of the previous content, each given to at most one item of the request. */
class KnownItems {
  private readonly byUid = new Map<string, Known>()
  private readonly used = new Set<string>()
  private readonly entityUid: string | undefined

  constructor(previous: EntityContent | undefined) {
    this.entityUid = previous?.uid
    for (const item of previous?.typeAttributes ?? []) this.byUid.set(item.uid, { kind: 'type', item })
    for (const item of previous?.entityAttributes ?? []) this.byUid.set(item.uid, { kind: 'relationship', item })
  }

  /** Uids first, names after: an item that only shares a name never takes what another one names by uid. */
  claim<T extends { uid?: string | undefined }>(items: readonly T[], nameOf: (item: T) => string): Claim<T>[] {
    const found = items.map(item => this.take(item.uid))
    const byName = this.unusedByName()
    return items.map((item, index) => {
      const old = found[index] ?? (item.uid === undefined ? this.take(byName.get(foldName(nameOf(item)))) : undefined)
      return { item, old, uid: old?.item.uid ?? this.freshUid(item.uid) }
    })
  }

  /** A uid that the page made, if it is one and nobody has it; else a new one. */
  freshUid(wanted: string | undefined): string {
    const uid = wanted !== undefined && isUid(wanted) && !this.isTaken(wanted) ? wanted : newUid()
    this.used.add(uid)
    return uid
  }

  private isTaken(uid: string): boolean {
    return uid === this.entityUid || this.byUid.has(uid) || this.used.has(uid)
  }

  private take(uid: string | undefined): Known | undefined {
    const known = uid === undefined || this.used.has(uid) ? undefined : this.byUid.get(uid)
    if (known) this.used.add(known.item.uid)
    return known
  }

  private unusedByName(): Map<string, string> {
    const names = new Map<string, string>()
    for (const [uid, known] of this.byUid) {
      if (this.used.has(uid)) continue
      names.set(foldName(known.kind === 'type' ? known.item.name : known.item.foreignKeyTypeAttribute), uid)
    }
    return names
  }
}

function asTypeAttribute(known: Known | undefined): TypeAttribute | undefined {
  return known?.kind === 'type' ? known.item : undefined
}

function asRelationship(known: Known | undefined): EntityAttribute | undefined {
  return known?.kind === 'relationship' ? known.item : undefined
}

function place<T>(request: { position?: number | undefined }, old: Known | undefined, value: T): Placed<T> {
  return { value, wanted: request.position, before: old?.item.position }
}
