import * as z from 'zod'
import { newUid } from './uid.ts'

export const dataTypes = ['boolean', 'dateTime', 'double', 'float', 'integer', 'object', 'string'] as const
export type DataType = (typeof dataTypes)[number]
export const keyDataTypes = ['integer', 'string'] as const
export type KeyDataType = (typeof keyDataTypes)[number]

export const purposes = [
  'hasA',
  'identifiedBy',
  'locatedAt',
  'namedBy',
  'orderedBy',
  'representsCorrelatedStatusWith',
  'representsStateWith',
] as const
export type Purpose = (typeof purposes)[number]

/** Refinement of a data type; cleared when the data type changes. */
export const formats = ['int16', 'int32', 'int64', 'decimal', 'date', 'time', 'guid', 'binary', 'json', 'text'] as const
export type Format = (typeof formats)[number]

/** A type attribute as stored and answered. `position` is shared with the entity's relationships. */
export const typeAttributeSchema = z.object({
  uid: z.string(),
  name: z.string(),
  dataType: z.enum(dataTypes),
  purpose: z.enum(purposes),
  description: z.string(),
  nullable: z.boolean(),
  choices: z.array(z.string()),
  maxLength: z.number().int().positive().nullable(),
  defaultValue: z.string().nullable(),
  unique: z.boolean(),
  indexed: z.boolean(),
  precision: z.number().int().positive().nullable(),
  scale: z.number().int().nonnegative().nullable(),
  format: z.enum(formats).nullable(),
  position: z.number().int().nonnegative(),
  /** Imported traits; exported while the attribute is unchanged. */
  traits: z.array(z.unknown()),
  copiedFrom: z.string().nullable(),
})
export type TypeAttribute = z.infer<typeof typeAttributeSchema>

/** A type attribute with the documented defaults. */
export function newTypeAttribute(
  fields: Partial<TypeAttribute> & Pick<TypeAttribute, 'name' | 'position'>,
): TypeAttribute {
  return {
    uid: newUid(),
    dataType: 'string',
    purpose: 'hasA',
    description: '',
    nullable: false,
    choices: [],
    maxLength: null,
    defaultValue: null,
    unique: false,
    indexed: false,
    precision: null,
    scale: null,
    format: null,
    traits: [],
    copiedFrom: null,
    ...fields,
  }
}

export function isPrimaryKey(attribute: Pick<TypeAttribute, 'purpose'>): boolean {
  return attribute.purpose === 'identifiedBy'
}
