import * as z from 'zod'
import { onReferencesChoices } from '../detach.ts'
import { entityAttributeSchema } from '../entity-attribute.ts'
import { entityContentSchema, type EntityContent } from '../entity.ts'
import { operationScopesSchema } from '../operation-scopes.ts'
import { typeAttributeSchema } from '../type-attribute.ts'
import type { Definition } from './definition.ts'

// What an edit of an entity says, as drafts, undo and co-editing store it. What it does stands in the file of its kind.

const ownSchema = entityContentSchema.pick({
  name: true,
  description: true,
  type: true,
  extendsEntity: true,
  referenceImportPaths: true,
  traits: true,
  copiedFrom: true,
})
const attributeChangeSchema = typeAttributeSchema.omit({ uid: true, position: true })
const relationshipChangeSchema = entityAttributeSchema.omit({ uid: true, position: true })

export const ownFields = ownSchema.keyof().options
export const scopeFields = operationScopesSchema.keyof().options
export const attributeFields = attributeChangeSchema.keyof().options
export const relationshipFields = relationshipChangeSchema.keyof().options

const uid = z.string()
const before = uid.nullable()

export const entityEditSchema = z.discriminatedUnion('kind', [
  /** The entity's own fields. `onReferences`: what becomes of what refers to columns of these uids, which it inherits no more. */
  z.object({
    kind: z.literal('changeEntity'),
    change: ownSchema.partial(),
    onReferences: z.record(uid, z.enum(onReferencesChoices)).optional(),
  }),
  z.object({ kind: z.literal('changeScopes'), change: operationScopesSchema.partial() }),
  z.object({
    kind: z.literal('addAttributes'),
    added: z.array(z.object({ item: typeAttributeSchema, before })),
  }),
  /** `onReferences`: what becomes of what others refer them by, where somebody was asked. */
  z.object({
    kind: z.literal('removeAttributes'),
    uids: z.array(uid),
    onReferences: z.enum(onReferencesChoices).optional(),
  }),
  z.object({
    kind: z.literal('changeAttributes'),
    changes: z.array(z.object({ uid, change: attributeChangeSchema.partial() })),
  }),
  z.object({
    kind: z.literal('addRelationships'),
    added: z.array(z.object({ item: entityAttributeSchema, before })),
  }),
  z.object({ kind: z.literal('removeRelationships'), uids: z.array(uid) }),
  z.object({
    kind: z.literal('changeRelationships'),
    changes: z.array(z.object({ uid, change: relationshipChangeSchema.partial() })),
  }),
  /** Positions of attributes and relationships alike: they share one order. */
  z.object({
    kind: z.literal('moveColumns'),
    places: z.array(z.object({ uid, position: z.number().int().nonnegative() })),
  }),
])
export type EntityEdit = z.infer<typeof entityEditSchema>

/** What an edit of one kind does to an entity. */
export type EntityEditDefinition<K extends EntityEdit['kind']> = Definition<
  EntityContent,
  EntityEdit,
  Extract<EntityEdit, { kind: K }>
>
