import {
  buildSchema,
  type FloatValueNode,
  GraphQLError,
  type GraphQLFieldResolver,
  GraphQLFloat,
  GraphQLInputObjectType,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  type GraphQLSchema,
  type IntValueNode,
  isObjectType,
  Kind,
  valueFromASTUntyped,
  type ValueNode,
  visit,
} from 'graphql'
import { aggregateMembers, apiNames } from '@cadmus/formats/api-names'
import { type RootField, rootFields } from '@cadmus/formats/graphql/root-fields'
import { scalars } from '@cadmus/formats/graphql/scalars'
import { sdlOf } from '@cadmus/formats/graphql/write'
import type { Api } from '@cadmus/model/api/api'
import { inexact, isExact, LongNumber } from '../rest/body.ts'
import { type GraphQlContext, resolverOf } from './resolvers.ts'

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

/** Parsers of scalar values that keep every digit of a number. The engine validates values. */
const scalarParsers = Object.fromEntries(
  Object.keys(scalars).map(name => [
    name,
    { parseValue: readValue, parseLiteral: name === 'Json' ? jsonLiteral : literal },
  ]),
)

/** Whether a parsed value contains a number with more digits than a JavaScript number can hold. */
export function hasLongNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return value instanceof LongNumber || Object.values(value).some(hasLongNumber)
}

/** Converts long numbers to JavaScript numbers if the type is Float. */
export function withPlainNumbers(value: unknown, type: GraphQLInputType): unknown {
  if (type instanceof GraphQLNonNull) return withPlainNumbers(value, type.ofType)
  if (type instanceof GraphQLList) {
    const { ofType } = type
    return Array.isArray(value) ? value.map(one => withPlainNumbers(one, ofType)) : withPlainNumbers(value, ofType)
  }
  if (value instanceof LongNumber) return type === GraphQLFloat ? Number(value.source) : value
  if (!(type instanceof GraphQLInputObjectType) || typeof value !== 'object' || value === null) return value
  const fields = type.getFields()
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const field = fields[name]
      return [name, field ? withPlainNumbers(one, field.type) : one]
    }),
  )
}

/** Whether the engine validates the values of the type. */
function isOwnScalar(type: unknown): type is GraphQLScalarType {
  return type instanceof GraphQLScalarType && type.name in scalars
}

function readValue(value: unknown): unknown {
  return value instanceof LongNumber ? value.source : value
}

function literal(node: ValueNode): unknown {
  if (node.kind === Kind.INT) return Number.isSafeInteger(Number(node.value)) ? Number(node.value) : node.value
  if (node.kind === Kind.FLOAT) return node.value
  if (node.kind === Kind.STRING || node.kind === Kind.BOOLEAN) return node.value
  throw new GraphQLError('This must be a number or a string.', { nodes: node })
}

function jsonLiteral(node: ValueNode, variables?: Parameters<typeof valueFromASTUntyped>[1]): unknown {
  visit(node, { IntValue: refuseLong, FloatValue: refuseLong })
  return valueFromASTUntyped(node, variables)
}

/** JSON values have no string form for numbers. */
function refuseLong(node: IntValueNode | FloatValueNode): void {
  if (isExact(node.value, Number(node.value))) return
  throw new GraphQLError(inexact(node.value), { nodes: node })
}
