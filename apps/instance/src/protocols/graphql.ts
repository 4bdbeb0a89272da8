import { sdlOf } from '@cadmus/formats/graphql/write'
import type { Api } from '@cadmus/model/api/api'
import { isRecord } from '@cadmus/model/equal'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError, type ExecutionResult } from 'graphql'
import { forLog } from '../http/errors.ts'
import { HttpError, invalid, notFound } from '../http-error.ts'
import { Documents, GraphQlRefusal, type GraphQlRequest } from './graphql/documents.ts'
import { graphQlError } from './graphql/faults.ts'
import { registerQueryPage, sendQueryPage, wantsPage } from './graphql/query-page.ts'
import { executableSchema } from './graphql/schema.ts'
import type { GraphQlContext } from './graphql/resolvers.ts'
import type { Admitted, ProtocolHost, Served } from './protocol-host.ts'
import { LongNumber, readJson } from './rest/json-body.ts'

type Parts = { readonly ns: string }
type Sent = FastifyRequest<{ Params: Parts; Querystring: Readonly<Record<string, unknown>>; Body: unknown }>

const json = 'application/json; charset=utf-8'

/**
 * Serves every package that has GraphQL at `/graphql/<namespace>/1.0`: requests by POST, queries by GET as well, and a page to write them
 * for browsers. Each field at the root of a request is one operation.
 */
export function registerGraphQl<Running extends Served>(app: FastifyInstance, host: ProtocolHost<Running>): void {
  registerQueryPage(app)
  void app.register(
    async graphql => {
      graphql.removeAllContentTypeParsers()
      const asText = { parseAs: 'string' } as const
      graphql.addContentTypeParser('application/json', asText, async (_request: unknown, body: unknown) => body)
      graphql.get('/', async (request: Sent, reply) => {
        const running = runningFor(host, request)
        if (wantsPage(request)) return sendQueryPage(reply)
        const caller = await host.admit(request, running, 'any')
        return answer(running, contextOf(host, running, request, caller), requestOf(request.query), request, reply)
      })
      graphql.get('/schema.graphql', async (request: Sent, reply) => {
        const running = runningFor(host, request)
        await host.admit(request, running, 'any')
        return reply.type('text/plain; charset=utf-8').send(sdlOf(running.api))
      })
      graphql.post('/', async (request: Sent, reply) => {
        const running = runningFor(host, request)
        // Whoever is not let in has no body read.
        const caller = await host.admit(request, running, 'any')
        const body = typeof request.body === 'string' ? readJson(request.body) : undefined
        return answer(running, contextOf(host, running, request, caller), requestOf(body), request, reply)
      })
    },
    { prefix: '/graphql/:ns/1.0' },
  )
}

async function answer<Running extends Served>(
  running: Running,
  context: GraphQlContext,
  asked: GraphQlRequest,
  request: Sent,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const documents = documentsOf(running.api)
  try {
    if (request.method !== 'POST' && !documents.onlyReads(asked)) throw methodNotAllowed()
    const result = await documents.run(asked, context)
    return send(reply, statusOf(result), result)
  } catch (error) {
    if (!(error instanceof GraphQlRefusal)) throw error
    return send(reply, 400, { errors: [...error.errors] })
  }
}

function contextOf<Running extends Served>(
  host: ProtocolHost<Running>,
  running: Running,
  request: Sent,
  caller: Admitted,
): GraphQlContext {
  return {
    // The gate is asked again by those only whom it will refuse, in its own words.
    admit: async need => (caller.may(need) ? caller : host.admit(request, running, need)),
    run: (operation, admitted) => running.engine.run(operation, admitted),
    told: error => told(error, request),
  }
}

function runningFor<Running extends Served>(host: ProtocolHost<Running>, { params }: Sent): Running {
  const running = host.byNamespace(params.ns)
  if (!running?.api.protocols.includes('GRAPHQL')) throw notFound()
  return running
}

const remembered = new WeakMap<Api, Documents>()

/** Made at the first request: a package that nobody asks in GraphQL has no schema in memory. */
function documentsOf(api: Api): Documents {
  const known = remembered.get(api) ?? new Documents(executableSchema(api))
  remembered.set(api, known)
  return known
}

/** Throws an `HttpError` 400 where it is none. */
function requestOf(sent: unknown): GraphQlRequest {
  if (!isRecord(sent)) throw invalid('A request is an object: { "query": …, "variables": …, "operationName": … }.')
  const { query, operationName } = sent
  if (typeof query !== 'string') throw invalid('A request has its query as a text.')
  const name = operationName === undefined || operationName === null || operationName === '' ? null : operationName
  if (name !== null && typeof name !== 'string') throw invalid('The name of an operation is a text.')
  return { query, variables: variablesOf(sent['variables']), operationName: name }
}

/** In an address they are JSON. */
function variablesOf(variables: unknown): Readonly<Record<string, unknown>> {
  const read = typeof variables === 'string' ? readJson(variables) : variables
  if (read === undefined || read === null) return {}
  if (!isRecord(read) || read instanceof LongNumber) throw invalid('The variables of a request are an object.')
  return read
}

/** What a caller may hear; what is a defect of ours is in the log, under the request's id. */
function told(error: unknown, request: Sent): Error {
  try {
    return graphQlError(error)
  } catch {
    request.log.error({ error: forLog(error), requestId: request.id }, 'request failed')
    const message = `Something went wrong in the instance (${request.id}).`
    return new GraphQLError(message, { extensions: { code: 'FAILED', status: 500 } })
  }
}

/** An answer with errors is an answer; that the database is away is said to whoever looks at the status only. */
function statusOf({ errors = [] }: ExecutionResult): number {
  return errors.some(({ extensions }) => extensions?.['status'] === 503) ? 503 : 200
}

function send(reply: FastifyReply, status: number, result: ExecutionResult): FastifyReply {
  if (status === 503) void reply.header('retry-after', '2')
  return reply.status(status).type(json).send(JSON.stringify(result))
}

function methodNotAllowed(): HttpError {
  return new HttpError(405, 'Changes are sent by POST.', { allow: 'POST' })
}
