import * as z from 'zod'
import { defaultsOf, schemasOf } from './fields/field.ts'
import { relationshipFields } from './fields/relationship.ts'
import { newUid } from './uid.ts'

export { onDeleteActions, type OnDelete } from './data-types.ts'
export { entityReferenceSchema, type AlternativeTarget, type EntityReference } from './entity-reference.ts'

/** A relationship as stored and answered. Its foreign key is a column of the entity at `position`. */
export const entityAttributeSchema = z.object(schemasOf(relationshipFields))
export type EntityAttribute = z.infer<typeof entityAttributeSchema>

const defaults = defaultsOf(relationshipFields)

/** A relationship with the documented defaults. */
export function newEntityAttribute(
  fields: Partial<EntityAttribute> &
    Pick<
      EntityAttribute,
      'associatedEntity' | 'associatedEntityTypeAttribute' | 'foreignKeyTypeAttribute' | 'position'
    >,
): EntityAttribute {
  return { ...defaults(), uid: newUid(), ...fields }
}
