import * as z from 'zod'
import { entityForm } from '../content.ts'
import { onReferencesChoices } from '../detach.ts'
import { entityAttributeSchema } from '../entity-attribute.ts'
import { type EntityContent, entityContentSchema } from '../entity.ts'
import { operationScopesSchema } from '../operations.ts'
import { fragment } from '../stored/nested-forms.ts'
import { typeAttributeSchema } from '../type-attribute.ts'
import { applyAll, type Definition, type Definitions, invertAll } from './definition.ts'
import {
  applyChanges,
  type Insertion,
  insertItems,
  invertChanges,
  type ItemChange,
  newInsertions,
  reinsertionsOf,
  removeItems,
  uidOf,
  valuesOf,
  withChange,
  withField,
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
  /** Positions of attributes and relationships, which share one order. */
  z.object({
    kind: z.literal('moveColumns'),
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
  invert(content, { change }) {
    const back = valuesOf(content, change, ownFields)
    return Object.keys(back).length > 0 ? [{ kind: 'changeEntity', change: back }] : []
  },
}

/** Scopes of operations. The only edit allowed on a locked entity. */
const changeScopes: EntityEditDefinition<'changeScopes'> = {
  apply: (content, { change }) =>
    withField(content, 'operationScopes', withChange(content.operationScopes, change, scopeFields)),
  invert({ operationScopes }, { change }) {
    const back = valuesOf(operationScopes, change, scopeFields)
    return Object.keys(back).length > 0 ? [{ kind: 'changeScopes', change: back }] : []
  },
}

const addAttributes: EntityEditDefinition<'addAttributes'> = {
  apply: (content, { added }) =>
    withField(content, 'typeAttributes', insertItems(content.typeAttributes, newColumns(content, added), uidOf)),
  invert(content, { added }) {
    const uids = newColumns(content, added).map(({ item }) => item.uid)
    return uids.length > 0 ? [{ kind: 'removeAttributes', uids }] : []
  },
}

const removeAttributes: EntityEditDefinition<'removeAttributes'> = {
  apply: (content, { uids }) => withField(content, 'typeAttributes', removeItems(content.typeAttributes, uids, uidOf)),
  invert({ typeAttributes }, { uids }) {
    const added = reinsertionsOf(typeAttributes, new Set(uids), uidOf)
    return added.length > 0 ? [{ kind: 'addAttributes', added }] : []
  },
}

const changeAttributes: EntityEditDefinition<'changeAttributes'> = {
  apply: (content, { changes }) => ({
    ...content,
    typeAttributes: applyChanges(content.typeAttributes, changes, attributeFields),
  }),
  invert({ typeAttributes }, { changes }) {
    const back = invertChanges(typeAttributes, changes, attributeFields)
    return back.length > 0 ? [{ kind: 'changeAttributes', changes: back }] : []
  },
}

const addRelationships: EntityEditDefinition<'addRelationships'> = {
  apply: (content, { added }) =>
    withField(content, 'entityAttributes', insertItems(content.entityAttributes, newColumns(content, added), uidOf)),
  invert(content, { added }) {
    const uids = newColumns(content, added).map(({ item }) => item.uid)
    return uids.length > 0 ? [{ kind: 'removeRelationships', uids }] : []
  },
}

const removeRelationships: EntityEditDefinition<'removeRelationships'> = {
  apply: (content, { uids }) =>
    withField(content, 'entityAttributes', removeItems(content.entityAttributes, uids, uidOf)),
  invert({ entityAttributes }, { uids }) {
    const added = reinsertionsOf(entityAttributes, new Set(uids), uidOf)
    return added.length > 0 ? [{ kind: 'addRelationships', added }] : []
  },
}

const changeRelationships: EntityEditDefinition<'changeRelationships'> = {
  apply: (content, { changes }) => ({
    ...content,
    entityAttributes: applyChanges(content.entityAttributes, changes.map(retargeted), relationshipFields),
  }),
  invert({ entityAttributes }, { changes }) {
    const back = invertChanges(entityAttributes, changes.map(retargeted), relationshipFields)
    return back.length > 0 ? [{ kind: 'changeRelationships', changes: back }] : []
  },
}

type Changes = Extract<EntityEdit, { kind: 'changeRelationships' }>['changes']

/** The stored uid of the target attribute is invalid once the target or its attribute name changes. */
function retargeted(item: Changes[number]): Changes[number] {
  const { associatedEntity, associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: uid } = item.change
  const isAnother = (associatedEntity !== undefined || name !== undefined) && uid === undefined
  return isAnother ? { ...item, change: { ...item.change, associatedEntityTypeAttributeUid: null } } : item
}

/** Sets positions; the order of the lists is irrelevant. */
const moveColumns: EntityEditDefinition<'moveColumns'> = {
  apply(content, { places }) {
    const positions = new Map(places.map(({ uid, position }) => [uid, position]))
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
  invert({ typeAttributes, entityAttributes }, { places }) {
    const positions = new Map(places.map(({ uid, position }) => [uid, position]))
    const back = [...typeAttributes, ...entityAttributes]
      .filter(({ uid, position }) => (positions.get(uid) ?? position) !== position)
      .map(({ uid, position }) => ({ uid, position }))
    return back.length > 0 ? [{ kind: 'moveColumns', places: back }] : []
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
  for (const edit of edits) {
    const last = all.at(-1)
    if (edit.kind === 'changeAttributes' && last?.kind === 'changeAttributes')
      all[all.length - 1] = { ...last, changes: [...last.changes, ...edit.changes] }
    else all.push(edit)
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
  const edits: EntityEdit[] = [
    { kind: 'changeEntity', change: own },
    { kind: 'changeScopes', change: scopes },
    // Removals first: an attribute that became a foreign key, or the reverse, keeps its uid.
    { kind: 'removeAttributes', uids: attributes.removed },
    { kind: 'removeRelationships', uids: relationships.removed },
    { kind: 'addAttributes', added: attributes.added },
    { kind: 'addRelationships', added: relationships.added },
    { kind: 'changeAttributes', changes: changesIn(attributes.common, attributeFields) },
    { kind: 'changeRelationships', changes: changesIn(relationships.common, relationshipFields) },
    { kind: 'moveColumns', places: [...moves(attributes.common), ...moves(relationships.common)] },
  ]
  return edits.filter(hasEffect)
}

/** Items in both states. */
type Common<T> = readonly { from: T; to: T }[]

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

function changesIn<T extends { uid: string }, K extends keyof T>(
  common: Common<T>,
  fields: readonly K[],
): ItemChange<{ [field in K]?: T[field] }>[] {
  return common.flatMap(({ from, to }) => {
    const change = valuesOf(to, from, fields)
    return Object.keys(change).length > 0 ? [{ uid: to.uid, change }] : []
  })
}

function moves(common: Common<{ uid: string; position: number }>): { uid: string; position: number }[] {
  return common
    .filter(({ from, to }) => from.position !== to.position)
    .map(({ to }) => ({ uid: to.uid, position: to.position }))
}

function hasEffect(edit: EntityEdit): boolean {
  if ('change' in edit) return Object.keys(edit.change).length > 0
  if ('added' in edit) return edit.added.length > 0
  if ('uids' in edit) return edit.uids.length > 0
  return 'changes' in edit ? edit.changes.length > 0 : edit.places.length > 0
}
