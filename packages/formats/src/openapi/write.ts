import type { Api, ApiEntity } from '@cadmus/model/api/api'
import { apiNames, type EntityNames } from '../api-names.ts'
import type { JsonTree } from '../json-tree.ts'
import { pathsOf } from './paths.ts'
import { entityParameters, filterSchemas, sharedParameters } from './parameters.ts'
import { recordSchemas, sharedSchemas } from './schemas.ts'
import { securitySchemes } from './security.ts'
import { usedComponents } from './used-components.ts'

export type OpenApiOptions = {
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
