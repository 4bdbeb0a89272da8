import type { Api } from '@cadmus/model/api/api'
import { joined, type TextPieces } from '@cadmus/model/text-pieces'
import { rootFields, type RootField } from '@cadmus/formats/graphql/root-fields'
import {
  GraphQLError,
  isNonNullType,
  Kind,
  locatedError,
  OperationTypeNode,
  visit,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { argumentReader, type Arguments } from './arguments.ts'
import type { GraphQlContext } from './resolvers.ts'
import { plannedField, type PlannedField } from './planned-field.ts'

/** What a request is answered: 503 where the database is away, and 200 otherwise. */
export type GraphQlText = { readonly status: number; readonly text: TextPieces }

/** Answers an operation with the records as the database writes them. `variables`: as the schema reads them. */
export type Planned = (variables: Arguments, context: GraphQlContext) => Promise<GraphQlText>

/** A field at the root, with how its answer is called and what its arguments are. */
type Root = {
  /** As JSON, with its colon. */
  readonly name: string
  readonly node: FieldNode
  readonly isNeeded: boolean
  readonly argumentsOf: (variables: Arguments) => Arguments
  readonly field: PlannedField
}

/**
 * An operation that is answered without a value in between: its fields have their own names and no directives, and it is one change or
 * only reads. Null for any other, which GraphQL's own way is for.
 */
export function plannedOf(
  api: Api,
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Planned | null {
  const { selections } = operation.selectionSet
  const fields = selections.filter(one => one.kind === Kind.FIELD)
  const names = new Set(fields.map(keyOf))
  const isChange = operation.operation === OperationTypeNode.MUTATION
  if (fields.length < selections.length || names.size < fields.length || (isChange && fields.length > 1)) return null
  if (!isPlain(document, fields)) return null
  const roots = fields.map(node => rootOf(api, schema, document, operation, node))
  const known = roots.filter(root => root !== null)
  return known.length < roots.length ? null : (variables, context) => answered(known, variables, context)
}

function keyOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value
}

/** Whether no field below the root is called otherwise, and nothing is left out. */
function isPlain(document: DocumentNode, roots: readonly FieldNode[]): boolean {
  let found = true
  visit(document, {
    Directive: () => void (found = false),
    Field: node => void (found &&= node.alias === undefined || roots.includes(node)),
  })
  return found
}

function rootOf(
  api: Api,
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation }: OperationDefinitionNode,
  node: FieldNode,
): Root | null {
  const { query, mutation } = rootFields(api)
  const isQuery = operation === OperationTypeNode.QUERY
  const found: RootField | undefined = (isQuery ? query : mutation).find(({ name }) => name === node.name.value)
  const definition = schema.getRootType(operation)?.getFields()[node.name.value]
  if (!found || !definition) return null
  const field = plannedField(api, found, node, { schema, fragments: fragmentsOf(document) })
  if (!field) return null
  return {
    name: `${JSON.stringify(keyOf(node))}:`,
    node,
    isNeeded: isNonNullType(definition.type),
    argumentsOf: argumentReader(definition, node),
    field,
  }
}

function fragmentsOf({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments = definitions.filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
  return Object.fromEntries(fragments.map(one => [one.name.value, one]))
}

function answered(roots: readonly Root[], variables: Arguments, context: GraphQlContext): Promise<GraphQlText> {
  const [first] = roots
  if (first && roots.length === 1) return partOf(first, variables, context, part => textOfOne(first, part))
  const parts = roots.map(root => partOf(root, variables, context, part => part))
  return Promise.all(parts).then(all => textOf(roots, all))
}

function textOfOne(root: Root, part: Part): GraphQlText {
  if (part instanceof GraphQLError) return textOf([root], [part])
  return { status: 200, text: joined(`{"data":{${root.name}`, part, '}}') }
}

function textOf(roots: readonly Root[], parts: readonly Part[]): GraphQlText {
  const errors = parts.filter(part => part instanceof GraphQLError)
  const members = roots.flatMap(({ name }, at) => {
    const part = parts[at]
    return [at === 0 ? name : `,${name}`, part === undefined || part instanceof GraphQLError ? 'null' : part]
  })
  if (errors.length === 0) return { status: 200, text: joined('{"data":{', ...members, '}}') }
  const isLost = roots.some(({ isNeeded }, at) => isNeeded && parts[at] instanceof GraphQLError)
  const data = isLost ? ['null'] : ['{', ...members, '}']
  const status = errors.some(({ extensions }) => extensions['status'] === 503) ? 503 : 200
  return { status, text: joined(`{"errors":${JSON.stringify(errors)},"data":`, ...data, '}') }
}

/** The answer of a field as JSON, or why there is none. */
type Part = TextPieces | GraphQLError

async function partOf<Result>(
  { node, argumentsOf, field: { need, operationOf, textOf: write } }: Root,
  variables: Arguments,
  context: GraphQlContext,
  told: (part: Part) => Result,
): Promise<Result> {
  let part: Part
  try {
    const args = argumentsOf(variables)
    const caller = context.caller.may(need) ? context.caller : await context.admit(need)
    part = write(await context.write(operationOf(args, variables, caller), caller))
  } catch (error) {
    part = locatedError(context.told(error), node, [keyOf(node)])
  }
  return told(part)
}
