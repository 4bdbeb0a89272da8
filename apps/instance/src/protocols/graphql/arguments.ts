import {
  type ArgumentNode,
  type FieldNode,
  getArgumentValues,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  valueFromAST,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql'
import { isRecord } from '@cadmus/model/equal'

export type Arguments = Readonly<Record<string, unknown>>

type Variable = {
  readonly name: string
  readonly read: PlainReader
  readonly isRequired: boolean
  readonly defaultValue: unknown
}

/**
 * Coerces the variables of an operation like `getVariableValues`, with everything that is the same for all requests
 * precomputed. The reader returns null for invalid variables, whose errors `getVariableValues` reports.
 */
export function variableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (sent: Arguments) => Arguments | null {
  const variables = definitions.flatMap(definition => variableOf(schema, definition))
  if (variables.length < definitions.length) return () => null
  return sent => {
    const values: Record<string, unknown> = {}
    for (const { name, read, isRequired, defaultValue } of variables) {
      if (Object.hasOwn(sent, name)) {
        const value = read(sent[name])
        if (value === needsCoercion) return null
        values[name] = value
      } else if (defaultValue !== undefined) values[name] = defaultValue
      else if (isRequired) return null
    }
    return values
  }
}

function variableOf(schema: GraphQLSchema, { variable, type, defaultValue: node }: VariableDefinitionNode): Variable[] {
  const input = typeFromAST(schema, type)
  const name = variable.name.value
  if (!isInputType(input) || name === '__proto__') return []
  const defaultValue = node && valueFromAST(node, input)
  return [{ name, read: plainReader(input), isRequired: isNonNullType(input) && node === undefined, defaultValue }]
}

/** An argument of a field. `read` returns undefined if it is absent, `needsCoercion` if it may be invalid. */
type Argument = { readonly name: string; readonly read: (variables: Arguments) => unknown }

/** Coerces the arguments of a field like `getArgumentValues`, which reports errors. */
export function argumentReader(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Arguments) => Arguments {
  const nodes = node.arguments ?? []
  if (!nodes.some(usesVariables)) {
    const constant = getArgumentValues(definition, node, {})
    return () => constant
  }
  const all = definition.args.map((argument): Argument => {
    const { value } = nodes.find(({ name }) => name.value === argument.name) ?? {}
    return { name: argument.name, read: readerOf(argument, value) }
  })
  return variables => {
    const values: Record<string, unknown> = {}
    for (const { name, read } of all) {
      const value = read(variables)
      if (value === needsCoercion) return getArgumentValues(definition, node, variables)
      if (value !== undefined) values[name] = value
    }
    return values
  }
}

function readerOf({ type, defaultValue: declared }: GraphQLArgument, node: ValueNode | undefined): Argument['read'] {
  const isRequired = isNonNullType(type)
  const defaultValue = declared === undefined && isRequired ? needsCoercion : declared
  if (node === undefined) return () => defaultValue
  if (node.kind !== Kind.VARIABLE) {
    return variables => {
      const value = valueFromAST(node, type, variables)
      return value === undefined ? needsCoercion : value
    }
  }
  const name = node.name.value
  return variables => {
    if (!Object.hasOwn(variables, name)) return defaultValue
    const value = variables[name]
    return value === undefined || (value === null && isRequired) ? needsCoercion : value
  }
}

function usesVariables(node: ArgumentNode): boolean {
  let values = false
  visit(node, { Variable: () => void (values = true) })
  return values
}

/** Marks a value that the reference implementation must coerce, because it may be invalid. */
const needsCoercion = Symbol('unusual')

/**
 * Coerces a value like `coerceInputValue` of the reference implementation; returns `needsCoercion` for values that may
 * be invalid.
 */
type PlainReader = (value: unknown) => unknown

/** A member of an input object. */
type Member = {
  readonly name: string
  readonly read: PlainReader
  readonly isRequired: boolean
  readonly defaultValue: unknown
}

const readers = new WeakMap<GraphQLInputType, PlainReader>()

/** Cached by type. */
function plainReader(type: GraphQLInputType): PlainReader {
  const reader = readers.get(type) ?? plainReaderOf(type)
  readers.set(type, reader)
  return reader
}

function plainReaderOf(type: GraphQLInputType): PlainReader {
  if (isNonNullType(type)) {
    const read = plainReader(type.ofType)
    return value => (value === null || value === undefined ? needsCoercion : read(value))
  }
  if (isListType(type)) return listReader(plainReader(type.ofType))
  if (isInputObjectType(type)) return objectReader(type)
  return value => {
    if (value === null || value === undefined) return null
    try {
      const read = type.parseValue(value)
      return read === undefined ? needsCoercion : read
    } catch {
      return needsCoercion
    }
  }
}

/** A single value represents a list of one. */
function listReader(read: PlainReader): PlainReader {
  return value => {
    if (value === null || value === undefined) return null
    const list = Array.isArray(value) ? value.map(read) : [read(value)]
    return list.includes(needsCoercion) ? needsCoercion : list
  }
}

/** Members are resolved with the first value, since input types may be recursive. */
function objectReader(type: GraphQLInputObjectType): PlainReader {
  let members: readonly Member[] | null = null
  return value => {
    if (value === null || value === undefined) return null
    if (!isRecord(value) || type.isOneOf) return needsCoercion
    members ??= membersOf(type)
    return readMembers(members, value)
  }
}

function membersOf(type: GraphQLInputObjectType): readonly Member[] {
  return Object.values(type.getFields()).map(({ name, type: its, defaultValue }) => {
    return { name, read: plainReader(its), isRequired: isNonNullType(its), defaultValue: defaultValue }
  })
}

function readMembers(members: readonly Member[], value: Readonly<Record<string, unknown>>): unknown {
  const values: Record<string, unknown> = {}
  let count = 0
  for (const { name, read, isRequired, defaultValue } of members) {
    const sent = value[name]
    if (sent === undefined) {
      if (defaultValue !== undefined) values[name] = defaultValue
      else if (isRequired) return needsCoercion
      continue
    }
    const one = read(sent)
    if (one === needsCoercion) return needsCoercion
    values[name] = one
    count += 1
  }
  // A difference means an unknown member.
  return count === Object.keys(value).length ? values : needsCoercion
}
