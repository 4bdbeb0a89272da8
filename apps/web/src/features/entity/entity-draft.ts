import type {
  EntityAnswer,
  EntityAttributeAnswer,
  relationshipRequest,
  TypeAttributeAnswer,
} from '@cadmus/model/contract/entity-shapes'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { OperationScopes } from '@cadmus/model/entity'
import { defaults } from '@cadmus/model/limits'
import { foldName, renamedPath } from '@cadmus/model/paths'
import {
  isPrimaryKey,
  newTypeAttribute,
  type DataType,
  type KeyDataType,
  type TypeAttribute,
} from '@cadmus/model/type-attribute'
import type * as z from 'zod'

/** An open entity with what has been changed and not yet saved. `saved` is the server's state that `etag` names. */
export type EntityDraft = {
  saved: EntityAnswer
  etag: string
  name: string
  description: string
  extendsEntity: EntityReference | null
  typeAttributes: readonly TypeAttributeAnswer[]
  operationScopes: OperationScopes
}

export function openDraft(saved: EntityAnswer, etag: string): EntityDraft {
  const { name, description, extendsEntity, typeAttributes, operationScopes } = saved
  return { saved, etag, name, description, extendsEntity, typeAttributes: inOrder(typeAttributes), operationScopes }
}

/** Whether anything differs from what is saved. */
export function isDirty(draft: EntityDraft): boolean {
  const fresh = openDraft(draft.saved, draft.etag)
  return draftFields.some(field => !same(draft[field], fresh[field]))
}

/** Whether nothing but operation scopes differs: what may be saved of a locked entity. */
export function onlyScopesChanged(draft: EntityDraft): boolean {
  const fresh = openDraft(draft.saved, draft.etag)
  return draftFields.every(field => field === 'operationScopes' || same(draft[field], fresh[field]))
}

const draftFields = ['name', 'description', 'extendsEntity', 'typeAttributes', 'operationScopes'] as const

export function discard(draft: EntityDraft): EntityDraft {
  return openDraft(draft.saved, draft.etag)
}

/** The path with the draft's name in it. */
export function draftPath(draft: EntityDraft): string {
  return renamedPath(draft.saved.path, draft.name)
}

/** The name of the identifying attribute as edited: renaming it renames the entity's primary key. */
export function draftPrimaryKey(draft: EntityDraft): string | null {
  return draft.typeAttributes.find(isPrimaryKey)?.name ?? null
}

export function addAttribute(draft: EntityDraft, given: { name: string; dataType: DataType }): EntityDraft {
  const position = Math.max(-1, ...allPositions(draft)) + 1
  const attribute = asAnswer(newTypeAttribute({ ...given, position }))
  return { ...draft, typeAttributes: [...draft.typeAttributes, attribute] }
}

/** Changes fields of one attribute. A new data type clears what only the old one could mean. */
export function changeAttribute(draft: EntityDraft, uid: string, change: Partial<TypeAttribute>): EntityDraft {
  const typeAttributes = draft.typeAttributes.map(attribute =>
    attribute.uid === uid ? asAnswer({ ...attribute, ...forDataType(attribute, change), ...change }) : attribute,
  )
  return {
    ...draft,
    typeAttributes: change.purpose === 'identifiedBy' ? withOneKey(typeAttributes, uid) : typeAttributes,
  }
}

export function removeAttributes(draft: EntityDraft, uids: ReadonlySet<string>): EntityDraft {
  return { ...draft, typeAttributes: draft.typeAttributes.filter(attribute => !uids.has(attribute.uid)) }
}

/**
 * Moves an attribute before the one that now stands at `index` among the rows that can be moved (the key stays first).
 * The attributes share their places with the relationships: they trade places among themselves only.
 */
export function moveAttribute(draft: EntityDraft, uid: string, index: number): EntityDraft {
  const moved = draft.typeAttributes.find(attribute => attribute.uid === uid)
  if (!moved || isPrimaryKey(moved)) return draft
  const movable = draft.typeAttributes.filter(attribute => !isPrimaryKey(attribute))
  const places = movable.map(attribute => attribute.position).toSorted((a, b) => a - b)
  const from = movable.indexOf(moved)
  const rest = movable.toSpliced(from, 1)
  const to = Math.max(0, Math.min(rest.length, index))
  const reordered = rest
    .toSpliced(to, 0, moved)
    .map((attribute, place) => ({ ...attribute, position: places[place] ?? place }))
  return { ...draft, typeAttributes: inOrder([...draft.typeAttributes.filter(isPrimaryKey), ...reordered]) }
}

/** Rows as the table shows them: the key first, the others by position. */
export function attributeRows(draft: EntityDraft): TypeAttributeAnswer[] {
  return draft.typeAttributes.toSorted(
    (a, b) => Number(isPrimaryKey(b)) - Number(isPrimaryKey(a)) || a.position - b.position,
  )
}

/**
 * After the entity changed on the server: its new state below, one's own unsaved edits on top, field by field. What was not edited
 * here shows the new state; an attribute that is gone there stays gone unless it was added here.
 */
export function rebase(draft: EntityDraft, saved: EntityAnswer, etag: string): EntityDraft {
  const base = openDraft(draft.saved, draft.etag)
  const fresh = openDraft(saved, etag)
  const before = new Map(base.typeAttributes.map(attribute => [attribute.uid, attribute]))
  const mine = new Map(draft.typeAttributes.map(attribute => [attribute.uid, attribute]))
  const there = new Set(fresh.typeAttributes.map(attribute => attribute.uid))
  const kept = fresh.typeAttributes.flatMap(theirs => {
    const old = before.get(theirs.uid)
    const own = mine.get(theirs.uid)
    if (old && !own) return []
    return [old && own ? asAnswer(withEdits(theirs, old, own)) : theirs]
  })
  const added = draft.typeAttributes.filter(own => !before.has(own.uid) && !there.has(own.uid))
  const { name, description, extendsEntity, operationScopes } = withEdits(fresh, base, draft)
  return { ...fresh, name, description, extendsEntity, operationScopes, typeAttributes: inOrder([...kept, ...added]) }
}

/** `theirs`, with each field that differs between `old` and `own` as in `own`. */
function withEdits<T extends object>(theirs: T, old: T, own: T): T {
  const edited = new Map(
    Object.entries(own).filter(
      ([field, value]) => !same(value, Object.entries(old).find(([key]) => key === field)?.[1]),
    ),
  )
  return Object.assign({}, theirs, Object.fromEntries(edited))
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/**
 * The update body of document 1 §7. With an `added` relationship, the attribute of its foreign key's name goes and gives it its
 * uid and place.
 */
export function draftRequest(draft: EntityDraft, added?: RelationshipBody) {
  const { saved } = draft
  const relationships = saved.entityAttributes.map(attribute => relationshipRequestOf(attribute, saved.currentVersion))
  const replaced = added && replacedBy(draft, added)
  return {
    entity: {
      uid: saved.uid,
      name: draft.name,
      description: draft.description,
      extendsEntity: draft.extendsEntity,
      typeAttributes: draft.typeAttributes.filter(attribute => attribute !== replaced).map(attributeRequest),
      entityAttributes: added ? [...relationships, added] : relationships,
      operationScopes: draft.operationScopes,
    },
    referenceImportPaths: [...saved.imports],
    traits: [],
    targetManifestId: saved.targetManifest?.id ?? -1,
    type: saved.type,
    version: saved.currentVersion,
  }
}

export type RelationshipBody = z.input<typeof relationshipRequest>

/** A new relationship in its wire shape. */
export function relationshipBody(given: GivenRelationship, draft: EntityDraft): RelationshipBody {
  const { associatedEntity, associatedEntityTypeAttribute, foreignKeyTypeAttribute, foreignKeyDataType } = given
  const body: RelationshipBody = {
    associatedEntityId: associatedEntity.id,
    associatedEntityName: associatedEntity.name,
    associatedEntityPath: associatedEntity.location,
    associatedEntityTypeAttribute,
    description: '',
    traitReference: defaults.traitReference,
    simple: 'true',
    foreignKeyAttribute: { purpose: 'hasA', dataType: foreignKeyDataType, typeAttributeName: foreignKeyTypeAttribute },
    version: draft.saved.currentVersion,
  }
  const replaced = replacedBy(draft, body)
  return replaced ? { ...body, uid: replaced.uid, position: replaced.position } : body
}

type GivenRelationship = {
  associatedEntity: { id: number; name: string; location: string }
  associatedEntityTypeAttribute: string
  foreignKeyTypeAttribute: string
  foreignKeyDataType: KeyDataType
}

function replacedBy(draft: EntityDraft, body: RelationshipBody): TypeAttributeAnswer | undefined {
  const name = foldName(body.foreignKeyAttribute.typeAttributeName)
  return draft.typeAttributes.find(attribute => !isPrimaryKey(attribute) && foldName(attribute.name) === name)
}

/** A type attribute as requests send it: what only answers carry is left out, `nullable` is sent as `isNullable`. */
export function attributeRequest(attribute: TypeAttributeAnswer) {
  const { nullable, isDefault, isPrimaryKey: _key, traits, copiedFrom, ...fields } = attribute
  return { ...fields, isNullable: nullable, appliedTraits: [] }
}

/** A relationship in its wire shape (document 1 §3). */
export function relationshipRequestOf(attribute: EntityAttributeAnswer, version: string) {
  const { associatedEntity, foreignKeyPurpose, foreignKeyDataType, foreignKeyTypeAttribute, ...others } = attribute
  const { isDefault, traits, copiedFrom, ...fields } = others
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

function asAnswer(attribute: TypeAttribute): TypeAttributeAnswer {
  return { ...attribute, isDefault: false, isPrimaryKey: isPrimaryKey(attribute), appliedTraits: [] }
}

function inOrder<T extends { position: number }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => a.position - b.position)
}

function allPositions(draft: EntityDraft): number[] {
  return [...draft.typeAttributes, ...draft.saved.entityAttributes].map(item => item.position)
}

function forDataType(attribute: TypeAttribute, change: Partial<TypeAttribute>): Partial<TypeAttribute> {
  if (change.dataType === undefined || change.dataType === attribute.dataType) return {}
  const maxLength = change.dataType === 'string' ? attribute.maxLength : null
  return { format: null, precision: null, scale: null, maxLength, traits: [] }
}

function withOneKey(attributes: readonly TypeAttributeAnswer[], keyUid: string): TypeAttributeAnswer[] {
  return attributes.map(attribute =>
    attribute.uid !== keyUid && isPrimaryKey(attribute) ? asAnswer({ ...attribute, purpose: 'hasA' }) : attribute,
  )
}
