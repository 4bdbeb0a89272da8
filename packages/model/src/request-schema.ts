import * as z from 'zod'

/**
 * Schema of a request that changes an object described by `schema`: fields with defaults may be omitted without
 * applying the default, and unknown properties are rejected.
 */
export function requestOf(schema: z.ZodObject): z.ZodObject
export function requestOf(schema: z.ZodType): z.ZodType
export function requestOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    const inner = schema.unwrap()
    if (!(inner instanceof z.ZodType)) throw new TypeError('A schema of another library has no request.')
    const fresh = schema.def.defaultValue
    const newItem = inner instanceof z.ZodObject ? '' : `; ${JSON.stringify(fresh)} in a new item`
    return requestOf(inner).optional().describe(`Absent: unchanged${newItem}.`)
  }
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.ZodType>(schema.shape)
    return z.strictObject(Object.fromEntries(fields.map(([name, field]) => [name, requestOf(field)])))
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    const inner = schema.unwrap()
    if (inner instanceof z.ZodType)
      return schema instanceof z.ZodOptional ? requestOf(inner).optional() : requestOf(inner).nullable()
  }
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodType)
    return new z.ZodArray({ ...schema.def, element: requestOf(schema.element) })
  return schema
}
