import * as z from 'zod'
import { defaultsOf, schemasOf } from './fields/field.ts'
import { typeAttributeFields } from './fields/type-attribute.ts'
import { newUid } from './uid.ts'

export {
  dataTypes,
  foreignKeyDataTypes,
  formats,
  keyDataTypes,
  purposes,
  type DataType,
  type ForeignKeyDataType,
  type Format,
  type KeyDataType,
  type Purpose,
} from './data-types.ts'

/** A type attribute as stored and answered. */
export const typeAttributeSchema = z.object(schemasOf(typeAttributeFields))
export type TypeAttribute = z.infer<typeof typeAttributeSchema>

const defaults = defaultsOf(typeAttributeFields)

/** A type attribute with the documented defaults. */
export function newTypeAttribute(
  fields: Partial<TypeAttribute> & Pick<TypeAttribute, 'name' | 'position'>,
): TypeAttribute {
  return { ...defaults(), uid: newUid(), ...fields }
}

export function isPrimaryKey(attribute: Pick<TypeAttribute, 'purpose'>): boolean {
  return attribute.purpose === 'identifiedBy'
}
