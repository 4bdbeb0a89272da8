import * as z from 'zod'
import { entityContentSchema, type EntityContent } from './entity.ts'
import { isEqual } from './equal.ts'

/** Path in a JSON value: object keys and list indexes. */
export type JsonPath = readonly (string | number)[]

/** Allowed values at a path of an entity's content. */
export type JsonShape = {
  kind: 'object' | 'list' | 'text' | 'number' | 'boolean' | 'choice' | 'any'
  nullable: boolean
  /** Whether the key may be missing in an object. */
  optional: boolean
  /** Values of a choice. */
  options: readonly string[]
}

/** Undefined for a path that the content does not have. */
export function shapeAt(path: JsonPath): JsonShape | undefined {
  let schema: z.ZodType | undefined = entityContentSchema
  for (const step of path) {
    const inner = unwrapped(schema).schema
    if (inner instanceof z.ZodUnknown) return { ...plain, kind: 'any', optional: typeof step === 'string' }
    schema = inside(inner, step)
    if (!schema) return undefined
  }
  return shapeOf(schema)
}

const ofReferences = ['extendsEntity', 'associatedEntity', 'entity']
const ofEntity = ['format', 'uid', 'type', 'copiedFrom'] as const
const ofIdentity = ['uid', 'copiedFrom', 'attributeUid', 'associatedEntityTypeAttributeUid']

/** 'identity': permanent id of an item; 'reference': link to another item, which spans several places. */
export function fixedPartAt(path: JsonPath): 'identity' | 'reference' | undefined {
  if (path.includes('traits')) return undefined
  if (path.some(step => typeof step === 'string' && ofReferences.includes(step))) return 'reference'
  const names: readonly string[] = path.length === 1 ? ofEntity : ofIdentity
  return names.includes(String(path.at(-1))) ? 'identity' : undefined
}

/** Identity fields of the entity that differ; editing the text cannot change them. */
export function changedIdentity(content: EntityContent, previous: EntityContent): string[] {
  return ofEntity.filter(field => !isEqual(content[field], previous[field]))
}

const plain = { nullable: false, optional: false, options: [] }

function shapeOf(wrapped: z.ZodType): JsonShape {
  const { schema, nullable, optional } = unwrapped(wrapped)
  const rest = { nullable, optional, options: [] }
  if (schema instanceof z.ZodObject) return { ...rest, kind: 'object' }
  if (schema instanceof z.ZodArray) return { ...rest, kind: 'list' }
  if (schema instanceof z.ZodEnum) return { ...rest, kind: 'choice', options: schema.options.map(String) }
  if (schema instanceof z.ZodNumber || schema instanceof z.ZodLiteral) return { ...rest, kind: 'number' }
  if (schema instanceof z.ZodBoolean) return { ...rest, kind: 'boolean' }
  return { ...rest, kind: schema instanceof z.ZodString ? 'text' : 'any' }
}

function unwrapped(wrapped: z.ZodType): { schema: z.ZodType; nullable: boolean; optional: boolean } {
  let schema = wrapped
  let [nullable, optional] = [false, false]
  while (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    if (schema instanceof z.ZodNullable) nullable = true
    else optional = true
    const inner: unknown = schema.unwrap()
    if (!(inner instanceof z.ZodType)) break
    schema = inner
  }
  return { schema, nullable, optional }
}

function inside(schema: z.ZodType, step: string | number): z.ZodType | undefined {
  const inner: unknown =
    schema instanceof z.ZodObject ? schema.shape[step] : schema instanceof z.ZodArray ? schema.element : undefined
  return inner instanceof z.ZodType ? inner : undefined
}
