import * as z from 'zod'
import { entityContentSchema, type EntityContent } from './entity.ts'
import { isEqual } from './equal.ts'

/** Where in a JSON value: keys of objects and places in lists. */
export type JsonPath = readonly (string | number)[]

/** What the content of an entity may hold at a place. */
export type JsonShape = {
  kind: 'object' | 'list' | 'text' | 'number' | 'boolean' | 'choice' | 'any'
  nullable: boolean
  /** Whether an object may be without this key. */
  optional: boolean
  /** Of a choice. */
  options: readonly string[]
}

/** Undefined: the content has no such place. */
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

/** 'identity': who something is, which stays; 'reference': what it refers to, which is more than what stands in one place. */
export function keptAt(path: JsonPath): 'identity' | 'reference' | undefined {
  if (path.includes('traits')) return undefined
  if (path.some(step => typeof step === 'string' && ofReferences.includes(step))) return 'reference'
  const names: readonly string[] = path.length === 1 ? ofEntity : ofIdentity
  return names.includes(String(path.at(-1))) ? 'identity' : undefined
}

/** The fields of a content that say who the entity is; a text of it cannot say otherwise. */
export function changedIdentity(content: EntityContent, previous: EntityContent): string[] {
  return ofEntity.filter(field => !isEqual(content[field], previous[field]))
}

const plain = { nullable: false, optional: false, options: [] }

function shapeOf(given: z.ZodType): JsonShape {
  const { schema, nullable, optional } = unwrapped(given)
  const rest = { nullable, optional, options: [] }
  if (schema instanceof z.ZodObject) return { ...rest, kind: 'object' }
  if (schema instanceof z.ZodArray) return { ...rest, kind: 'list' }
  if (schema instanceof z.ZodEnum) return { ...rest, kind: 'choice', options: schema.options.map(String) }
  if (schema instanceof z.ZodNumber || schema instanceof z.ZodLiteral) return { ...rest, kind: 'number' }
  if (schema instanceof z.ZodBoolean) return { ...rest, kind: 'boolean' }
  return { ...rest, kind: schema instanceof z.ZodString ? 'text' : 'any' }
}

function unwrapped(given: z.ZodType): { schema: z.ZodType; nullable: boolean; optional: boolean } {
  let schema = given
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
