import * as z from 'zod'
import { defaults } from './limits.ts'
import { keyDataTypes, purposes } from './type-attribute.ts'
import { newUid } from './uid.ts'

/** A reference to an entity. `id`: local to this store, -1 if the entity is not stored. Without `uid` the path counts, then the name. */
export const entityReferenceSchema = z.object({
  id: z.number().int(),
  uid: z.string().max(60).optional(),
  name: z.string(),
  path: z.string(),
})
export type EntityReference = z.infer<typeof entityReferenceSchema>

export const onDeleteActions = ['restrict', 'cascade', 'setNull'] as const
export type OnDelete = (typeof onDeleteActions)[number]

export const alternativeTargetSchema = z.object({
  entity: entityReferenceSchema,
  attribute: z.string(),
  attributeUid: z.string().max(60).optional(),
})
export type AlternativeTarget = z.infer<typeof alternativeTargetSchema>

/** A relationship as stored and answered. Its foreign key is a column of the entity at `position`. */
export const entityAttributeSchema = z.object({
  uid: z.string(),
  associatedEntity: entityReferenceSchema,
  associatedEntityTypeAttribute: z.string(),
  /** Uid of that attribute or foreign key, which a rename keeps; null if unknown: then the name counts. */
  associatedEntityTypeAttributeUid: z.string().max(60).nullable(),
  description: z.string(),
  traitReference: z.string(),
  simple: z.enum(['true', 'false']),
  foreignKeyTypeAttribute: z.string(),
  foreignKeyPurpose: z.enum(purposes),
  foreignKeyDataType: z.enum(keyDataTypes),
  nullable: z.boolean(),
  unique: z.boolean(),
  onDelete: z.enum(onDeleteActions),
  /** Further entities that the key may refer to; a column with such targets has no constraint. */
  alternativeTargets: z.array(alternativeTargetSchema),
  position: z.number().int().nonnegative(),
  traits: z.array(z.unknown()),
  copiedFrom: z.string().nullable(),
})
export type EntityAttribute = z.infer<typeof entityAttributeSchema>

/** A relationship with the documented defaults. */
export function newEntityAttribute(
  fields: Partial<EntityAttribute> &
    Pick<
      EntityAttribute,
      'associatedEntity' | 'associatedEntityTypeAttribute' | 'foreignKeyTypeAttribute' | 'position'
    >,
): EntityAttribute {
  return {
    uid: newUid(),
    associatedEntityTypeAttributeUid: null,
    description: '',
    traitReference: defaults.traitReference,
    simple: 'true',
    foreignKeyPurpose: 'hasA',
    foreignKeyDataType: 'integer',
    nullable: true,
    unique: false,
    onDelete: 'restrict',
    alternativeTargets: [],
    traits: [],
    copiedFrom: null,
    ...fields,
  }
}
