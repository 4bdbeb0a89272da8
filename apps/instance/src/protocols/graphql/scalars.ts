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
import { inexact } from '../rest/sent-record.ts'

/** How values come in that are written in a query or sent beside it: no digit of a number is lost, and the engine judges the rest. */
export const scalarParsers = Object.fromEntries(
  Object.keys(scalars).map(name => [
    name,
    { parseValue: readValue, parseLiteral: name === 'Json' ? jsonLiteral : literal },
  ]),
)

/** Whether a value that was read holds a number with more digits than a JavaScript number. */
export function hasLongNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return value instanceof LongNumber || Object.values(value).some(hasLongNumber)
}

/** Values of variables where an input of floating numbers asks for no more than these can hold. */
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

/** Whether the type is one whose values are left to the engine. */
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
  throw new GraphQLError('This must be a number or a text.', { nodes: node })
}

function jsonLiteral(node: ValueNode, variables?: Parameters<typeof valueFromASTUntyped>[1]): unknown {
  visit(node, { IntValue: refuseLong, FloatValue: refuseLong })
  return valueFromASTUntyped(node, variables)
}

/** Within a JSON value there is no other form for a number than a number. */
function refuseLong(node: IntValueNode | FloatValueNode): void {
  if (isExact(node.value, Number(node.value))) return
  throw new GraphQLError(inexact(node.value), { nodes: node })
}
