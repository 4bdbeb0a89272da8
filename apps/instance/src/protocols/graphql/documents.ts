import type { FastifyRequest } from 'fastify'
import {
  BREAK,
  type DocumentNode,
  execute,
  type ExecutionResult,
  type FragmentDefinitionNode,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type SelectionSetNode,
  typeFromAST,
  validate,
  visit,
} from 'graphql'
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Api } from '@cadmus/model/api/api'
import { limits } from '@cadmus/model/limits'
import { jsonPieces } from '@cadmus/model/text-pieces'
import { OperationError } from '../../engine/errors.ts'
import { HttpError } from '../../http-error.ts'
import { type Arguments, variableReader } from './arguments.ts'
import { reportError } from './errors.ts'
import { type GraphQlText, type Plan, planOperation } from './operation-plan.ts'
import type { GraphQlContext } from './resolvers.ts'
import { executableSchema, hasLongNumber, withPlainNumbers } from './schema.ts'

export type GraphQlRequest = {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | null
}

/** A request that is refused as a whole. */
export class GraphQlRefusal extends Error {
  override readonly name = 'GraphQlRefusal'
  readonly errors: readonly GraphQLError[]

  constructor(errors: readonly GraphQLError[]) {
    super('The request is invalid.')
    this.errors = errors
  }
}

type CachedDocument = { document: DocumentNode; errors: readonly GraphQLError[]; prepared: Map<string, Prepared> }
type Prepared = {
  readonly operation: OperationDefinitionNode
  /** The types of the variables. */
  readonly inputs: readonly (readonly [name: string, type: GraphQLInputType])[]
  /** Coerces the variables; returns null for invalid ones. */
  readonly read: (sent: Arguments) => Arguments | null
  readonly planned: Plan | null
  /**
   * Queries without a plan are compiled at their second run, because compiling costs more than one execution. Compiled
   * mutations would go on after a failed field, unlike those of the executor.
   */
  compiled: CompiledQuery | 'new' | 'once' | 'never'
}

/**
 * Limits of the cache of one schema. The least recently used documents are removed first; larger ones are not cached.
 */
const cacheLimits = { cached: 500, characters: 200_000, ofOne: 20_000 }

/** The documents of one schema: parsed and validated once, compiled when repeated. */
export class Documents {
  readonly #schema: GraphQLSchema
  readonly #cache = new Map<string, CachedDocument>()
  readonly #api: Api
  #characters = 0
  #latest: CachedDocument | null = null

  constructor(api: Api, schema: GraphQLSchema) {
    this.#api = api
    this.#schema = schema
  }

  /** Whether the operation is a query. Throws a `GraphQlRefusal`. */
  onlyReads(request: GraphQlRequest): boolean {
    return this.#prepared(this.#document(request), request).operation.operation === 'query'
  }

  /** Throws a `GraphQlRefusal` for an invalid request. */
  run(request: GraphQlRequest, context: GraphQlContext): Promise<GraphQlText> {
    const cached = this.#document(request)
    const prepared = this.#prepared(cached, request)
    const plain = plainVariables(request, prepared)
    const variables = prepared.read(plain) ?? this.#coerced(prepared.operation, plain)
    if (prepared.planned) return prepared.planned(variables, context)
    return this.#executed(cached, prepared, request, plain, context)
  }

  /** Coerces variables with the reference implementation, which reports errors. Throws a `GraphQlRefusal`. */
  #coerced({ variableDefinitions = [] }: OperationDefinitionNode, plain: Arguments): Arguments {
    const { errors, coerced } = getVariableValues(this.#schema, variableDefinitions, plain, { maxErrors: 20 })
    if (errors) throw new GraphQlRefusal(errors)
    return coerced
  }

  async #executed(
    { document }: CachedDocument,
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

  #document({ query }: GraphQlRequest): CachedDocument {
    const existing = this.#cache.get(query)
    const cached = existing ?? { ...this.#checked(query), prepared: new Map<string, Prepared>() }
    this.#store(query, cached, existing !== undefined)
    if (cached.errors.length > 0) throw new GraphQlRefusal(cached.errors)
    return cached
  }

  #store(query: string, cached: CachedDocument, isCached: boolean): void {
    if (cached === this.#latest || query.length > cacheLimits.ofOne) return
    this.#latest = cached
    this.#cache.delete(query)
    this.#cache.set(query, cached)
    if (isCached) return
    this.#characters += query.length
    for (const oldest of this.#cache.keys()) {
      if (this.#cache.size <= cacheLimits.cached && this.#characters <= cacheLimits.characters) return
      this.#cache.delete(oldest)
      this.#characters -= oldest.length
    }
  }

  #checked(query: string): { document: DocumentNode; errors: readonly GraphQLError[] } {
    const { characters, tokens } = graphQlLimits
    if (query.length > characters) {
      throw new GraphQlRefusal([new GraphQLError(`A query must have at most ${characters} characters.`)])
    }
    try {
      const document = parse(query, { maxTokens: tokens })
      const tooLarge = limitError(document)
      // Documents beyond the limits are not validated, which could take long.
      return {
        document,
        errors: tooLarge ? [tooLarge] : validate(this.#schema, document, undefined, { maxErrors: 20 }),
      }
    } catch (error) {
      if (error instanceof GraphQLError) throw new GraphQlRefusal([error])
      // The parser recurses into lists and objects of literals.
      if (error instanceof RangeError) throw new GraphQlRefusal([nestedTooDeeply()])
      throw error
    }
  }

  #prepared({ document, prepared: operations }: CachedDocument, { operationName }: GraphQlRequest): Prepared {
    const existing = operations.get(operationName ?? '')
    if (existing) return existing
    const operation = getOperationAST(document, operationName)
    if (!operation) {
      const message =
        operationName === null
          ? 'The document has several operations. Set operationName.'
          : 'The document has no operation of this name.'
      throw new GraphQlRefusal([new GraphQLError(message)])
    }
    const prepared: Prepared = {
      operation,
      inputs: this.#inputs(operation),
      read: variableReader(this.#schema, operation.variableDefinitions ?? []),
      planned: this.#planned(document, operation),
      compiled: operation.operation === OperationTypeNode.QUERY ? 'new' : 'never',
    }
    operations.set(operationName ?? '', prepared)
    return prepared
  }

  #inputs({ variableDefinitions = [] }: OperationDefinitionNode): Prepared['inputs'] {
    return variableDefinitions.flatMap(({ variable, type }) => {
      const input = typeFromAST(this.#schema, type)
      return isInputType(input) ? [[variable.name.value, input] as const] : []
    })
  }

  #planned(document: DocumentNode, operation: OperationDefinitionNode): Plan | null {
    try {
      return planOperation(this.#api, this.#schema, document, operation)
    } catch (error) {
      // The executor reports the error.
      if (error instanceof OperationError || error instanceof GraphQLError) return null
      throw error
    }
  }

  #compiled(document: DocumentNode, { name }: OperationDefinitionNode): Prepared['compiled'] {
    const prepared = compileQuery(this.#schema, document, name?.value)
    return isCompiledQuery(prepared) ? prepared : 'never'
  }
}

/** Most variables need no conversion. */
function plainVariables({ variables }: GraphQlRequest, { inputs }: Prepared): GraphQlRequest['variables'] {
  if (!hasLongNumber(variables)) return variables
  const plain = { ...variables }
  for (const [name, type] of inputs) if (name in plain) plain[name] = withPlainNumbers(plain[name], type)
  return plain
}

/**
 * Answers with errors have status 200, except when the database is unavailable: load balancers look only at the status.
 */
function statusOf({ errors = [] }: ExecutionResult): number {
  return errors.some(({ extensions }) => extensions?.['status'] === 503) ? 503 : 200
}

/** Answers a request. Throws an `HttpError` 405 for a change by GET. */
export function answerGraphQl(
  api: Api,
  sent: GraphQlRequest,
  context: Omit<GraphQlContext, 'reportError'>,
  request: FastifyRequest,
): GraphQlText | Promise<GraphQlText> {
  const documents = documentsOf(api)
  try {
    if (request.method !== 'POST' && !documents.onlyReads(sent)) throw methodNotAllowed()
    return documents.run(sent, { ...context, reportError: error => reportError(error, request) })
  } catch (error) {
    if (!(error instanceof GraphQlRefusal)) throw error
    return { status: 400, text: JSON.stringify({ errors: error.errors }) }
  }
}

const documentsByApi = new WeakMap<Api, Documents>()

/** Created with the first request, since a schema takes much memory. */
function documentsOf(api: Api): Documents {
  const documents = documentsByApi.get(api) ?? new Documents(api, executableSchema(api))
  documentsByApi.set(api, documents)
  return documents
}

function methodNotAllowed(): HttpError {
  return new HttpError(405, 'Mutations must be sent by POST.', { allow: 'POST' })
}

/** Limits of one document: more than any client needs, and small enough to keep an answer short. */
export const graphQlLimits = { characters: 100_000, tokens: 4000, depth: 12, fields: 2000, rootFields: 20 } as const

type QuerySize = { depth: number; fields: number }

/**
 * Returns the error of a document beyond the limits, undefined within them. Fragments count at each spread, but each is
 * measured once, which keeps this linear. Introspection fields count by number only, since their queries nest deeper.
 */
export function limitError(document: DocumentNode): GraphQLError | undefined {
  const counter = new SizeCounter(document)
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const { depth, fields } = counter.measure(definition.selectionSet)
    const { rootFields } = graphQlLimits
    if (depth > graphQlLimits.depth) return tooLarge(`nested at most ${graphQlLimits.depth} levels deep`)
    if (fields > graphQlLimits.fields) return tooLarge(`limited to ${graphQlLimits.fields} fields`)
    if (counter.rootFields(definition.selectionSet) > rootFields)
      return tooLarge(`limited to ${rootFields} root fields`)
  }
  return hasDeepValue(document) ? nestedTooDeeply() : undefined
}

/** Whether a literal is nested deeper than JSON may be. Walks without recursion. */
function hasDeepValue(document: DocumentNode): boolean {
  let depth = 0
  let isDeep = false
  const nested = {
    enter: () => {
      depth += 1
      isDeep ||= depth > limits.jsonDepth
      return isDeep ? BREAK : undefined
    },
    leave: () => {
      depth -= 1
    },
  }
  visit(document, { ListValue: nested, ObjectValue: nested })
  return isDeep
}

function nestedTooDeeply(): GraphQLError {
  return new GraphQLError('A query is nested too deeply.')
}

function tooLarge(limit: string): GraphQLError {
  return new GraphQLError(`A query must be ${limit}.`)
}

const emptySize: QuerySize = { depth: 0, fields: 0 }

class SizeCounter {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>
  readonly #cached = new Map<string, QuerySize>()
  /** Fragments being measured: a cycle counts as empty here and is refused by the validation. */
  readonly #open = new Set<string>()

  constructor({ definitions }: DocumentNode) {
    const fragments = definitions.filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION)
    this.#fragments = new Map(fragments.map(fragment => [fragment.name.value, fragment]))
  }

  measure({ selections }: SelectionSetNode): QuerySize {
    let depth = 0
    let fields = 0
    for (const selection of selections) {
      const below = this.#of(selection)
      depth = Math.max(depth, below.depth)
      fields = Math.min(fields + below.fields, Number.MAX_SAFE_INTEGER)
    }
    return { depth, fields }
  }

  rootFields({ selections }: SelectionSetNode): number {
    return selections.reduce((count, selection) => {
      if (selection.kind === Kind.FIELD) return count + 1
      const isInline = selection.kind === Kind.INLINE_FRAGMENT
      return count + (isInline ? this.rootFields(selection.selectionSet) : this.#spread(selection.name.value).fields)
    }, 0)
  }

  #of(selection: SelectionSetNode['selections'][number]): QuerySize {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return this.#spread(selection.name.value)
    const below = selection.selectionSet ? this.measure(selection.selectionSet) : emptySize
    if (selection.kind === Kind.INLINE_FRAGMENT) return below
    const depth = selection.name.value.startsWith('__') ? 1 : below.depth + 1
    return { depth, fields: below.fields + 1 }
  }

  #spread(name: string): QuerySize {
    const cached = this.#cached.get(name)
    const fragment = this.#fragments.get(name)
    if (cached || !fragment || this.#open.has(name)) return cached ?? emptySize
    this.#open.add(name)
    const size = this.measure(fragment.selectionSet)
    this.#open.delete(name)
    this.#cached.set(name, size)
    return size
  }
}
