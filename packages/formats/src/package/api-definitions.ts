import type { Api, ApiEntity } from '@cadmus/model/api/api'
import { apiNames, plainName } from '../api-names.ts'
import { apiOperations, type DescribedOperation } from '../api-operations.ts'
import type { JsonTree } from '../json-tree.ts'
import { targetNamespace } from '../wsdl/schema.ts'
import { apiServiceName, isService, recordName } from './api-services.ts'
import { gloopText } from './gloop.ts'
import { fieldByKey, keyMembers, memberOf, type PackageParts } from './package-parts.ts'

/** The REST definition: maps paths to services. */
export function restDefinition(parts: PackageParts): string {
  const { api } = parts
  const paths = new Map<string, Record<string, JsonTree>>()
  for (const operation of apiOperations(api).filter(isService)) {
    const { path, method } = placeOf(api, operation)
    const existing = paths.get(path) ?? {}
    paths.set(path, existing)
    existing[method] = operationOf(parts, operation)
  }
  return gloopText({
    info: { title: api.title, version: api.version, description: api.description },
    basePath: `/${api.namespace}/1.0`,
    paths: Object.fromEntries(paths),
    tags: api.entities.map(entity => ({ name: tagOf(parts, entity), description: entity.description })),
    authTypes: authTypes[api.security.kind],
    groups: [],
    checks: [],
  })
}

const authTypes = { NONE: [], BASIC: ['BASIC'], OAUTH2: ['OAUTH2'] } as const

function placeOf(api: Api, operation: DescribedOperation): { path: string; method: 'get' | 'post' | 'put' | 'delete' } {
  const { entity } = operation
  const root = `/${entity.segment}`
  const item = `${root}${pathOf(keyMembers(api, entity))}`
  switch (operation.kind) {
    case 'selectAll':
      return { path: root, method: 'get' }
    case 'insert':
      return { path: root, method: 'post' }
    case 'update':
      return { path: root, method: 'put' }
    case 'select':
      return { path: item, method: 'get' }
    case 'delete':
      return { path: item, method: 'delete' }
    case 'related': {
      const byKey = fieldByKey(entity, operation.relation)
      const owner = byKey === null ? item : `${root}/{${plainName(byKey)}}`
      return { path: `${owner}/${operation.relation.name}`, method: 'get' }
    }
    case 'aggregate':
      return { path: `/_aggregate/${entity.segment}/${operation.aggregate.name}`, method: 'get' }
  }
}

function pathOf(names: readonly string[]): string {
  return names.map(name => `/{${name}}`).join('')
}

function operationOf(parts: PackageParts, operation: DescribedOperation): JsonTree {
  const { entity, kind, name } = operation
  const isChange = kind === 'insert' || kind === 'update'
  return {
    tags: [tagOf(parts, entity)],
    summary: name,
    description: entity.description,
    consumes: isChange ? ['application/json'] : [],
    produces: ['application/json'],
    parameters: parametersOf(parts, operation),
    ...(isChange ? { bodyParameter: { name: recordName(entity) } } : {}),
    responses: responsesOf(operation),
    operationType: 'gloop',
    operationLocation: apiServiceName(parts, operation),
    responseCodeField: 'responseCode',
  }
}

function parametersOf({ api }: PackageParts, operation: DescribedOperation): JsonTree[] {
  const { entity, kind } = operation
  const ofPath = (name: string) => ({ name, type: 'PATH', description: `The key of a record of ${entity.name}.` })
  const ofList = [
    ...(api.options.limitOffset
      ? [
          { name: 'limit', type: 'QUERY', description: 'The maximum number of records to return.' },
          { name: 'offset', type: 'QUERY', description: 'The number of records to skip.' },
        ]
      : []),
    { name: 'search', type: 'QUERY', description: 'Text that a text field of the record contains.' },
  ]
  if (kind === 'selectAll') return ofList
  const ofKey = keyMembers(api, entity).map(ofPath)
  if (kind === 'select' || kind === 'delete') return ofKey
  if (kind !== 'related') return []
  const { relation, other } = operation
  const byKey = fieldByKey(entity, relation)
  return [...(byKey === null ? ofKey : [ofPath(memberOf(api, other, byKey))]), ...ofList]
}

function responsesOf({ kind }: DescribedOperation): JsonTree {
  const response = (body: string, description: string) => ({ body, description })
  const isOfOne = kind !== 'selectAll' && kind !== 'insert' && kind !== 'aggregate'
  return {
    '200': response('APIResponse', 'Done.'),
    '400': response('APIException', 'The request is invalid.'),
    ...(isOfOne ? { '404': response('APIException', 'The record does not exist.') } : {}),
    '500': response('APIException', 'It failed.'),
  }
}

function tagOf({ api }: PackageParts, { name }: ApiEntity): string {
  return apiNames(api).get(name)?.type ?? plainName(name)
}

/**
 * The SOAP definition: maps operations to services. Its keys are undocumented; the keys of the REST definition are
 * used.
 */
export function soapDefinition(parts: PackageParts): string {
  const { api } = parts
  const operations = apiOperations(api).filter(isService)
  return gloopText({
    info: { title: api.title, version: api.version, description: api.description },
    basePath: `/${api.namespace}/1.0`,
    targetNamespace: targetNamespace(api.namespace),
    operations: operations.map(operation => ({
      name: operation.name,
      operationType: 'gloop',
      operationLocation: apiServiceName(parts, operation),
    })),
  })
}
