import * as z from 'zod'
import { onReferencesChoices } from '../detach.ts'
import { entityAttributeSchema } from '../entity-attribute.ts'
import { entityForm } from '../content.ts'
import { entityContentSchema, type EntityContent } from '../entity.ts'
import { operationScopesSchema } from '../operation-scopes.ts'
import { fragment } from '../stored/nested-forms.ts'
import { typeAttributeSchema } from '../type-attribute.ts'
import type { Definition } from './definition.ts'

// Shape of an entity's edits, as stored by drafts, undo and co-editing. Their behaviour is in the file of each kind.

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

export type EntityEditDefinition<K extends EntityEdit['kind']> = Definition<
  EntityContent,
  EntityEdit,
  Extract<EntityEdit, { kind: K }>
>
