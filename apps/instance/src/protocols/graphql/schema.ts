import type { Api } from '@cadmus/model/api/api'
import { aggregateMembers, apiNames } from '@cadmus/formats/api-names'
import { rootFields, type RootField } from '@cadmus/formats/graphql/root-fields'
import { sdlOf } from '@cadmus/formats/graphql/write'
import { buildSchema, isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql'
import { resolverOf, type GraphQlContext } from './resolvers.ts'
import { isOwnScalar, scalarParsers } from './scalars.ts'

type Resolver = GraphQLFieldResolver<unknown, GraphQlContext>

/** The executable schema of an API. Each root field runs one operation. */
export function executableSchema(api: Api): GraphQLSchema {
  const schema = buildSchema(sdlOf(api), { assumeValidSDL: true })
  for (const type of Object.values(schema.getTypeMap())) {
    if (isOwnScalar(type)) Object.assign(type, scalarParsers[type.name])
  }
  const { query, mutation } = rootFields(api)
  for (const field of query) resolve(schema, 'Query', field.name, resolverOf(api, field))
  for (const field of mutation) resolve(schema, 'Mutation', field.name, resolverOf(api, field))
  if (query.length === 0) resolve(schema, 'Query', '_version', () => api.version)
  for (const { type, members } of apiNames(api).values()) resolveMembers(schema, type, members)
  for (const field of query) if (field.kind === 'aggregate') resolveMembers(schema, `_${field.name}`, aliasesOf(field))
  return schema
}

function resolve(schema: GraphQLSchema, typeName: string, fieldName: string, resolver: Resolver): void {
  const type = schema.getType(typeName)
  const field = isObjectType(type) ? type.getFields()[fieldName] : undefined
  if (field) field.resolve = resolver
}

/** Resolvers for members whose API name differs. */
function resolveMembers(schema: GraphQLSchema, type: string, members: ReadonlyMap<string, string>): void {
  for (const [name, member] of members) {
    if (name !== member) resolve(schema, type, member, record => valueOf(record, name))
  }
}

function aliasesOf({ aggregate }: RootField & { kind: 'aggregate' }): ReadonlyMap<string, string> {
  return aggregateMembers(aggregate.columns.map(({ alias }) => alias))
}

function valueOf(record: unknown, name: string): unknown {
  return typeof record === 'object' && record !== null ? Reflect.get(record, name) : undefined
}
