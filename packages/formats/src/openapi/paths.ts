import type { Api, ApiAggregate, ApiEntity, ApiField, ApiRelation } from '@cadmus/model/api/api'
import { plainName, type EntityNames } from '../api-names.ts'
import type { JsonTree } from '../json-tree.ts'
import { aggregateSchema } from './aggregates.ts'
import { fieldsParameter, filterParameter, listParameters } from './parameters.ts'
import { fieldSchema, joinedRelations, recordReference } from './schemas.ts'
import { scopeSentence, scopesOf } from './security.ts'

/** An entity with what it is called in descriptions, and what all are called. */
type Described = { entity: ApiEntity; names: EntityNames; all: ReadonlyMap<string, EntityNames> }
type Path = [path: string, operations: JsonTree]

/** The paths of an entity, below the API's own. */
export function pathsOf(api: Api, described: Described): Path[] {
  const { entity } = described
  const root = `/${encoded(entity.segment)}`
  const key = entity.key
  const all: Path[] = [
    [root, collection(api, described)],
    ...(key ? [[`${root}/{${keyName(key)}}`, item(api, described, key)] as Path] : []),
    ...(key ? relatedPaths(api, described, root, key) : []),
    ...entity.aggregates.map(aggregate => aggregatePath(api, described, aggregate)),
    ...(key && entity.history ? historyPaths(api, described, key) : []),
  ]
  return all.filter(([, operations]) => Object.keys(operations).some(name => name !== 'parameters'))
}

function collection(api: Api, { entity, names }: Described): JsonTree {
  const { type } = names
  const selectAll = scopesOf(entity, 'selectAll')
  const insert = scopesOf(entity, 'insert')
  const update = scopesOf(entity, 'update')
  return {
    ...(selectAll && {
      get: {
        ...head(api, type, `selectAll${type}`, `Lists records of ${entity.name}.`, selectAll),
        parameters: listParameters(api, entity),
        responses: responses(api, listSchema(entity, recordReference(names)), ['Invalid']),
      },
    }),
    ...(insert && {
      post: {
        ...head(api, type, `insert${type}`, `Makes a record of ${entity.name}.`, insert),
        requestBody: body(recordReference(names, 'insert')),
        responses: responses(api, recordSchema(entity, names), ['Invalid', 'Conflict']),
      },
    }),
    ...(update && {
      put: {
        ...head(api, type, `update${type}`, `Changes the record of ${entity.name} whose key is in the body.`, update),
        requestBody: body(recordReference(names, 'update')),
        responses: responses(api, recordSchema(entity, names), ['Invalid', 'NotFound', 'Conflict']),
      },
    }),
  }
}

function item(api: Api, { entity, names }: Described, key: ApiField): JsonTree {
  const { type } = names
  const select = scopesOf(entity, 'select')
  const remove = scopesOf(entity, 'delete')
  return {
    parameters: [keyParameter(key)],
    ...(select && {
      get: {
        ...head(api, type, `select${type}`, `Reads one record of ${entity.name}.`, select),
        parameters: [fieldsParameter(entity)],
        responses: responses(api, recordSchema(entity, names), ['Invalid', 'NotFound']),
      },
    }),
    ...(remove && {
      delete: {
        ...head(api, type, `delete${type}`, `Deletes one record of ${entity.name}.`, remove),
        responses: responses(api, answerReference, ['Invalid', 'NotFound', 'Conflict']),
      },
    }),
  }
}

function relatedPaths(api: Api, described: Described, root: string, key: ApiField): Path[] {
  if (!scopesOf(described.entity, 'select')) return []
  return joinedRelations(api, described.entity).flatMap((relation): Path[] => {
    const operations = related(api, described, relation, key)
    return operations ? [[`${root}/{${keyName(key)}}/${encoded(relation.name)}`, operations]] : []
  })
}

function related(api: Api, { names, all }: Described, relation: ApiRelation, key: ApiField): JsonTree | null {
  const other = api.entities.find(({ name }) => name === relation.entity)
  const otherNames = all.get(relation.entity)
  if (!other || !otherNames) return null
  const operationId = `select${names.type}_${names.members.get(relation.name) ?? plainName(relation.name)}`
  const reference = recordReference(otherNames)
  const schema = relation.kind === 'toMany' ? listSchema(other, reference) : withProperty(other.segment, reference)
  const scopes = scopesOf(other, relation.kind === 'toMany' ? 'selectAll' : 'select') ?? []
  return {
    parameters: [keyParameter(key)],
    get: {
      ...head(api, names.type, operationId, `What ${relation.name} of one record leads to.`, scopes),
      parameters: relation.kind === 'toMany' ? listParameters(api, other) : [fieldsParameter(other)],
      responses: responses(api, schema, ['Invalid', 'NotFound']),
    },
  }
}

function aggregatePath(api: Api, { entity, names }: Described, aggregate: ApiAggregate): Path {
  const operationId = `aggregate${names.type}_${plainName(aggregate.name)}`
  const summary = `The figures ${aggregate.name} of ${entity.name}.`
  return [
    `/_aggregate/${encoded(entity.segment)}/${encoded(aggregate.name)}`,
    {
      get: {
        ...head(api, names.type, operationId, summary, scopesOf(entity, 'selectAll') ?? []),
        parameters: [filterParameter(entity)],
        responses: responses(api, listSchema(entity, aggregateSchema(entity, aggregate)), ['Invalid']),
      },
    },
  ]
}

function historyPaths(api: Api, { entity, names }: Described, key: ApiField): Path[] {
  const segment = encoded(entity.segment)
  const scopes = scopesOf(entity, 'select') ?? []
  const after: JsonTree = {
    name: 'after',
    in: 'query',
    description: 'The number of the last change that is known already.',
    schema: { type: ['integer', 'string'], default: 0 },
  }
  const schema = listSchema(entity, { type: 'object' })
  return [
    [
      `/_history/${segment}/{${keyName(key)}}`,
      {
        parameters: [keyParameter(key)],
        get: {
          ...head(api, names.type, `history${names.type}`, `What changed one record of ${entity.name}.`, scopes),
          responses: responses(api, schema, ['Invalid', 'NotFound']),
        },
      },
    ],
    [
      `/_changes/${segment}`,
      {
        get: {
          ...head(api, names.type, `changes${names.type}`, `The changes of ${entity.name} in their order.`, scopes),
          parameters: [after],
          responses: responses(api, schema, ['Invalid']),
        },
      },
    ],
  ]
}

function head(api: Api, tag: string, operationId: string, summary: string, scopes: readonly string[]): JsonTree {
  return { tags: [tag], operationId, summary, description: `${summary}${scopeSentence(api, scopes)}` }
}

function body(schema: JsonTree): JsonTree {
  return { required: true, content: { 'application/json': { schema } } }
}

const answerReference: JsonTree = { $ref: '#/components/schemas/Answer' }

function withProperty(name: string, schema: JsonTree): JsonTree {
  return { allOf: [answerReference, { type: 'object', required: [name], properties: { [name]: schema } }] }
}

function recordSchema({ segment }: ApiEntity, names: EntityNames): JsonTree {
  return withProperty(segment, recordReference(names))
}

function listSchema({ segment }: ApiEntity, items: JsonTree): JsonTree {
  const count: JsonTree = { type: 'integer', minimum: 0 }
  const properties = { total: count, totalNotFiltered: count, [segment]: { type: 'array', items } }
  return { allOf: [answerReference, { type: 'object', required: ['total', 'totalNotFiltered', segment], properties }] }
}

type ErrorName = 'Invalid' | 'NotFound' | 'Conflict'
const statuses: Record<ErrorName, string> = { Invalid: '400', NotFound: '404', Conflict: '409' }

function responses({ security }: Api, schema: JsonTree, errors: readonly ErrorName[]): JsonTree {
  const reference = (name: string): JsonTree => ({ $ref: `#/components/responses/${name}` })
  return {
    '200': { description: 'Done.', content: { 'application/json': { schema } } },
    ...Object.fromEntries(errors.map(name => [statuses[name], reference(name)])),
    ...(security.kind === 'NONE' ? {} : { '401': reference('Unauthorized'), '403': reference('Forbidden') }),
    '500': reference('Failed'),
    '503': reference('Unavailable'),
  }
}

function keyName({ name }: ApiField): string {
  return plainName(name)
}

function keyParameter(key: ApiField): JsonTree {
  return { name: keyName(key), in: 'path', required: true, schema: fieldSchema({ ...key, description: '' }) }
}

function encoded(part: string): string {
  return encodeURIComponent(part.toWellFormed())
}
