import {
  type EntityUpdate,
  type RelationshipRequest,
  relationshipRequestFields,
  type TypeAttributeAnswer,
  type TypeAttributeRequest,
  typeAttributeRequestFields,
} from './contract/entity-shapes.ts'
import { changedAnswers } from './contract/request-fields.ts'
import {
  type AlternativeTarget,
  type EntityAttribute,
  type EntityReference,
  newEntityAttribute,
} from './entity-attribute.ts'
import { entityTypes } from './entity-types.ts'
import { automaticKey, type EntityContent, newEntityContent, primaryKeyOf } from './entity.ts'
import { isEqual } from './equal.ts'
import { withSettledConstraints } from './constraints.ts'
import { entityFields } from './fields/entity.ts'
import { sentValues } from './fields/field.ts'
import { relationshipFields } from './fields/relationship.ts'
import { typeAttributeFields } from './fields/type-attribute.ts'
import { messages } from './messages.ts'
import { pairsFrom } from './key-pairs.ts'
import { foldName } from './paths.ts'
import { isKeyDataType, takesPrecision, takesScale } from './rules/type-attribute.ts'
import { isPrimaryKey, newTypeAttribute, type TypeAttribute } from './type-attribute.ts'
import { isUid, newUid } from './uid.ts'

type Request = {
  entity: Omit<EntityUpdate['entity'], 'name'> & { name?: string | undefined }
  referenceImportPaths?: readonly string[] | undefined
  type?: unknown
}

/**
 * The content described by a create (no `previous`) or update request; an update keeps omitted fields. Does not
 * validate; check the result with `entityProblems`. Keeps data that requests do not carry (traits, origin of copies,
 * type). Matches attributes by uid, otherwise by name, so that renames are recognised.
 */
export function contentFromRequest(request: Request, previous?: EntityContent): EntityContent {
  const { entity } = request
  const { attributes, relationships, freshUid } = claims(entity, previous)
  const placed = assignPositions(
    attributes.map(({ item, old, uid }) => place(item, old, typeAttributeFrom(item, uid, asTypeAttribute(old)))),
    relationships.map(({ item, old, uid }) => place(item, old, relationshipFrom(item, uid, asRelationship(old)))),
  )
  const type = entityTypes.find(existing => existing === request.type) ?? 'EXCLUSIVE'
  const base = previous ?? newEntityContent({ name: '', type, uid: freshUid(entity.uid) })
  const content = {
    ...base,
    ...sentValues(entityFields, entity),
    extendsEntity:
      entity.extendsEntity === undefined
        ? base.extendsEntity
        : referenceFrom(entity.extendsEntity, previous?.extendsEntity),
    referenceImportPaths: [...(request.referenceImportPaths ?? base.referenceImportPaths)],
    typeAttributes: withOneKey(placed.first, previous),
    entityAttributes: placed.second,
    operationScopes: { ...base.operationScopes, ...entity.operationScopes },
  }
  return withSettledConstraints(content, previous)
}

/** Problems of read-only properties in attributes and relationships whose sent values differ from the current ones. */
export function changedInAnswers(
  { entity }: Pick<Request, 'entity'>,
  previous: EntityContent | undefined,
  isDefault: boolean,
): { path: string; message: string }[] {
  const { attributes, relationships } = claims(entity, previous)
  const at = (list: string, index: number) => `entity.${list}.${index}`
  return [
    ...attributes.flatMap(({ item, old, uid }, index) => {
      const before = asTypeAttribute(old) ?? typeAttributeFrom(item, uid, undefined)
      const answered = typeAttributeAnswerOf(before, isDefault)
      const place = at('typeAttributes', index)
      const keys = [answered.isPrimaryKey, isPrimaryKey({ purpose: item.purpose ?? before.purpose })]
      // A purpose and an unchanged `isPrimaryKey` may be sent together.
      const isSame = item.isPrimaryKey === undefined || keys.some(key => key === item.isPrimaryKey)
      // An `id` attribute of a new entity may become its automatic key.
      const mayBecomeKey = previous === undefined && foldName(before.name) === automaticKey().name
      return [
        ...changedAnswers(typeAttributeRequestFields, item, answered, place),
        ...(isSame || mayBecomeKey
          ? []
          : [{ path: `${place}.isPrimaryKey`, message: messages.readOnly('isPrimaryKey') }]),
      ]
    }),
    ...relationships.flatMap(({ item, old, uid }, index) => {
      const before = asRelationship(old) ?? relationshipFrom(item, uid)
      return changedAnswers(relationshipRequestFields, item, { ...before, isDefault }, at('entityAttributes', index))
    }),
  ]
}

/** A type attribute in the form of answers. */
export function typeAttributeAnswerOf(attribute: TypeAttribute, isDefault: boolean): TypeAttributeAnswer {
  return { ...attribute, isDefault, isPrimaryKey: isPrimaryKey(attribute), appliedTraits: [] }
}

/** Items of a request with their previous state. Omitted lists are unchanged. */
function claims({ typeAttributes, entityAttributes }: Request['entity'], previous: EntityContent | undefined) {
  const existing = new ExistingItems(previous)
  const asBefore = (items: readonly { uid: string }[] = []) => items.map(({ uid }) => ({ uid }))
  const relationships: Claim<RelationshipChange>[] = existing.claim(
    entityAttributes ?? asBefore(previous?.entityAttributes),
    (item: RelationshipChange) => item.foreignKeyTypeAttribute,
  )
  const attributes: Claim<TypeAttributeChange>[] = existing.claim(
    // An attribute replaced by a relationship is omitted.
    typeAttributes ??
      asBefore(previous?.typeAttributes.filter(({ uid }) => !relationships.some(one => one.uid === uid))),
    (item: TypeAttributeChange) => item.name,
  )
  return { attributes, relationships, freshUid: (uid: string | undefined) => existing.freshUid(uid) }
}

type TypeAttributeChange = Partial<TypeAttributeRequest>
type RelationshipChange = Partial<RelationshipRequest>

/** Adds the automatic key, a first attribute `id`, to a new exclusive entity without a key. */
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
  // Position 0 may be free, if an inherited key replaced the former key.
  const step = [...content.typeAttributes, ...content.entityAttributes].some(({ position }) => position < 1) ? 1 : 0
  const moved = <T extends { position: number }>(item: T) => ({ ...item, position: item.position + step })
  return {
    ...content,
    typeAttributes: [automaticKey(), ...content.typeAttributes.map(moved)],
    entityAttributes: content.entityAttributes.map(moved),
  }
}

/** A relationship from its wire format; omitted fields and the position come from `previous`, otherwise the given position applies. */
export function relationshipFrom(
  request: RelationshipChange,
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
  const changed: EntityAttribute = {
    ...base,
    ...sentValues(relationshipFields, request),
    associatedEntity: associatedEntityFrom(request, base),
    ...targetColumnFrom(request, base),
    alsoBy: pairsOfRequest(request, base),
    alternativeTargets:
      request.alternativeTargets?.map(sent => alternativeFrom(sent, base.alternativeTargets)) ??
      base.alternativeTargets,
  }
  return keepTraits(changed, previous)
}

function typeAttributeFrom(
  request: TypeAttributeChange,
  uid: string,
  previous: TypeAttribute | undefined,
): TypeAttribute {
  const base = previous ?? newTypeAttribute({ uid, name: '', position: 0 })
  const { dataType = base.dataType } = request
  const isOtherType = previous !== undefined && previous.dataType !== dataType
  const sent: TypeAttribute = { ...base, ...sentValues(typeAttributeFields, request) }
  // An integer has other digits than a decimal, unless both changed.
  const isOtherNumber = isOtherType && takesScale(dataType) !== takesScale(previous.dataType)
  const dropsPrecision = isOtherType && !takesPrecision(dataType)
  const keeps = (name: 'precision' | 'scale') => !isOtherNumber || sent[name] !== previous[name]
  const changed: TypeAttribute = {
    ...sent,
    maxLength: dataType === 'string' ? sent.maxLength : null,
    precision: dropsPrecision || !keeps('precision') ? null : sent.precision,
    scale: dropsPrecision || !keeps('scale') ? null : sent.scale,
    // A format refines its data type; a new type clears it unless both changed.
    format: isOtherType && sent.format === previous.format ? null : sent.format,
  }
  return keepTraits(changed, previous)
}

/** Imported traits describe their attribute: they are dropped when it changes, unless only its position did. */
function keepTraits<T extends { traits: unknown[]; position: number }>(changed: T, previous: T | undefined): T {
  return previous && isEqual(changed, previous) ? changed : { ...changed, traits: [] }
}

function referenceFrom(
  input: { id: number; name?: string | undefined; path?: string | undefined } | null,
  previous: EntityReference | null | undefined,
): EntityReference | null {
  if (!input) return null
  if (previous && previous.id === input.id) return previous
  return { id: input.id, name: input.name ?? '', path: input.path ?? '' }
}

function associatedEntityFrom({ associatedEntity: input }: RelationshipChange, base: EntityAttribute): EntityReference {
  return input === undefined || input.id === base.associatedEntity.id ? base.associatedEntity : input
}

/** Another target has other attributes: without pairs in the request none remain. */
function pairsOfRequest(request: RelationshipChange, base: EntityAttribute): EntityAttribute['alsoBy'] {
  const isSameEntity = associatedEntityFrom(request, base).id === base.associatedEntity.id
  if (request.alsoBy) return pairsFrom(request.alsoBy, isSameEntity ? base.alsoBy : [])
  return isSameEntity ? base.alsoBy : []
}

/** An invalid uid is ignored: path and name count. An omitted uid means the uid of the same previous target. */
function alternativeFrom(sent: AlternativeTarget, before: readonly AlternativeTarget[]): AlternativeTarget {
  const { entity, attribute, attributeUid } = sent
  const { uid, ...reference } = entity
  const existing = before.find(item => isSameTarget(item, sent))
  const [entityUid, columnUid] = [uid ?? existing?.entity.uid, attributeUid ?? existing?.attributeUid]
  return {
    entity: entityUid !== undefined && isUid(entityUid) ? { ...reference, uid: entityUid } : reference,
    attribute,
    ...(columnUid !== undefined && isUid(columnUid) ? { attributeUid: columnUid } : {}),
  }
}

function isSameTarget(one: AlternativeTarget, other: AlternativeTarget): boolean {
  const parts = ({ entity: { id, name, path }, attribute }: AlternativeTarget) => [id, name, path, attribute]
  return isEqual(parts(one), parts(other))
}

/**
 * The target attribute. An unchanged uid or name keeps the stored one, because the target may have been renamed since it was read;
 * otherwise the uid counts, or the name, whose uid is resolved on storing.
 */
function targetColumnFrom(
  request: RelationshipChange,
  base: EntityAttribute,
): Pick<EntityAttribute, 'associatedEntityTypeAttribute' | 'associatedEntityTypeAttributeUid'> {
  const { associatedEntity, associatedEntityTypeAttribute: existing, associatedEntityTypeAttributeUid: before } = base
  const name = request.associatedEntityTypeAttribute?.trim() ?? existing
  const requested = request.associatedEntityTypeAttributeUid ?? null
  const isSameEntity = associatedEntityFrom(request, base).id === associatedEntity.id
  if (isSameEntity && (requested === null ? name === existing : requested === before))
    return { associatedEntityTypeAttribute: existing, associatedEntityTypeAttributeUid: before }
  const uid = requested === before ? null : requested
  return { associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: uid }
}

/** Marking another attribute as the key unmarks the previous key. */
function withOneKey(attributes: TypeAttribute[], previous: EntityContent | undefined): TypeAttribute[] {
  const before = new Set(previous?.typeAttributes.filter(isPrimaryKey).map(attribute => attribute.uid))
  const hasNewKey = attributes.some(attribute => isPrimaryKey(attribute) && !before.has(attribute.uid))
  if (!hasNewKey || before.size !== 1) return attributes
  return attributes.map(attribute =>
    isPrimaryKey(attribute) && before.has(attribute.uid) ? { ...attribute, purpose: 'hasA' } : attribute,
  )
}

type ExistingItem = { kind: 'type'; item: TypeAttribute } | { kind: 'relationship'; item: EntityAttribute }
type Claim<T> = { item: T; old: ExistingItem | undefined; uid: string }

/** Attributes and relationships of the previous content, each matched to at most one item of the request. */
class ExistingItems {
  private readonly byUid = new Map<string, ExistingItem>()
  private readonly used = new Set<string>()
  private readonly entityUid: string | undefined

  constructor(previous: EntityContent | undefined) {
    this.entityUid = previous?.uid
    for (const item of previous?.typeAttributes ?? []) this.byUid.set(item.uid, { kind: 'type', item })
    for (const item of previous?.entityAttributes ?? []) this.byUid.set(item.uid, { kind: 'relationship', item })
  }

  /** Matches uids before names, so that an item matched by name never takes one matched by uid. */
  claim<T extends { uid?: string | undefined }>(
    items: readonly T[],
    nameOf: (item: T) => string | undefined,
  ): Claim<T>[] {
    const matches = items.map(item => this.take(item.uid))
    const byName = this.unusedByName()
    return items.map((item, index) => {
      const old =
        matches[index] ?? (item.uid === undefined ? this.take(byName.get(foldName(nameOf(item) ?? ''))) : undefined)
      return { item, old, uid: old?.item.uid ?? this.freshUid(item.uid) }
    })
  }

  /** The client's uid if it is valid and unused, otherwise a new one. */
  freshUid(preferred: string | undefined): string {
    const uid = preferred !== undefined && isUid(preferred) && !this.isTaken(preferred) ? preferred : newUid()
    this.used.add(uid)
    return uid
  }

  private isTaken(uid: string): boolean {
    return uid === this.entityUid || this.byUid.has(uid) || this.used.has(uid)
  }

  private take(uid: string | undefined): ExistingItem | undefined {
    const existing = uid === undefined || this.used.has(uid) ? undefined : this.byUid.get(uid)
    if (existing) this.used.add(existing.item.uid)
    return existing
  }

  private unusedByName(): Map<string, string> {
    const names = new Map<string, string>()
    for (const [uid, existing] of this.byUid) {
      if (this.used.has(uid)) continue
      names.set(foldName(existing.kind === 'type' ? existing.item.name : existing.item.foreignKeyTypeAttribute), uid)
    }
    return names
  }
}

function asTypeAttribute(existing: ExistingItem | undefined): TypeAttribute | undefined {
  return existing?.kind === 'type' ? existing.item : undefined
}

function asRelationship(existing: ExistingItem | undefined): EntityAttribute | undefined {
  return existing?.kind === 'relationship' ? existing.item : undefined
}

function place<T>(request: { position?: number | undefined }, old: ExistingItem | undefined, value: T): Placed<T> {
  return { value, requested: request.position, before: old?.item.position }
}

/** An attribute with its requested and its previous position, if any. */
export type Placed<T> = { value: T; requested: number | undefined; before: number | undefined }

type Positioned = { position: number }

/**
 * A common order for both lists, numbered from 0, or with the previous numbers if nothing moved. Requested positions take precedence;
 * without one an item keeps its position, a reordered list keeps its set of positions, and a new item follows its predecessor in the list
 * or comes last.
 */
export function assignPositions<A extends Positioned, B extends Positioned>(
  first: readonly Placed<A>[],
  second: readonly Placed<B>[],
): { first: A[]; second: B[] } {
  const firstKeys = keysOf(first)
  const secondKeys = keysOf(second)
  const order = [
    ...first.map((_, index) => ({ list: 0, index, key: firstKeys[index] ?? 0 })),
    ...second.map((_, index) => ({ list: 1, index, key: secondKeys[index] ?? 0 })),
  ].toSorted((a, b) => (a.key === b.key ? 0 : a.key - b.key))
  const befores = order.map(({ list, index }) => (list === 0 ? first[index] : second[index])?.before)
  const numbers = previousNumbers(befores) ?? befores.map((_, index) => index)
  const answer: { first: A[]; second: B[] } = { first: [], second: [] }
  for (const [place, { list, index }] of order.entries()) {
    const position = numbers[place] ?? place
    const a = list === 0 ? first[index] : undefined
    const b = list === 1 ? second[index] : undefined
    // Items keep their identity if their position is unchanged.
    if (a) answer.first.push(a.value.position === position ? a.value : { ...a.value, position })
    if (b) answer.second.push(b.value.position === position ? b.value : { ...b.value, position })
  }
  return answer
}

/** The previous numbers, with higher ones for new items, if the order allows: unmoved items are then unchanged. */
function previousNumbers(befores: readonly (number | undefined)[]): number[] | undefined {
  const numbers: number[] = []
  let next = 0
  for (const before of befores) {
    const number = before ?? next
    if (number < next) return undefined
    numbers.push(number)
    next = number + 1
  }
  return numbers
}

function keysOf(items: readonly Placed<unknown>[]): number[] {
  const unplaced = items.filter(item => item.requested === undefined)
  const oldPlaces = unplaced.flatMap(item => item.before ?? []).toSorted((a, b) => a - b)
  const lastPlaced = items.findLastIndex(item => item.requested !== undefined || item.before !== undefined)
  let key = -1
  let next = 0
  return items.map((item, index) => {
    if (item.requested !== undefined) key = item.requested
    else if (item.before !== undefined) key = oldPlaces[next++] ?? item.before
    else if (index > lastPlaced) key = Number.POSITIVE_INFINITY
    return key
  })
}

/** The update body of document 1 §7 for this content; inverse of `contentFromRequest`. */
export function entityRequestOf(content: EntityContent, version: string, targetManifestId = -1) {
  const { format: _format, type, traits: _traits, copiedFrom: _from, referenceImportPaths, ...own } = content
  return {
    entity: {
      ...own,
      typeAttributes: content.typeAttributes.map(attributeRequestOf),
      entityAttributes: content.entityAttributes.map(item => relationshipRequestOf(item, version)),
    },
    referenceImportPaths,
    traits: [],
    targetManifestId,
    type,
    version,
  }
}

/** A type attribute in the form of requests: without stored-only fields, `nullable` as `isNullable`. */
function attributeRequestOf({ nullable, traits: _traits, copiedFrom: _from, ...fields }: TypeAttribute) {
  return { ...fields, isNullable: nullable, appliedTraits: [] }
}

/** A relationship in its wire format (document 1 §3). */
export function relationshipRequestOf(relationship: EntityAttribute, version: string) {
  const { associatedEntity, foreignKeyPurpose, foreignKeyDataType, foreignKeyTypeAttribute, ...others } = relationship
  const { traits: _traits, copiedFrom: _from, ...fields } = others
  return {
    ...fields,
    associatedEntityId: associatedEntity.id,
    associatedEntityName: associatedEntity.name,
    associatedEntityPath: associatedEntity.path,
    foreignKeyAttribute: {
      purpose: foreignKeyPurpose,
      dataType: foreignKeyDataType,
      typeAttributeName: foreignKeyTypeAttribute,
    },
    version,
  }
}
