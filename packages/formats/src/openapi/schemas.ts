import type { Api, ApiEntity, ApiField, ApiFieldType } from '@cadmus/model/api/api'
import { type Bounds, boundsOf } from '@cadmus/model/conditions/bounds'
import { type EntityNames, namedEnumerations } from '../api-names.ts'
import { type Json, type JsonTree, wireLiteral } from '../json-tree.ts'
import {
  describedEntity,
  describedEnumeration,
  describedField,
  isRequired,
  servedFields,
  servedRelations,
} from '../served-fields.ts'

/** The schemas of enumerations by name. */
export function enumerationSchemas(api: Api): [name: string, schema: JsonTree][] {
  return [...namedEnumerations(api)].map(([enumeration, name]) => {
    const description = describedEnumeration(enumeration)
    const values = enumeration.values.map(({ value }) => value)
    return [name, { type: 'string', enum: values, ...(description === '' ? {} : { description }) }]
  })
}

type Described = { entity: ApiEntity; names: EntityNames; all: ReadonlyMap<string, EntityNames> }

/** Schemas of an entity's records: for reading, inserting and updating. */
export function recordSchemas(api: Api, { entity, names, all }: Described): [name: string, schema: JsonTree][] {
  const { insert, update } = entity.operations
  return [
    [names.type, readSchema(api, entity, all)],
    ...(insert ? [[`${names.type}.insert`, insertSchema(api, entity)] as [string, JsonTree]] : []),
    ...(update ? [[`${names.type}.update`, updateSchema(api, entity)] as [string, JsonTree]] : []),
  ]
}

export const sharedSchemas: JsonTree = {
  Answer: {
    type: 'object',
    required: ['result', 'message', 'warnings'],
    properties: {
      result: { const: 'OK' },
      message: { type: 'string' },
      warnings: { type: 'array', items: { type: 'string' } },
    },
  },
  Error: {
    type: 'object',
    required: ['result', 'message'],
    properties: {
      result: { const: 'ERROR' },
      message: { type: 'string' },
      fields: {
        type: 'array',
        items: { type: 'string' },
        description: 'Of a conflict: the fields whose values another record has; of a violated check: its fields.',
      },
    },
  },
}

export function recordReference(names: EntityNames, kind: 'read' | 'insert' | 'update' = 'read'): JsonTree {
  return { $ref: `#/components/schemas/${names.type}${kind === 'read' ? '' : `.${kind}`}` }
}

/** Bounds of numbers that JSON holds as such. */
function boundedSchema({ type }: ApiField, bounds: Bounds = {}): JsonTree {
  if (type.kind !== 'integer' && type.kind !== 'double') return {}
  const { least, largest } = bounds
  return {
    ...(least ? { [least.isExclusive ? 'exclusiveMinimum' : 'minimum']: Number(least.value) } : {}),
    ...(largest ? { [largest.isExclusive ? 'exclusiveMaximum' : 'maximum']: Number(largest.value) } : {}),
  }
}

export function fieldSchema(api: Api, field: ApiField): JsonTree {
  const enumeration = field.enumeration && namedEnumerations(api).get(field.enumeration)
  if (enumeration) {
    const schema = { $ref: `#/components/schemas/${enumeration}` }
    return {
      ...(field.nullable ? { anyOf: [schema, { type: 'null' }] } : schema),
      ...(field.description === '' ? {} : { description: field.description }),
    }
  }
  const { choices, nullable, maxLength, type } = field
  const typed = typeSchema(type)
  const values = choices.map(choice => wireLiteral(choice, type))
  const least = type.kind === 'text' && type.isFixed ? { minLength: maxLength } : {}
  const limited = maxLength !== null && type.kind === 'text' ? { ...least, maxLength } : {}
  return {
    ...typed,
    ...(nullable && typed['type'] !== undefined ? { type: withNull(typed['type']) } : {}),
    ...limited,
    ...(values.length === 0 ? {} : { enum: nullable ? [...values, null] : values }),
    ...(field.description === '' ? {} : { description: field.description }),
  }
}

function withNull(type: Json): Json {
  return Array.isArray(type) ? [...type, 'null'] : [type, 'null']
}

function typeSchema(type: ApiFieldType): JsonTree {
  if (type.kind === 'integer') return integerSchema(type)
  if (type.kind === 'decimal' && type.isWhole) return { type: 'string', pattern: digitsPattern(type.precision ?? 1) }
  if (type.kind === 'double' && type.isSingle) return { type: 'number', format: 'float' }
  return typeSchemas[type.kind]
}

const timePattern = '^\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?$'
/** Not `date-time`, which would require a time zone. */
const momentPattern = momentsWith('(Z|[+-]\\d{2}:?\\d{2})?')
const decimalPattern = '^[+-]?\\d+(\\.\\d+)?$'
const typeSchemas: Readonly<Record<Exclude<ApiFieldType['kind'], 'integer'>, JsonTree>> = {
  text: { type: 'string' },
  guid: { type: 'string', format: 'uuid' },
  double: { type: 'number', format: 'double' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', pattern: timePattern },
  timestamp: { type: 'string', pattern: momentPattern },
  instant: { type: 'string', format: 'date-time' },
  local: { type: 'string', pattern: momentsWith('') },
  binary: { type: 'string', contentEncoding: 'base64' },
  json: {},
  decimal: { type: 'string', pattern: decimalPattern },
}
/** Decimal digits of which JSON represents all integers exactly. */
const safeDigits = 15
const integerPattern = '^[+-]?\\d+$'

function momentsWith(offset: string): string {
  return `^\\d{4}-\\d{2}-\\d{2}([T ]\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,6})?)?${offset})?$`
}

/** Leading zeros are no digits. */
function digitsPattern(digits: number): string {
  return `^[+-]?0*\\d{1,${digits}}$`
}

function integerSchema({ bits, digits }: ApiFieldType & { kind: 'integer' }): JsonTree {
  if (digits !== undefined && digits <= safeDigits) {
    const largest = 10 ** digits - 1
    return { type: 'integer', format: 'int64', minimum: -largest, maximum: largest }
  }
  // Numbers that JSON cannot represent exactly are sent as strings.
  if (digits !== undefined) return { type: ['integer', 'string'], format: 'int64', pattern: digitsPattern(digits) }
  if (bits === 64) return { type: ['integer', 'string'], pattern: integerPattern }
  const bound = 2 ** (bits - 1)
  return { type: 'integer', ...(bits === 32 ? { format: 'int32' } : {}), minimum: -bound, maximum: bound - 1 }
}

/** No property is required because requests may select fields. */
function readSchema(api: Api, entity: ApiEntity, all: ReadonlyMap<string, EntityNames>): JsonTree {
  const joined = servedRelations(api, entity).flatMap(({ name, kind, entity: other }): [string, JsonTree][] => {
    const names = all.get(other)
    if (!names) return []
    const schema = recordReference(names)
    return [[name, kind === 'toOne' ? { anyOf: [schema, { type: 'null' }] } : { type: 'array', items: schema }]]
  })
  const properties = servedFields(api, entity).map((field): [string, JsonTree] => [field.name, fieldSchema(api, field)])
  const description = describedEntity(entity)
  return {
    type: 'object',
    ...(description === '' ? {} : { description }),
    ...(entity.uniqueTogether.length === 0 ? {} : { 'x-unique': entity.uniqueTogether }),
    properties: Object.fromEntries([...properties, ...joined]),
  }
}

function insertSchema(api: Api, entity: ApiEntity): JsonTree {
  const sent = servedFields(api, entity).filter(({ generated }) => !generated)
  const required = sent.filter(isRequired).map(({ name }) => name)
  return sentSchema(api, entity, sent, required, true)
}

function updateSchema(api: Api, entity: ApiEntity): JsonTree {
  const key = entity.key.map(({ name }) => name)
  const sent = servedFields(api, entity).filter(field => key.includes(field.name) || !field.generated)
  return sentSchema(api, entity, sent, key, false)
}

/** With coalesce, null in an update keeps the stored value, so every field accepts null. */
function sentSchema(
  api: Api,
  { checks }: ApiEntity,
  fields: readonly ApiField[],
  required: readonly string[],
  isInsert: boolean,
): JsonTree {
  const bounds = boundsOf(checks.map(({ condition }) => condition))
  const properties = fields.map((field): [string, JsonTree] => {
    const mayBeNull = field.nullable || (!isInsert && api.options.coalesce && !required.includes(field.name))
    const description = isInsert ? describedField(field) : field.description
    const schema = fieldSchema(api, { ...field, nullable: mayBeNull, description })
    const isStanding = isInsert && field.default && field.default.kind !== 'computed'
    return [
      field.name,
      {
        ...schema,
        ...boundedSchema(field, bounds.get(field.name)),
        ...(isStanding ? { default: wireLiteral(field.default, field.type) } : {}),
      },
    ]
  })
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  }
}
