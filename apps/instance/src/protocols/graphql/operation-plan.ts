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
import { planField, type FieldPlan } from './field-plan.ts'

/** The answer of a request: 503 if the database is unavailable, otherwise 200. */
export type GraphQlText = { readonly status: number; readonly text: TextPieces }

/** Runs an operation whose records the database writes as JSON. `variables` are coerced. */
export type Plan = (variables: Arguments, context: GraphQlContext) => Promise<GraphQlText>

/** A root field with its response key and arguments. */
type Root = {
  /** The response key as JSON, with its colon. */
  readonly name: string
  readonly node: FieldNode
  readonly isNonNull: boolean
  readonly argumentsOf: (variables: Arguments) => Arguments
  readonly field: FieldPlan
}

/**
 * Plans an operation whose answer is the JSON of the database: no aliases below the root, no directives, and one
 * mutation or only queries. Returns null for others, which the GraphQL library executes.
 */
export function planOperation(
  api: Api,
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Plan | null {
  const { selections } = operation.selectionSet
  const fields = selections.filter(one => one.kind === Kind.FIELD)
  const names = new Set(fields.map(keyOf))
  const isChange = operation.operation === OperationTypeNode.MUTATION
  if (fields.length < selections.length || names.size < fields.length || (isChange && fields.length > 1)) return null
  if (!isPlain(document, fields)) return null
  const roots = fields.map(node => rootOf(api, schema, document, operation, node))
  const planned = roots.filter(root => root !== null)
  return planned.length < roots.length ? null : (variables, context) => execute(planned, variables, context)
}

function keyOf({ alias, name }: FieldNode): string {
  return (alias ?? name).value
}

/** Whether there are no directives and no aliases below the root. */
function isPlain(document: DocumentNode, roots: readonly FieldNode[]): boolean {
  let isDirect = true
  visit(document, {
    Directive: () => void (isDirect = false),
    Field: node => void (isDirect &&= node.alias === undefined || roots.includes(node)),
  })
  return isDirect
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
  const rootField: RootField | undefined = (isQuery ? query : mutation).find(({ name }) => name === node.name.value)
  const definition = schema.getRootType(operation)?.getFields()[node.name.value]
  if (!rootField || !definition) return null
  const field = planField(api, rootField, node, { schema, fragments: fragmentsOf(document) })
  if (!field) return null
  return {
    name: `${JSON.stringify(keyOf(node))}:`,
    node,
    isNonNull: isNonNullType(definition.type),
    argumentsOf: argumentReader(definition, node),
    field,
  }
}

function fragmentsOf({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments = definitions.filter(one => one.kind === Kind.FRAGMENT_DEFINITION)
  return Object.fromEntries(fragments.map(one => [one.name.value, one]))
}

function execute(roots: readonly Root[], variables: Arguments, context: GraphQlContext): Promise<GraphQlText> {
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
  const isDataNull = roots.some(({ isNonNull }, at) => isNonNull && parts[at] instanceof GraphQLError)
  const data = isDataNull ? ['null'] : ['{', ...members, '}']
  const status = errors.some(({ extensions }) => extensions['status'] === 503) ? 503 : 200
  return { status, text: joined(`{"errors":${JSON.stringify(errors)},"data":`, ...data, '}') }
}

/** The JSON of a field, or its error. */
type Part = TextPieces | GraphQLError

async function partOf<Result>(
  { node, argumentsOf, field: { need, operationOf, textOf: write } }: Root,
  variables: Arguments,
  context: GraphQlContext,
  convert: (part: Part) => Result,
): Promise<Result> {
  let part: Part
  try {
    const args = argumentsOf(variables)
    const caller = context.caller.may(need) ? context.caller : await context.admit(need)
    part = write(await context.write(operationOf(args, variables, caller), caller))
  } catch (error) {
    part = locatedError(context.reportError(error), node, [keyOf(node)])
  }
  return convert(part)
}
