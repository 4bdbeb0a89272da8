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
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit'
import { beyondLimits, graphQlLimits } from './limits.ts'
import type { GraphQlContext } from './resolvers.ts'
import { withPlainNumbers } from './scalars.ts'

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

type Known = { document: DocumentNode; errors: readonly GraphQLError[]; compiled: Map<string, Compiled> }
type Compiled = CompiledQuery | 'once'

/** The most documents that one schema remembers; the one that was asked for longest ago goes first. */
const mostKnown = 500

/** Documents of one schema: read and checked once each, and compiled when they come again. */
export class Documents {
  readonly #schema: GraphQLSchema
  readonly #known = new Map<string, Known>()

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  /** Whether the request changes nothing. Throws a `GraphQlRefusal`. */
  onlyReads(request: GraphQlRequest): boolean {
    return this.#operation(this.#document(request), request).operation === 'query'
  }

  /** Throws a `GraphQlRefusal` where nothing can be carried out. */
  async run(request: GraphQlRequest, context: GraphQlContext): Promise<ExecutionResult> {
    const known = this.#document(request)
    const operation = this.#operation(known, request)
    const variables = this.#variables(operation, request)
    const compiled = this.#compiled(known, operation)
    if (compiled) return compiled.query(undefined, context, variables)
    return execute({
      schema: this.#schema,
      document: known.document,
      contextValue: context,
      variableValues: variables,
      operationName: request.operationName,
    })
  }

  #document({ query }: GraphQlRequest): Known {
    const before = this.#known.get(query)
    const known = before ?? { ...this.#checked(query), compiled: new Map<string, Compiled>() }
    this.#known.delete(query)
    this.#known.set(query, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest)
    if (known.errors.length > 0) throw new GraphQlRefusal(known.errors)
    return known
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

  #operation({ document }: Known, { operationName }: GraphQlRequest): OperationDefinitionNode {
    const operation = getOperationAST(document, operationName)
    if (operation) return operation
    const message =
      operationName === null ? 'Say which operation of the query is meant.' : 'The query has no such operation.'
    throw new GraphQlRefusal([new GraphQLError(message)])
  }

  /** As they were sent, when the schema takes them. */
  #variables(
    { variableDefinitions = [] }: OperationDefinitionNode,
    { variables }: GraphQlRequest,
  ): Record<string, unknown> {
    const plain = { ...variables }
    for (const { variable, type } of variableDefinitions) {
      const input = typeFromAST(this.#schema, type)
      const name = variable.name.value
      if (isInputType(input) && name in plain) plain[name] = withPlainNumbers(plain[name], input)
    }
    const { errors } = getVariableValues(this.#schema, variableDefinitions, plain, { maxErrors: 20 })
    if (errors) throw new GraphQlRefusal(errors)
    return plain
  }

  /** At the second time: what comes once is not worth it. */
  #compiled({ document, compiled }: Known, operation: OperationDefinitionNode): CompiledQuery | undefined {
    const name = operation.name?.value ?? ''
    const before = compiled.get(name)
    if (before === undefined) {
      compiled.set(name, 'once')
      return undefined
    }
    if (before !== 'once') return before
    const made = compileQuery(this.#schema, document, name === '' ? undefined : name)
    if (!isCompiledQuery(made)) return undefined
    compiled.set(name, made)
    return made
  }
}
