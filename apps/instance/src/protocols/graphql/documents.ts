import {
  execute,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  parse,
  typeFromAST,
  isInputType,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import type { Api } from '@cadmus/model/api/api'
import { jsonPieces } from '@cadmus/model/text-pieces'
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit'
import { OperationError } from '../../engine/errors.ts'
import { variableReader, type Arguments } from './arguments.ts'
import { beyondLimits, graphQlLimits } from './limits.ts'
import { plannedOf, type GraphQlText, type Planned } from './planned.ts'
import type { GraphQlContext } from './resolvers.ts'
import { hasLongNumber, withPlainNumbers } from './scalars.ts'

export type GraphQlRequest = {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | null
}

/** A request that cannot be carried out at all: nothing of it was. */
export class GraphQlRefusal extends Error {
  override readonly name = 'GraphQlRefusal'
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super('The request cannot be carried out.')
    this.errors = errors
  }
}

type Known = { document: DocumentNode; errors: readonly GraphQLError[]; prepared: Map<string, Prepared> }
type Prepared = {
  readonly operation: OperationDefinitionNode
  /** The types of its variables. */
  readonly inputs: readonly (readonly [name: string, type: GraphQLInputType])[]
  /** Its variables as the schema reads them; null where something is wrong with them. */
  readonly read: (sent: Arguments) => Arguments | null
  readonly planned: Planned | null
  /** What is not planned is compiled when it comes again: what comes once is not worth it. */
  compiled: CompiledQuery | 'new' | 'once' | 'never'
}

/**
 * The most documents that one schema remembers, and their characters in all: the one that was asked for longest ago goes first. Larger ones
 * are read each time.
 */
const most = { known: 500, characters: 200_000, ofOne: 20_000 }

/** Documents of one schema: read and checked once each, and compiled when they come again. */
export class Documents {
  readonly #schema: GraphQLSchema
  readonly #known = new Map<string, Known>()
  readonly #api: Api
  #characters = 0
  /** What was asked for last. */
  #newest: Known | null = null

  constructor(api: Api, schema: GraphQLSchema) {
    this.#api = api
    this.#schema = schema
  }

  /** Whether the request changes nothing. Throws a `GraphQlRefusal`. */
  onlyReads(request: GraphQlRequest): boolean {
    return this.#prepared(this.#document(request), request).operation.operation === 'query'
  }

  /** Throws a `GraphQlRefusal` where nothing can be carried out. */
  run(request: GraphQlRequest, context: GraphQlContext): Promise<GraphQlText> {
    const known = this.#document(request)
    const prepared = this.#prepared(known, request)
    const plain = plainVariables(request, prepared)
    const variables = prepared.read(plain) ?? this.#coerced(prepared.operation, plain)
    if (prepared.planned) return prepared.planned(variables, context)
    return this.#executed(known, prepared, request, plain, context)
  }

  /** As the reference implementation reads them, and says what is wrong with them. Throws a `GraphQlRefusal`. */
  #coerced({ variableDefinitions = [] }: OperationDefinitionNode, plain: Arguments): Arguments {
    const { errors, coerced } = getVariableValues(this.#schema, variableDefinitions, plain, { maxErrors: 20 })
    if (errors) throw new GraphQlRefusal(errors)
    return coerced
  }

  async #executed(
    { document }: Known,
    prepared: Prepared,
    { operationName }: GraphQlRequest,
    variables: GraphQlRequest['variables'],
    contextValue: GraphQlContext,
  ): Promise<GraphQlText> {
    if (prepared.compiled === 'once') prepared.compiled = this.#compiled(document, prepared.operation)
    if (prepared.compiled === 'new') prepared.compiled = 'once'
    const { compiled } = prepared
    const result = await (typeof compiled === 'object'
      ? compiled.query(undefined, contextValue, variables)
      : execute({ schema: this.#schema, document, contextValue, variableValues: variables, operationName }))
    return { status: statusOf(result), text: jsonPieces(result) }
  }

  #document({ query }: GraphQlRequest): Known {
    const before = this.#known.get(query)
    const known = before ?? { ...this.#checked(query), prepared: new Map<string, Prepared>() }
    this.#remember(query, known, before !== undefined)
    if (known.errors.length > 0) throw new GraphQlRefusal(known.errors)
    return known
  }

  #remember(query: string, known: Known, wasKnown: boolean): void {
    if (known === this.#newest || query.length > most.ofOne) return
    this.#newest = known
    this.#known.delete(query)
    this.#known.set(query, known)
    if (wasKnown) return
    this.#characters += query.length
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= most.known && this.#characters <= most.characters) return
      this.#known.delete(oldest)
      this.#characters -= oldest.length
    }
  }

  #checked(query: string): { document: DocumentNode; errors: readonly GraphQLError[] } {
    const { characters, tokens } = graphQlLimits
    if (query.length > characters) {
      throw new GraphQlRefusal([new GraphQLError(`A query has at most ${characters} characters.`)])
    }
    try {
      const document = parse(query, { maxTokens: tokens })
      const beyond = beyondLimits(document)
      // What unfolds to too much is not looked at any closer.
      return { document, errors: beyond ? [beyond] : validate(this.#schema, document, undefined, { maxErrors: 20 }) }
    } catch (error) {
      if (error instanceof GraphQLError) throw new GraphQlRefusal([error])
      // The parser descends into lists and objects of values as deep as they are written.
      if (error instanceof RangeError) throw new GraphQlRefusal([new GraphQLError('A query is nested too deeply.')])
      throw error
    }
  }

  #prepared({ document, prepared }: Known, { operationName }: GraphQlRequest): Prepared {
    const before = prepared.get(operationName ?? '')
    if (before) return before
    const operation = getOperationAST(document, operationName)
    if (!operation) {
      const message =
        operationName === null ? 'Say which operation of the query is meant.' : 'The query has no such operation.'
      throw new GraphQlRefusal([new GraphQLError(message)])
    }
    const made: Prepared = {
      operation,
      inputs: this.#inputs(operation),
      read: variableReader(this.#schema, operation.variableDefinitions ?? []),
      planned: this.#planned(document, operation),
      compiled: 'new',
    }
    prepared.set(operationName ?? '', made)
    return made
  }

  #inputs({ variableDefinitions = [] }: OperationDefinitionNode): Prepared['inputs'] {
    return variableDefinitions.flatMap(({ variable, type }) => {
      const input = typeFromAST(this.#schema, type)
      return isInputType(input) ? [[variable.name.value, input] as const] : []
    })
  }

  #planned(document: DocumentNode, operation: OperationDefinitionNode): Planned | null {
    try {
      return plannedOf(this.#api, this.#schema, document, operation)
    } catch (error) {
      // What is wrong with it is said by whoever executes it.
      if (error instanceof OperationError || error instanceof GraphQLError) return null
      throw error
    }
  }

  #compiled(document: DocumentNode, { name }: OperationDefinitionNode): Prepared['compiled'] {
    const made = compileQuery(this.#schema, document, name?.value)
    return isCompiledQuery(made) ? made : 'never'
  }
}

/** Nearly all of them are as they came. */
function plainVariables({ variables }: GraphQlRequest, { inputs }: Prepared): GraphQlRequest['variables'] {
  if (!hasLongNumber(variables)) return variables
  const plain = { ...variables }
  for (const [name, type] of inputs) if (name in plain) plain[name] = withPlainNumbers(plain[name], type)
  return plain
}

/** An answer with errors is an answer; that the database is away is said to whoever looks at the status only. */
function statusOf({ errors = [] }: ExecutionResult): number {
  return errors.some(({ extensions }) => extensions?.['status'] === 503) ? 503 : 200
}
