import { sdlOf } from '@cadmus/formats/graphql/write'
import { isRecord } from '@cadmus/model/equal'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid, notFound } from '../http-error.ts'
import type * as answering from './graphql/answer.ts'
import type { GraphQlRequest } from './graphql/documents.ts'
import { firstQuery } from './graphql/first-query.ts'
import type { GraphQlContext } from './graphql/resolvers.ts'
import type { Admitted } from '../auth/admitted.ts'
import type { ServedPackage } from '../engine/served-package.ts'
import { explorerAddress } from './explorer-address.ts'
import { keepBodyText, type ProtocolHost } from './protocol-host.ts'
import { LongNumber, readJson } from './rest/json-body.ts'

type Parts = { readonly ns: string }
type HttpRequest = FastifyRequest<{ Params: Parts; Querystring: Readonly<Record<string, unknown>>; Body: unknown }>

const json = 'application/json; charset=utf-8'
const text = 'text/plain; charset=utf-8'

/**
 * Serves every package with GraphQL at `/graphql/<namespace>/1.0`: requests by POST, queries also by GET. Browsers are
 * redirected to the explorer. Each root field is one operation.
 */
export function registerGraphQl<Running extends ServedPackage>(
  app: FastifyInstance,
  host: ProtocolHost<Running>,
): void {
  void app.register(
    async graphql => {
      graphql.removeAllContentTypeParsers()
      graphql.addContentTypeParser('application/json', { parseAs: 'string' }, keepBodyText)
      graphql.get('/', async (request: HttpRequest, reply) => {
        const running = runningFor(host, request)
        if (wantsPage(request)) return reply.redirect(explorerAddress(running.api, 'graphql'))
        return answer(host, running, request, reply, () => request.query)
      })
      graphql.get('/schema.graphql', async (request: HttpRequest, reply) => {
        const running = runningFor(host, request)
        await host.admit(request, running, 'any')
        request.scope.requireCaller()
        return host.send(reply, text, sdlOf(running.api))
      })
      graphql.get('/first-query.graphql', async (request: HttpRequest, reply) => {
        const running = runningFor(host, request)
        const caller = await host.admit(request, running, 'any')
        return host.send(reply, text, firstQuery(running.api, caller))
      })
      graphql.post('/', (request: HttpRequest, reply) =>
        answer(host, runningFor(host, request), request, reply, () => bodyOf(request)),
      )
    },
    { prefix: '/graphql/:ns/1.0' },
  )
}

/** Whether a browser opens the address as a page. */
function wantsPage({ headers, query }: HttpRequest): boolean {
  return query['query'] === undefined && /\btext\/html\b/.test(headers.accept ?? '')
}

/** Loaded with the first request, since the GraphQL libraries take much memory. */
let code: typeof answering | null = null

/** `read`: parses the request. It is called only after the caller is admitted. */
async function answer<Running extends ServedPackage>(
  host: ProtocolHost<Running>,
  running: Running,
  request: HttpRequest,
  reply: FastifyReply,
  read: () => unknown,
): Promise<FastifyReply> {
  const admitted = host.admit(request, running, 'any')
  const caller = admitted instanceof Promise ? await admitted : admitted
  const parsed = requestOf(read())
  code ??= await import('./graphql/answer.ts')
  const { answerGraphQl, reportError } = code
  const context = contextOf(host, running, request, caller, error => reportError(error, request))
  const result = await answerGraphQl(running.api, parsed, context, request.method === 'POST')
  const { status } = result
  // Refused requests have errors but no data.
  if (status === 400) return reply.status(status).type(json).send(result.text)
  // Callers repeat requests with 503, which would repeat a committed change.
  return host.send(reply, json, result.text, status === 503 && !request.scope.isCommitted)
}

function contextOf<Running extends ServedPackage>(
  host: ProtocolHost<Running>,
  running: Running,
  request: HttpRequest,
  caller: Admitted,
  reportError: GraphQlContext['reportError'],
): GraphQlContext {
  return {
    // The gate is called only to refuse, so that its message is used.
    admit: async need => (caller.may(need) ? caller : host.admit(request, running, need)),
    caller,
    run: (operation, admitted, copies) => running.engine.run(operation, admitted, request.scope, copies),
    write: (operation, admitted) => running.engine.write(operation, admitted, request.scope),
    reportError,
  }
}

function runningFor<Running extends ServedPackage>(host: ProtocolHost<Running>, { params }: HttpRequest): Running {
  const running = host.byNamespace(params.ns)
  if (!running?.api.protocols.includes('GRAPHQL')) throw notFound()
  return running
}

function bodyOf({ body }: HttpRequest): unknown {
  return typeof body === 'string' ? readJson(body) : undefined
}

/** Throws an `HttpError` 400 for an invalid request. */
function requestOf(sent: unknown): GraphQlRequest {
  if (!isRecord(sent)) throw invalid('A request must be an object: { "query": …, "variables": …, "operationName": … }.')
  const { query, operationName } = sent
  if (typeof query !== 'string') throw invalid('The query must be a string.')
  const name = operationName === undefined || operationName === null || operationName === '' ? null : operationName
  if (name !== null && typeof name !== 'string') throw invalid('The operation name must be a string.')
  return { query, variables: variablesOf(sent['variables']), operationName: name }
}

/** A query string contains the variables as JSON. */
function variablesOf(variables: unknown): Readonly<Record<string, unknown>> {
  const read = typeof variables === 'string' ? readJson(variables) : variables
  if (read === undefined || read === null) return {}
  if (!isRecord(read) || read instanceof LongNumber) throw invalid('The variables must be an object.')
  return read
}
