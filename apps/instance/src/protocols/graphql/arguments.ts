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
import { plainReader, unusual, type PlainReader } from './plain-values.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** A variable of an operation. `usual`: where it is not sent. */
type Variable = {
  readonly name: string
  readonly read: PlainReader
  readonly isNeeded: boolean
  readonly usual: unknown
}

/**
 * Reads the variables of an operation as `getVariableValues` does, with all that is the same for every request found out before. It answers
 * null where something is wrong with them, which that says.
 */
export function variableReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (sent: Arguments) => Arguments | null {
  const variables = definitions.flatMap(definition => variableOf(schema, definition))
  if (variables.length < definitions.length) return () => null
  return sent => {
    const found: Record<string, unknown> = {}
    for (const { name, read, isNeeded, usual } of variables) {
      if (Object.hasOwn(sent, name)) {
        const value = read(sent[name])
        if (value === unusual) return null
        found[name] = value
      } else if (usual !== undefined) found[name] = usual
      else if (isNeeded) return null
    }
    return found
  }
}

function variableOf(schema: GraphQLSchema, { variable, type, defaultValue }: VariableDefinitionNode): Variable[] {
  const input = typeFromAST(schema, type)
  const name = variable.name.value
  if (!isInputType(input) || name === '__proto__') return []
  const usual = defaultValue && valueFromAST(defaultValue, input)
  return [{ name, read: plainReader(input), isNeeded: isNonNullType(input) && defaultValue === undefined, usual }]
}

/** An argument of a field, of all variables: undefined where there is none, `unusual` where something may be wrong with it. */
type Argument = { readonly name: string; readonly read: (variables: Arguments) => unknown }

/** Reads the arguments of a field as `getArgumentValues` does, which says what is wrong with them. */
export function argumentReader(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: Arguments) => Arguments {
  const given = node.arguments ?? []
  if (!given.some(usesVariables)) {
    const constant = getArgumentValues(definition, node, {})
    return () => constant
  }
  const all = definition.args.map((argument): Argument => {
    const { value } = given.find(({ name }) => name.value === argument.name) ?? {}
    return { name: argument.name, read: readerOf(argument, value) }
  })
  return variables => {
    const found: Record<string, unknown> = {}
    for (const { name, read } of all) {
      const value = read(variables)
      if (value === unusual) return getArgumentValues(definition, node, variables)
      if (value !== undefined) found[name] = value
    }
    return found
  }
}

function readerOf({ type, defaultValue }: GraphQLArgument, node: ValueNode | undefined): Argument['read'] {
  const isNeeded = isNonNullType(type)
  const usual = defaultValue === undefined && isNeeded ? unusual : defaultValue
  if (node === undefined) return () => usual
  if (node.kind !== Kind.VARIABLE) {
    return variables => {
      const value = valueFromAST(node, type, variables)
      return value === undefined ? unusual : value
    }
  }
  const name = node.name.value
  return variables => {
    if (!Object.hasOwn(variables, name)) return usual
    const value = variables[name]
    return value === undefined || (value === null && isNeeded) ? unusual : value
  }
}

function usesVariables(node: ArgumentNode): boolean {
  let found = false
  visit(node, { Variable: () => void (found = true) })
  return found
}
