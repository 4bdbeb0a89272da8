import * as z from 'zod'
import { assignPositions, type Placed } from './apply-request.ts'
import { type EntityAttribute, entityAttributeSchema, newEntityAttribute } from './entity-attribute.ts'
import { type EntityContent, entityContentSchema } from './entity.ts'
import { isEqual, isRecord } from './equal.ts'
import { readCondition } from './conditions/text.ts'
import { isDeeperThan } from './json-depth.ts'
import { withSettledConstraints } from './constraints.ts'
import { retargetedPairs } from './key-pairs.ts'
import { limits } from './limits.ts'
import { contentTexts } from './messages/values.ts'
import { newTypeAttribute, typeAttributeSchema } from './type-attribute.ts'
import { isUid, newUid } from './uid.ts'
import { jsonFault, lostNumber, repeatedKey } from './values/json.ts'

/** A problem at a path of a content, such as 'typeAttributes.name.dataType'. */
export type ContentProblem = { path: string; message: string }
type ReadContent = { content: EntityContent; problems: [] } | { content: null; problems: ContentProblem[] }

/**
 * Parses the content of an entity edited as text; `previous` holds its fields before. New attributes and relationships may omit defaults; a
 * reordered list sets positions. Unknown properties and values that text cannot represent are problems.
 */
export function readEntityContent(json: unknown, previous: EntityContent): ReadContent {
  if (!isRecord(json)) return failed([{ path: '', message: contentTexts.noObject }])
  const whole = completed(json, previous)
  const read = parsed(whole, previous)
  if ('issues' in read) return failed(read.issues.map(issue => problemOf(issue, whole)))
  const content = inWrittenOrder(read.content, json, previous)
  const problems = [
    ...unknownProblems(whole, read.content),
    ...changedIdentity(content, previous).map(path => ({ path, message: contentTexts.identity })),
    ...uidProblems(content),
  ]
  if (problems.length > 0) return failed(problems)
  const settled = withSettledConstraints(content, previous)
  return { content: { ...settled, entityAttributes: retargeted(settled, previous) }, problems: [] }
}

/** A changed name of the target attribute takes precedence over the old uid in the text. */
export function retargeted({ entityAttributes }: EntityContent, previous: EntityContent): EntityAttribute[] {
  const before = new Map(previous.entityAttributes.map(item => [item.uid, item]))
  return entityAttributes.map(item => {
    const old = before.get(item.uid)
    const alsoBy = retargetedPairs(item.alsoBy, old?.alsoBy ?? [])
    const isSameUid = old?.associatedEntityTypeAttributeUid === item.associatedEntityTypeAttributeUid
    const isAnother = isSameUid && old?.associatedEntityTypeAttribute !== item.associatedEntityTypeAttribute
    if (!isAnother) return alsoBy === item.alsoBy ? item : { ...item, alsoBy }
    return { ...item, alsoBy, associatedEntityTypeAttributeUid: null }
  })
}

/**
 * Reason why parsing would not preserve a JSON text; undefined if it would. Checked on the text, because the parsed
 * values do not show it.
 */
export function lossProblem(text: string): string | undefined {
  if (isDeeperThan(text, limits.jsonDepth)) return contentTexts.tooDeep
  const twice = repeatedKey(text)
  if (twice !== undefined) return contentTexts.repeatedKey(twice)
  const number = lostNumber(text)
  if (number !== undefined) return contentTexts.lostNumber(number.slice(0, shownDigits))
  return jsonFault(text) === 'value' ? contentTexts.noText : undefined
}

/** Digits shown of a refused number. */
const shownDigits = 40

type Json = Record<string, unknown>
type Path = readonly PropertyKey[]

const lists = ['typeAttributes', 'entityAttributes'] as const

/** Items identical to previous ones need no check. */
function parsed(json: Json, previous: EntityContent): { content: EntityContent } | { issues: z.core.$ZodIssue[] } {
  const { typeAttributes, entityAttributes } = json
  const attributes = parsedItems(typeAttributes, typeAttributeSchema, previous.typeAttributes, 'typeAttributes')
  const relationships = parsedItems(
    entityAttributes,
    entityAttributeSchema,
    previous.entityAttributes,
    'entityAttributes',
  )
  const rest = entityContentSchema.safeParse({
    ...json,
    ...(Array.isArray(typeAttributes) ? { typeAttributes: [] } : {}),
    ...(Array.isArray(entityAttributes) ? { entityAttributes: [] } : {}),
  })
  const issues = [...(rest.error?.issues ?? []), ...attributes.issues, ...relationships.issues]
  if (!rest.success || issues.length > 0) return { issues }
  return { content: { ...rest.data, typeAttributes: attributes.items, entityAttributes: relationships.items } }
}

function parsedItems<T>(
  input: unknown,
  schema: z.ZodType<T>,
  before: readonly T[],
  list: string,
): { items: T[]; issues: z.core.$ZodIssue[] } {
  const existing = new Map<unknown, T>(before.map(item => [item, item]))
  const items: T[] = []
  const issues: z.core.$ZodIssue[] = []
  for (const [index, item] of (Array.isArray(input) ? input : []).entries()) {
    const same = existing.get(item)
    const read = same === undefined ? schema.safeParse(item) : { data: same, error: undefined }
    if (read.data !== undefined) items.push(read.data)
    for (const issue of read.error?.issues ?? []) issues.push({ ...issue, path: [list, index, ...issue.path] })
  }
  return { items, issues }
}

function failed(problems: ContentProblem[]): ReadContent {
  return { content: null, problems }
}

/** New attributes and relationships with the documented defaults. */
function completed(json: Json, previous: EntityContent): Json {
  const existing = new Set([...previous.typeAttributes, ...previous.entityAttributes].map(({ uid }) => uid))
  const all = (items: unknown, defaults: () => Json) => {
    if (!Array.isArray(items)) return items
    return items.map((item: unknown) =>
      isRecord(item) && !(typeof item.uid === 'string' && existing.has(item.uid)) ? { ...defaults(), ...item } : item,
    )
  }
  const withPairs = (items: unknown) => (Array.isArray(items) ? items.map(completedPairs) : items)
  const attribute = () => without(newTypeAttribute({ name: '', position: 0, uid: newUid() }), ['name'])
  const relationship = () => without(emptyRelationship(), required)
  return {
    ...json,
    ...('typeAttributes' in json ? { typeAttributes: all(json.typeAttributes, attribute) } : {}),
    ...('entityAttributes' in json ? { entityAttributes: withPairs(all(json.entityAttributes, relationship)) } : {}),
    ...(Array.isArray(json.groups) ? { groups: json.groups.map(completedGroup) } : {}),
    ...(Array.isArray(json.checks) ? { checks: json.checks.map(completedCheck) } : {}),
  }
}

function completedPairs(relationship: unknown): unknown {
  if (!isRecord(relationship) || !Array.isArray(relationship.alsoBy) || relationship.alsoBy.length === 0)
    return relationship
  const complete = (pair: unknown) => (isRecord(pair) ? { uid: '', targetUid: null, ...pair } : pair)
  return { ...relationship, alsoBy: relationship.alsoBy.map(complete) }
}

/** Uids are found or made later. */
function completedGroup(group: unknown): unknown {
  if (!isRecord(group)) return group
  const { members } = group
  const complete = (member: unknown) => (isRecord(member) ? { uid: '', descending: false, ...member } : member)
  return { uid: '', name: '', ...group, ...(Array.isArray(members) ? { members: members.map(complete) } : {}) }
}

/** A condition may be a text; one with a fault stays, and is refused as no condition. */
function completedCheck(check: unknown): unknown {
  if (!isRecord(check)) return check
  const read = typeof check.condition === 'string' ? readCondition(check.condition) : undefined
  return { uid: '', name: '', message: '', ...check, ...(read && 'condition' in read ? read : {}) }
}

const required = ['associatedEntity', 'associatedEntityTypeAttribute', 'foreignKeyTypeAttribute']

function emptyRelationship(): EntityAttribute {
  return newEntityAttribute({
    associatedEntity: { id: -1, name: '', path: '' },
    associatedEntityTypeAttribute: '',
    foreignKeyTypeAttribute: '',
    position: 0,
  })
}

function without(item: Json, keys: readonly string[]): Json {
  return Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key)))
}

/** Positions as written; if they are unchanged or missing, the order of the lists counts. */
function inWrittenOrder(content: EntityContent, json: Json, previous: EntityContent): EntityContent {
  const before = new Map(
    [...previous.typeAttributes, ...previous.entityAttributes].map(item => [item.uid, item.position]),
  )
  const placed = <T extends { uid: string; position: number }>(items: readonly T[], written: unknown): Placed<T>[] =>
    items.map((value, index) => {
      const old = before.get(value.uid)
      const item: unknown = Array.isArray(written) ? written[index] : undefined
      const isWritten = isRecord(item) && 'position' in item && value.position !== old
      return { value, requested: isWritten ? value.position : undefined, before: old }
    })
  const { first, second } = assignPositions(
    placed(content.typeAttributes, json.typeAttributes),
    placed(content.entityAttributes, json.entityAttributes),
  )
  return { ...content, typeAttributes: first, entityAttributes: second }
}

/** Properties that the content does not have: the first ones, because a hostile text may have very many. */
export function unknownProblems(json: Json, content: EntityContent): ContentProblem[] {
  const paths = unknownKeys(json, content, []).take(maxUnknown)
  return Array.from(paths, path => ({ path: placeOf(path, json), message: contentTexts.unknownKey }))
}

const maxUnknown = 100

function* unknownKeys(json: unknown, read: unknown, path: Path): Generator<Path, void> {
  if (json === read || typeof json !== 'object' || json === null || typeof read !== 'object' || read === null) return
  for (const [key, value] of Object.entries(json)) {
    const place = [...path, Array.isArray(json) ? Number(key) : key]
    if (Object.hasOwn(read, key)) yield* unknownKeys(value, Reflect.get(read, key), place)
    else yield place
  }
}

/** Attributes and relationships without a unique uid. */
export function uidProblems(content: EntityContent): ContentProblem[] {
  const seen = new Set<string>()
  return lists.flatMap(list =>
    content[list].flatMap((item, index) => {
      const message = !isUid(item.uid) ? contentTexts.noUid : seen.has(item.uid) ? contentTexts.sameUid : undefined
      seen.add(item.uid)
      return message === undefined ? [] : [{ path: placeOf([list, index, 'uid'], content), message }]
    }),
  )
}

/** A schema issue at a readable path. */
export function problemOf({ path, message }: { path: Path; message: string }, json: Json): ContentProblem {
  return { path: placeOf(path, json), message: isThere(path, json) ? message : contentTexts.missing }
}

function isThere(path: Path, json: unknown): boolean {
  const [step, ...rest] = path
  if (step === undefined) return true
  const inner: unknown = typeof json === 'object' && json !== null ? Reflect.get(json, step) : undefined
  return inner !== undefined && isThere(rest, inner)
}

/** Path with names instead of indexes for named items: 'typeAttributes.code.maxLength'. */
function placeOf(path: Path, json: Json): string {
  const words: string[] = []
  let inner: unknown = json
  for (const step of path) {
    inner = typeof inner === 'object' && inner !== null ? Reflect.get(inner, step) : undefined
    const name = typeof step === 'number' && isRecord(inner) ? (inner.name ?? inner.foreignKeyTypeAttribute) : undefined
    words.push(typeof name === 'string' && name !== '' ? name : String(step))
  }
  return words.join('.')
}

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
const ofIdentity = ['uid', 'copiedFrom', 'attributeUid', 'associatedEntityTypeAttributeUid', 'targetUid']

/** 'identity': permanent id of an item; 'reference': link to another item, which spans several places. */
export function fixedPartAt(path: JsonPath): 'identity' | 'reference' | undefined {
  if (path.includes('traits')) return undefined
  if (path.some(step => typeof step === 'string' && ofReferences.includes(step))) return 'reference'
  const names: readonly string[] = path.length === 1 ? ofEntity : ofIdentity
  return names.includes(String(path.at(-1))) ? 'identity' : undefined
}

/** Identity fields of the entity that differ; editing the text cannot change them. */
function changedIdentity(content: EntityContent, previous: EntityContent): string[] {
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
