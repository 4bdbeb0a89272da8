import {
  getArgumentValues,
  isInputType,
  isNonNullType,
  Kind,
  typeFromAST,
  valueFromAST,
  visit,
  type ArgumentNode,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLSchema,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql'
import { plainReader, needsCoercion, type PlainReader } from './plain-values.ts'

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
