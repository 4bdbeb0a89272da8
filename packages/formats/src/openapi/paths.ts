import type { Api, ApiAggregate, ApiEntity } from '@cadmus/model/api/api'
import { apiNames, type EntityNames, keyNames } from '../api-names.ts'
import { apiOperations, type DescribedOperation } from '../api-operations.ts'
import type { JsonTree } from '../json-tree.ts'
import { aggregateField } from '../served-fields.ts'
import { listParameters, parameterReference } from './parameters.ts'
import { fieldSchema, recordReference } from './schemas.ts'
import { scopeSentence } from './security.ts'

/** The paths of an API relative to its base path, by entity. */
export function pathsOf(api: Api): JsonTree {
  const paths = new Map<string, Record<string, JsonTree | JsonTree[]>>()
  for (const operation of apiOperations(api)) {
    const { path, method, described } = restOperation(api, operation)
    const existing = paths.get(path)
    if (existing) existing[method] = described
    else paths.set(path, { ...pathParameters(api, operation, path), [method]: described })
  }
  for (const [path, operations] of api.entities.flatMap(entity => historyPaths(api, entity)))
    paths.set(path, operations)
  return Object.fromEntries(paths)
}

type RestOperation = { path: string; method: 'get' | 'post' | 'put' | 'delete'; described: JsonTree }

function restOperation(api: Api, operation: DescribedOperation): RestOperation {
  const { entity } = operation
  if (operation.kind === 'aggregate') return aggregated(api, operation)
  const root = `/${encoded(entity.segment)}`
  const item = `${root}${keyPath(entity)}`
  const about = (what: string, described: JsonTree) => ({ ...head(api, operation, what), ...described })
  switch (operation.kind) {
    case 'selectAll':
      return {
        path: root,
        method: 'get',
        described: about(`Lists records of ${entity.name}.`, listing(api, operation)),
      }
    case 'select':
      return {
        path: item,
        method: 'get',
        described: about(`Reads one record of ${entity.name}.`, reading(api, operation)),
      }
    case 'insert':
      return {
        path: root,
        method: 'post',
        described: about(`Creates a record of ${entity.name}.`, sending(api, operation)),
      }
    case 'update': {
      const what = `Updates the record of ${entity.name} whose key is in the body.`
      return { path: root, method: 'put', described: about(what, sending(api, operation)) }
    }
    case 'delete': {
      const described = { responses: responses(api, answerReference, ['Invalid', 'NotFound', 'Conflict']) }
      return { path: item, method: 'delete', described: about(`Deletes one record of ${entity.name}.`, described) }
    }
    case 'related':
      return { path: `${item}/${encoded(operation.relation.name)}`, method: 'get', described: related(api, operation) }
  }
}

function listing(api: Api, { entity, names }: DescribedOperation): JsonTree {
  const schema = listSchema(entity.segment, recordReference(names))
  return { parameters: listParameters(api, names), responses: responses(api, schema, ['Invalid']) }
}

function reading(api: Api, { entity, names }: DescribedOperation): JsonTree {
  const schema = withProperty(entity.segment, recordReference(names))
  return {
    parameters: [parameterReference(names, 'fields')],
    responses: responses(api, schema, ['Invalid', 'NotFound']),
  }
}

function sending(api: Api, { entity, names, kind }: DescribedOperation): JsonTree {
  const isInsert = kind === 'insert'
  const schema = withProperty(entity.segment, recordReference(names))
  return {
    requestBody: body(recordReference(names, isInsert ? 'insert' : 'update')),
    responses: responses(api, schema, isInsert ? ['Invalid', 'Conflict'] : ['Invalid', 'NotFound', 'Conflict']),
  }
}

function aggregated(api: Api, operation: DescribedOperation & { kind: 'aggregate' }): RestOperation {
  const { aggregate, entity } = operation
  const schema = listSchema(entity.segment, aggregateSchema(api, entity, aggregate))
  return {
    path: `/_aggregate/${encoded(entity.segment)}/${encoded(aggregate.name)}`,
    method: 'get',
    described: {
      ...head(api, operation, `The aggregate ${aggregate.name} of ${entity.name}.`),
      parameters: [parameterReference(operation.names, 'filter')],
      responses: responses(api, schema, ['Invalid']),
    },
  }
}

function related(api: Api, operation: DescribedOperation & { kind: 'related' }): JsonTree {
  const { other, relation } = operation
  const names = apiNames(api).get(other.name)
  const reference = names ? recordReference(names) : {}
  const isMany = relation.kind === 'toMany'
  const schema = isMany ? listSchema(other.segment, reference) : withProperty(other.segment, reference)
  return {
    ...head(api, operation, `The ${relation.name} of one record of ${operation.entity.name}.`),
    parameters: relatedParameters(api, isMany, names),
    responses: responses(api, schema, ['Invalid', 'NotFound']),
  }
}

function relatedParameters(api: Api, isMany: boolean, names: EntityNames | undefined): JsonTree[] {
  if (!names) return []
  return isMany ? listParameters(api, names) : [parameterReference(names, 'fields')]
}

function historyPaths(
  api: Api,
  entity: ApiEntity,
): [path: string, operations: Record<string, JsonTree | JsonTree[]>][] {
  const { key, history, segment } = entity
  const names = apiNames(api).get(entity.name)
  if (key.length === 0 || !history || !names) return []
  const after: JsonTree = {
    name: 'after',
    in: 'query',
    description: 'The number of the last change that the caller has.',
    schema: { type: ['integer', 'string'], default: 0 },
  }
  const about = { entity, names, scopes: entity.operations.select?.scopes ?? [] }
  const schema = listSchema(segment, { type: 'object' })
  const ofOne = head(api, { ...about, name: `History${names.type}` }, `The changes of one record of ${entity.name}.`)
  const all = { ...about, scopes: entity.operations.selectAll?.scopes ?? [], name: `Changes${names.type}` }
  const ofAll = head(api, all, `The changes of ${entity.name} in order.`)
  return [
    [
      `/_history/${encoded(segment)}${keyPath(entity)}`,
      {
        parameters: keyParameters(api, entity),
        get: { ...ofOne, responses: responses(api, schema, ['Invalid', 'NotFound']) },
      },
    ],
    [
      `/_changes/${encoded(segment)}`,
      { get: { ...ofAll, parameters: [after], responses: responses(api, schema, ['Invalid']) } },
    ],
  ]
}

type Head = Pick<DescribedOperation, 'name' | 'names' | 'scopes'>

function head(api: Api, { name, names, scopes }: Head, summary: string): JsonTree {
  const description = `${summary}${scopeSentence(api, scopes)}`
  return { tags: [names.type], operationId: name, summary, description }
}

function body(schema: JsonTree): JsonTree {
  return { required: true, content: { 'application/json': { schema } } }
}

const answerReference: JsonTree = { $ref: '#/components/schemas/Answer' }

function withProperty(name: string, schema: JsonTree): JsonTree {
  return { allOf: [answerReference, { type: 'object', required: [name], properties: { [name]: schema } }] }
}

function listSchema(name: string, items: JsonTree): JsonTree {
  const count: JsonTree = { type: 'integer', minimum: 0 }
  const properties = { total: count, totalNotFiltered: count, [name]: { type: 'array', items } }
  return { allOf: [answerReference, { type: 'object', required: ['total', 'totalNotFiltered', name], properties }] }
}

const statuses = { Invalid: '400', NotFound: '404', Conflict: '409' } as const

function responses({ security }: Api, schema: JsonTree, errors: readonly (keyof typeof statuses)[]): JsonTree {
  const reference = (name: string): JsonTree => ({ $ref: `#/components/responses/${name}` })
  return {
    '200': { description: 'Done.', content: { 'application/json': { schema } } },
    ...Object.fromEntries(errors.map(name => [statuses[name], reference(name)])),
    ...(security.kind === 'NONE' ? {} : { '401': reference('Unauthorized'), '403': reference('Forbidden') }),
    '500': reference('Failed'),
    '503': reference('Unavailable'),
  }
}

function pathParameters(api: Api, { entity }: DescribedOperation, path: string): { parameters?: JsonTree[] } {
  return path.includes('{') ? { parameters: keyParameters(api, entity) } : {}
}

function keyPath(entity: ApiEntity): string {
  return keyNames(entity)
    .map(name => `/{${name}}`)
    .join('')
}

function keyParameters(api: Api, entity: ApiEntity): JsonTree[] {
  const names = keyNames(entity)
  return entity.key.map((field, at) => {
    return {
      name: names[at] ?? '',
      in: 'path',
      required: true,
      schema: fieldSchema(api, { ...field, description: '' }),
    }
  })
}

function encoded(part: string): string {
  return encodeURIComponent(part.toWellFormed())
}

/** Schema of an aggregate row: grouping columns and computed values. */
function aggregateSchema(api: Api, entity: ApiEntity, { columns }: ApiAggregate): JsonTree {
  const properties = columns.flatMap((column): [string, JsonTree][] => {
    const field = aggregateField(entity, column)
    return field ? [[column.alias, fieldSchema(api, field)]] : []
  })
  return { type: 'object', properties: Object.fromEntries(properties) }
}
