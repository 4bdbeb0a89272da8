import type { Api, ApiEntity } from '@cadmus/model/api/api'
import { apiNames, type EntityNames } from '../api-names.ts'
import type { Json, JsonTree } from '../json-tree.ts'
import { entityParameters, filterSchemas, sharedParameters } from './parameters.ts'
import { pathsOf } from './paths.ts'
import { enumerationSchemas, recordSchemas, sharedSchemas } from './schemas.ts'
import { securitySchemes } from './security.ts'

type OpenApiOptions = {
  /** Base URL of the instance without a trailing slash; '' means the host that serves the description. */
  serverUrl: string
}

/** OpenAPI 3.1 description of the REST API that the instance serves; deterministic. */
export function openApiOf(api: Api, { serverUrl }: OpenApiOptions): JsonTree {
  const names = apiNames(api)
  const entities = api.entities.flatMap(entity => {
    const entityNames = names.get(entity.name)
    return entityNames ? [{ entity, names: entityNames, all: names }] : []
  })
  const paths = pathsOf(api)
  const schemes = securitySchemes(api, serverUrl)
  return {
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: api.version,
      description: api.description === '' ? `The API of ${api.title}.` : api.description,
    },
    servers: [{ url: `${serverUrl}/api/${api.namespace}/1.0` }],
    security: schemes === null ? [] : [{ caller: [] }],
    tags: entities.map(tagOf),
    paths,
    components: {
      ...(schemes === null ? {} : { securitySchemes: schemes }),
      ...usedComponents(paths, {
        parameters: {
          ...sharedParameters(api),
          ...Object.fromEntries(entities.flatMap(one => entityParameters(one.entity, one.names))),
        },
        responses: errorResponses,
        schemas: {
          ...sharedSchemas,
          ...filterSchemas,
          ...Object.fromEntries(entities.flatMap(one => recordSchemas(api, one))),
          ...Object.fromEntries(enumerationSchemas(api)),
        },
      }),
    },
  }
}

function tagOf({ entity, names }: { entity: ApiEntity; names: EntityNames }): JsonTree {
  return {
    name: names.type,
    description: entity.description === '' ? `Records of ${entity.name}.` : entity.description,
  }
}

const errorResponses: JsonTree = {
  Invalid: errorResponse('The request is invalid.'),
  Unauthorized: errorResponse('Authentication is missing or invalid.'),
  Forbidden: errorResponse('The caller is not authorized.'),
  NotFound: errorResponse('The record does not exist.'),
  Conflict: errorResponse('The change conflicts with other records or a database constraint.'),
  Failed: errorResponse('An internal error occurred.'),
  Unavailable: errorResponse('The database is unavailable; try again later.'),
}

function errorResponse(description: string): JsonTree {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
}

type Components = Readonly<Record<string, JsonTree>>

/** The components that the paths reference, directly or transitively. */
function usedComponents(paths: JsonTree, components: Components): JsonTree {
  const used = new Set<string>()
  addReferences(paths, used)
  // The set grows during iteration.
  for (const reference of used) {
    const [kind = '', name = ''] = reference.split('/').slice(2)
    addReferences(components[kind]?.[name], used)
  }
  return Object.fromEntries(
    Object.entries(components).map(([kind, all]) => [
      kind,
      Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`#/components/${kind}/${name}`))),
    ]),
  )
}

function addReferences(json: Json | undefined, used: Set<string>): void {
  if (typeof json !== 'object' || json === null) return
  if (Array.isArray(json)) {
    for (const one of json) addReferences(one, used)
    return
  }
  for (const [key, value] of Object.entries(json)) {
    if (key === '$ref' && typeof value === 'string') used.add(value)
    else if (typeof value === 'object') addReferences(value, used)
  }
}
