import * as z from 'zod'
import { columnsOf } from '../columns.ts'
import { entityForm } from '../content.ts'
import { onReferencesChoices } from '../detach.ts'
import { entityAttributeSchema } from '../entity-attribute.ts'
import { type EntityContent, entityContentSchema } from '../entity.ts'
import { type Constraints, constraintsWith, withSettledConstraints } from '../constraints.ts'
import { operationScopesSchema } from '../operations.ts'
import { fragment } from '../stored/nested-forms.ts'
import { typeAttributeSchema } from '../type-attribute.ts'
import { movesBetween, positionsAfter } from './column-moves.ts'
import { applyAll, type Definition, type Definitions, hasEffect, invertAll } from './definition.ts'
import {
  applyChanges,
  changesOf,
  type Insertion,
  insertItems,
  invertChanges,
  newInsertions,
  reinsertionsOf,
  removeItems,
  uidOf,
  valuesOf,
  withChange,
} from './lists.ts'

// Shape of an entity's edits, as stored by drafts, undo and co-editing.

const ownSchema = entityContentSchema.omit({
  format: true,
  uid: true,
  typeAttributes: true,
  entityAttributes: true,
  operationScopes: true,
})
const attributeChangeSchema = typeAttributeSchema.omit({ uid: true, position: true })
export const attributeChange = attributeChangeSchema.partial()
const relationshipChangeSchema = entityAttributeSchema.omit({ uid: true, position: true })
export const relationshipChange = relationshipChangeSchema.partial()
const attributes = { form: entityForm, list: 'typeAttributes' }
const relationships = { form: entityForm, list: 'entityAttributes' }

export const ownFields = ownSchema.keyof().options
export const scopeFields = operationScopesSchema.keyof().options
export const attributeFields = attributeChangeSchema.keyof().options
export const relationshipFields = relationshipChangeSchema.keyof().options

const uid = z.string()
const before = uid.nullable()

export const entityEditSchema = z.discriminatedUnion('kind', [
  /** The entity's own fields. `onReferences`: by uid of a column no longer inherited, how references to it are handled. */
  z.object({
    kind: z.literal('changeEntity'),
    change: ownSchema.partial(),
    onReferences: z.record(uid, z.enum(onReferencesChoices)).optional(),
  }),
  z.object({ kind: z.literal('changeScopes'), change: operationScopesSchema.partial() }),
  z.object({
    kind: z.literal('addAttributes'),
    added: z.array(z.object({ item: fragment(typeAttributeSchema, attributes), before })),
  }),
  /** `onReferences`: how references to them are handled, if the user has decided. */
  z.object({
    kind: z.literal('removeAttributes'),
    uids: z.array(uid),
    onReferences: z.enum(onReferencesChoices).optional(),
  }),
  z.object({
    kind: z.literal('changeAttributes'),
    changes: z.array(z.object({ uid, change: fragment(attributeChange, attributes) })),
  }),
  z.object({
    kind: z.literal('addRelationships'),
    added: z.array(z.object({ item: fragment(entityAttributeSchema, relationships), before })),
  }),
  z.object({ kind: z.literal('removeRelationships'), uids: z.array(uid) }),
  z.object({
    kind: z.literal('changeRelationships'),
    changes: z.array(z.object({ uid, change: fragment(relationshipChange, relationships) })),
  }),
  /** Moves of attributes and relationships, which share one order, then positions that differ from their result. */
  z.object({
    kind: z.literal('moveColumns'),
    moves: z.array(z.object({ uid, before })),
    places: z.array(z.object({ uid, position: z.number().int().nonnegative() })),
  }),
])
export type EntityEdit = z.infer<typeof entityEditSchema>

type EntityEditDefinition<K extends EntityEdit['kind']> = Definition<
  EntityContent,
  EntityEdit,
  Extract<EntityEdit, { kind: K }>
>

/** Insertions whose uid is not used by an attribute or relationship: a uid identifies one column. */
function newColumns<T extends { uid: string }>(
  { typeAttributes, entityAttributes }: EntityContent,
  added: readonly Insertion<T, string>[],
): Insertion<T, string>[] {
  const taken = new Set([...typeAttributes, ...entityAttributes].map(uidOf))
  return newInsertions<T, string>([], added, uidOf).filter(({ item }) => !taken.has(item.uid))
}

/** The entity's own fields: name, description, parent and so on. */
const changeEntity: EntityEditDefinition<'changeEntity'> = {
  apply: (content, { change }) => withChange(content, change, ownFields),
  invert: (content, { change }) => ({ kind: 'changeEntity', change: valuesOf(content, change, ownFields) }),
}

/** Scopes of operations. The only edit allowed on a locked entity. */
const changeScopes: EntityEditDefinition<'changeScopes'> = {
  apply: (content, { change }) => ({
    ...content,
    operationScopes: withChange(content.operationScopes, change, scopeFields),
  }),
  invert: ({ operationScopes }, { change }) => ({
    kind: 'changeScopes',
    change: valuesOf(operationScopes, change, scopeFields),
  }),
}

const addAttributes: EntityEditDefinition<'addAttributes'> = {
  apply: (content, { added }) => ({
    ...content,
    typeAttributes: insertItems(content.typeAttributes, newColumns(content, added), uidOf),
  }),
  invert: (content, { added }) => ({
    kind: 'removeAttributes',
    uids: newColumns(content, added).map(({ item }) => item.uid),
  }),
}

const removeAttributes: EntityEditDefinition<'removeAttributes'> = {
  apply: (content, { uids }) =>
    withSettledConstraints({ ...content, typeAttributes: removeItems(content.typeAttributes, uids, uidOf) }, content),
  invert: (content, edit) => [
    { kind: 'addAttributes', added: reinsertionsOf(content.typeAttributes, new Set(edit.uids), uidOf) },
    ...takenBack(content, removeAttributes.apply(content, edit)),
  ],
}

const changeAttributes: EntityEditDefinition<'changeAttributes'> = {
  apply: (content, { changes }) =>
    withSettledConstraints({
      ...content,
      typeAttributes: applyChanges(content.typeAttributes, changes, attributeFields),
    }),
  invert: ({ typeAttributes }, { changes }) => ({
    kind: 'changeAttributes',
    changes: invertChanges(typeAttributes, changes, attributeFields),
  }),
}

/** Restores the groups, checks and foreign keys that a removal of columns changes. */
function takenBack({ groups, checks, entityAttributes }: EntityContent, after: EntityContent): EntityEdit[] {
  const left = new Map(after.entityAttributes.map(item => [item.uid, item]))
  const changes = entityAttributes.flatMap(({ uid, alsoBy }) =>
    (left.get(uid)?.alsoBy ?? alsoBy) === alsoBy ? [] : [{ uid, change: { alsoBy } }],
  )
  const change = {
    ...(groups === after.groups ? {} : { groups }),
    ...(checks === after.checks ? {} : { checks }),
  }
  const edits: EntityEdit[] = [
    { kind: 'changeEntity', change },
    { kind: 'changeRelationships', changes },
  ]
  return edits.filter(hasEffect)
}

const addRelationships: EntityEditDefinition<'addRelationships'> = {
  apply: (content, { added }) =>
    withSettledConstraints({
      ...content,
      entityAttributes: insertItems(content.entityAttributes, newColumns(content, added), uidOf),
    }),
  invert: (content, { added }) => ({
    kind: 'removeRelationships',
    uids: newColumns(content, added).map(({ item }) => item.uid),
  }),
}

const removeRelationships: EntityEditDefinition<'removeRelationships'> = {
  apply: (content, { uids }) =>
    withSettledConstraints(
      { ...content, entityAttributes: removeItems(content.entityAttributes, uids, uidOf) },
      content,
    ),
  invert: (content, edit) => [
    { kind: 'addRelationships', added: reinsertionsOf(content.entityAttributes, new Set(edit.uids), uidOf) },
    ...takenBack(content, removeRelationships.apply(content, edit)),
  ],
}

const changeRelationships: EntityEditDefinition<'changeRelationships'> = {
  apply: (content, { changes }) =>
    withSettledConstraints({
      ...content,
      entityAttributes: applyChanges(content.entityAttributes, retargeted(content, changes), relationshipFields),
    }),
  invert: (content, { changes }) => ({
    kind: 'changeRelationships',
    changes: invertChanges(content.entityAttributes, retargeted(content, changes), relationshipFields),
  }),
}

type Changes = Extract<EntityEdit, { kind: 'changeRelationships' }>['changes']

/**
 * The stored uid of the target attribute is invalid once the target or its attribute name changes, and further columns refer to attributes
 * of the target.
 */
function retargeted({ entityAttributes }: EntityContent, changes: Changes): Changes {
  const targets = new Map(
    entityAttributes.flatMap(({ uid, alsoBy, associatedEntity: { id } }) => (alsoBy.length > 0 ? [[uid, id]] : [])),
  )
  return changes.map(({ uid: of, change }) => {
    const { associatedEntity, associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: uid } = change
    const isAnother = (associatedEntity !== undefined || name !== undefined) && uid === undefined
    const target = targets.get(of)
    const isElsewhere = target !== undefined && associatedEntity !== undefined && associatedEntity.id !== target
    return {
      uid: of,
      change: {
        ...(isElsewhere ? { alsoBy: [] } : {}),
        ...change,
        ...(isAnother ? { associatedEntityTypeAttributeUid: null } : {}),
      },
    }
  })
}

/** Changes positions; the order of the lists is irrelevant. */
const moveColumns: EntityEditDefinition<'moveColumns'> = {
  apply(content, edit) {
    const positions = positionsAfter(columnsOf(content), edit)
    const moved = <T extends { uid: string; position: number }>(item: T): T => {
      const position = positions.get(item.uid)
      return position === undefined || position === item.position ? item : { ...item, position }
    }
    return {
      ...content,
      typeAttributes: content.typeAttributes.map(moved),
      entityAttributes: content.entityAttributes.map(moved),
    }
  },
  invert(content, edit) {
    const after = moveColumns.apply(content, edit)
    return { kind: 'moveColumns', ...movesBetween(columnsOf(after), columnsOf(content)) }
  },
}

const definitions = {
  changeEntity,
  changeScopes,
  addAttributes,
  removeAttributes,
  changeAttributes,
  addRelationships,
  removeRelationships,
  changeRelationships,
  moveColumns,
} satisfies Definitions<EntityContent, EntityEdit>

/** Applies edits without validation; check the result with `entityProblems`. */
export function applyEntityEdits(content: EntityContent, edits: readonly EntityEdit[]): EntityContent {
  return applyAll(definitionOf, content, joined(edits))
}

/** Consecutive changes of attributes as one edit, because each edit passes through the whole list. */
function joined(edits: readonly EntityEdit[]): EntityEdit[] {
  const all: EntityEdit[] = []
  let last: Extract<EntityEdit, { kind: 'changeAttributes' }> | undefined
  for (const edit of edits) {
    const isJoined = edit.kind === 'changeAttributes' && last !== undefined
    if (isJoined) for (const change of edit.changes) last?.changes.push(change)
    else {
      last = edit.kind === 'changeAttributes' ? { ...edit, changes: [...edit.changes] } : undefined
      all.push(last ?? edit)
    }
  }
  return all
}

/** The inverse of the edits; `content` is the state before them. */
export function invertEntityEdits(content: EntityContent, edits: readonly EntityEdit[]): EntityEdit[] {
  return invertAll(definitionOf, content, edits)
}

function definitionOf({ kind }: EntityEdit): Definition<EntityContent, EntityEdit> {
  return definitions[kind]
}

/**
 * Edits that turn one state of an entity into another, by uid and field: turns complete contents (from requests, files,
 * merges) into edits. Compares positions; the order of the lists may differ.
 */
export function entityEditsBetween(before: EntityContent, after: EntityContent): EntityEdit[] {
  const own = valuesOf(after, before, ownFields)
  const scopes = valuesOf(after.operationScopes, before.operationScopes, scopeFields)
  const attributes = itemsBetween(before.typeAttributes, after.typeAttributes)
  const relationships = itemsBetween(before.entityAttributes, after.entityAttributes)
  const common = [...attributes.common, ...relationships.common]
  const removed = [...attributes.removed, ...relationships.removed]
  const former = new Map(common.map(({ from: { uid, position } }) => [uid, position]))
  const columns = columnsOf(after)
  const unmoved = columns.map(({ uid, position }) => ({ uid, position: former.get(uid) ?? position }))
  const edits: EntityEdit[] = [
    { kind: 'changeEntity', change: own },
    { kind: 'changeScopes', change: scopes },
    // Removals first: an attribute that became a foreign key, or the reverse, keeps its uid.
    { kind: 'removeAttributes', uids: attributes.removed },
    { kind: 'removeRelationships', uids: relationships.removed },
    { kind: 'addAttributes', added: attributes.added },
    { kind: 'addRelationships', added: relationships.added },
    { kind: 'changeAttributes', changes: changesOf(attributes.common, attributeFields) },
    { kind: 'changeRelationships', changes: changesOf(relationships.common, relationshipFields) },
    { kind: 'moveColumns', ...movesBetween(unmoved, columns) },
    // A removal takes its columns out of groups, checks and foreign keys, also those that are added again in the other list.
    { kind: 'changeEntity', change: constraintsAfter(after, removed) },
    { kind: 'changeRelationships', changes: pairsAfter(before, after, removed) },
  ]
  return edits.filter(hasEffect)
}

function constraintsAfter(after: EntityContent, removed: readonly string[]): Partial<Constraints> {
  if (after.groups.length + after.checks.length === 0 || removed.length === 0) return {}
  const { groups, checks } = constraintsWith(after, new Set(removed))
  return {
    ...(groups.length > 0 ? { groups: after.groups } : {}),
    ...(checks.length > 0 ? { checks: after.checks } : {}),
  }
}

function pairsAfter(before: EntityContent, after: EntityContent, removed: readonly string[]): Changes {
  if (removed.length === 0) return []
  const gone = new Set(removed)
  const former = new Set(before.entityAttributes.map(uidOf))
  return after.entityAttributes.flatMap(({ uid, alsoBy }) =>
    former.has(uid) && alsoBy.some(pair => gone.has(pair.uid)) ? [{ uid, change: { alsoBy } }] : [],
  )
}

function itemsBetween<T extends { uid: string }>(before: readonly T[], after: readonly T[]) {
  const old = new Map(before.map(item => [item.uid, item]))
  const fresh = new Set(after.flatMap(({ uid }) => (old.has(uid) ? [] : [uid])))
  const there = new Set(after.map(uidOf))
  return {
    removed: before.map(uidOf).filter(uid => !there.has(uid)),
    added: reinsertionsOf(after, fresh, uidOf),
    common: after.flatMap(to => {
      const from = old.get(to.uid)
      return from && from !== to ? [{ from, to }] : []
    }),
  }
}
