import type { Api, ApiEntity, ApiField } from '@cadmus/model/api/api'
import { limits } from '@cadmus/model/limits'
import type { EntityNames } from '../api-names.ts'
import type { JsonTree } from '../json-tree.ts'
import { comparisonsOf, isComparable } from '../served-fields.ts'

export function sharedParameters({ options }: Api): JsonTree {
  const search: JsonTree = {
    name: 'search',
    in: 'query',
    description: 'Text that a text field of the record contains, ignoring case.',
    schema: { type: 'string' },
  }
  return options.limitOffset ? { limit, offset, search } : { search }
}

const limit: JsonTree = {
  name: 'limit',
  in: 'query',
  description: 'The maximum number of records to return.',
  schema: {
    type: 'integer',
    minimum: limits.rows.minPageSize,
    maximum: limits.rows.maxPageSize,
    default: limits.rows.page,
  },
}

const offset: JsonTree = {
  name: 'offset',
  in: 'query',
  description: 'The number of records to skip.',
  schema: { type: 'integer', minimum: 0, default: 0 },
}

/** Parameters specific to an entity, as components, because several paths reference them. */
export function entityParameters(entity: ApiEntity, { type }: EntityNames): [name: string, parameter: JsonTree][] {
  return [
    [`${type}.sort`, sortParameter(entity)],
    [`${type}.fields`, fieldsParameter(entity)],
    [`${type}.filter`, filterParameter(entity)],
  ]
}

export function listParameters(api: Api, names: EntityNames): JsonTree[] {
  const shared = Object.keys(sharedParameters(api)).map(name => ({ $ref: `#/components/parameters/${name}` }))
  return [...shared, ...(['sort', 'fields', 'filter'] as const).map(name => parameterReference(names, name))]
}

export function parameterReference({ type }: EntityNames, name: 'sort' | 'fields' | 'filter'): JsonTree {
  return { $ref: `#/components/parameters/${type}.${name}` }
}

function fieldsParameter({ fields }: ApiEntity): JsonTree {
  return {
    name: 'fields',
    in: 'query',
    description: 'The fields to return; all by default.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string', enum: fields.map(({ name }) => name) } },
  }
}

function sortParameter({ fields }: ApiEntity): JsonTree {
  const names = fields.filter(isComparable).flatMap(({ name }) => [name, `-${name}`])
  return {
    name: 'sort',
    in: 'query',
    description: 'The fields to sort by, in order; a leading minus sorts in descending order.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string', ...(names.length === 0 ? {} : { enum: names }) } },
  }
}

/**
 * Covers `filter[a]=x` and `filter[a][gt]=x` with one parameter; separate parameters for each field and comparison
 * would be hundreds.
 */
function filterParameter({ fields }: ApiEntity): JsonTree {
  const properties = fields.map((field): [string, JsonTree] => {
    const schema: JsonTree = { $ref: `#/components/schemas/Filter.${filterKind(field)}` }
    return [field.name, schema]
  })
  return {
    name: 'filter',
    in: 'query',
    description:
      'Conditions that the records must all meet: `filter[field]=value`, or `filter[field][comparison]=value` with eq, ne, gt, gte, lt, lte, in (values separated by commas), like (with % and _) and null (true or false).',
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false },
  }
}

export const filterSchemas: JsonTree = {
  'Filter.text': filterSchema(comparisonsOf({ type: { kind: 'text' } })),
  'Filter.ordered': filterSchema(comparisonsOf({ type: { kind: 'double' } })),
  'Filter.boolean': filterSchema(comparisonsOf({ type: { kind: 'boolean' } })),
  'Filter.presence': filterSchema(comparisonsOf({ type: { kind: 'json' } })),
}

function filterKind(field: ApiField): 'text' | 'ordered' | 'boolean' | 'presence' {
  if (!isComparable(field)) return 'presence'
  return field.type.kind === 'text' || field.type.kind === 'boolean' ? field.type.kind : 'ordered'
}

function filterSchema(able: readonly string[]): JsonTree {
  const schema = comparisonsSchema(able)
  return able.includes('eq') ? { anyOf: [{ type: 'string' }, schema] } : schema
}

function comparisonsSchema(able: readonly string[]): JsonTree {
  const properties = able.map((comparison): [string, JsonTree] => [
    comparison,
    comparison === 'null' ? { type: 'string', enum: ['true', 'false'] } : { type: 'string' },
  ])
  return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
}
