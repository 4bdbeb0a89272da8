import { scalars } from '@cadmus/formats/graphql/scalars'
import {
  GraphQLError,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLScalarType,
  Kind,
  valueFromASTUntyped,
  visit,
  type FloatValueNode,
  type GraphQLInputType,
  type IntValueNode,
  type ValueNode,
} from 'graphql'
import { isExact, LongNumber } from '../rest/json-body.ts'
import { inexact } from '../rest/body-record.ts'

/** Parsers of scalar values that keep every digit of a number. The engine validates values. */
export const scalarParsers = Object.fromEntries(
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
export function isOwnScalar(type: unknown): type is GraphQLScalarType {
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
