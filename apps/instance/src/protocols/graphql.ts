import { sdlOf } from '@cadmus/formats/graphql/write'
import { isRecord } from '@cadmus/model/equal'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalid, notFound } from '../http-error.ts'
import type * as answering from './graphql/answering.ts'
import type { GraphQlRequest } from './graphql/documents.ts'
import { firstQuery } from './graphql/first-query.ts'
import type { GraphQlContext } from './graphql/resolvers.ts'
import type { Admitted } from '../auth/admitted.ts'
import type { Served } from '../engine/served.ts'
import { explorerAddress } from './explorer-address.ts'
import { asSent, type ProtocolHost } from './protocol-host.ts'
import { LongNumber, readJson } from './rest/json-body.ts'

type Parts = { readonly ns: string }
type Sent = FastifyRequest<{ Params: Parts; Querystring: Readonly<Record<string, unknown>>; Body: unknown }>

const json = 'application/json; charset=utf-8'
const text = 'text/plain; charset=utf-8'

/**
 * Serves every package that has GraphQL at `/graphql/<namespace>/1.0`: requests by POST, queries by GET as well; browsers are led to
 * the explorer. Each field at the root of a request is one operation.
 */
export function registerGraphQl<Running extends Served>(app: FastifyInstance, host: ProtocolHost<Running>): void {
  void app.register(
    async graphql => {
      graphql.removeAllContentTypeParsers()
      graphql.addContentTypeParser('application/json', { parseAs: 'string' }, asSent)
      graphql.get('/', async (request: Sent, reply) => {
        const running = runningFor(host, request)
        if (wantsPage(request)) return reply.redirect(explorerAddress(running.api, 'graphql'))
        return answer(host, running, request, reply, () => request.query)
      })
      graphql.get('/schema.graphql', async (request: Sent, reply) => {
        const running = runningFor(host, request)
        await host.admit(request, running, 'any')
        request.scope.requireCaller()
        return host.send(reply, text, sdlOf(running.api))
      })
      graphql.get('/first-query.graphql', async (request: Sent, reply) => {
        const running = runningFor(host, request)
        const caller = await host.admit(request, running, 'any')
        return host.send(reply, text, firstQuery(running.api, caller))
      })
      graphql.post('/', (request: Sent, reply) =>
        answer(host, runningFor(host, request), request, reply, () => bodyOf(request)),
      )
    },
    { prefix: '/graphql/:ns/1.0' },
  )
}

/** A browser that was led there asks for a page and not for data. */
function wantsPage({ headers, query }: Sent): boolean {
  return query['query'] === undefined && /\btext\/html\b/.test(headers.accept ?? '')
}

/** GraphQL's own code is much of the memory of an instance that nobody asks in it: it comes with the first request. */
let code: typeof answering | null = null

/** `read`: what was sent, which is not looked at for whoever is not let in. */
async function answer<Running extends Served>(
  host: ProtocolHost<Running>,
  running: Running,
  request: Sent,
  reply: FastifyReply,
  read: () => unknown,
): Promise<FastifyReply> {
  const admitted = host.admit(request, running, 'any')
  const caller = admitted instanceof Promise ? await admitted : admitted
  const asked = requestOf(read())
  code ??= await import('./graphql/answering.ts')
  const { answerGraphQl, told } = code
  const context = contextOf(host, running, request, caller, error => told(error, request))
  const answered = await answerGraphQl(running.api, asked, context, request.method === 'POST')
  const { status } = answered
  // Of a request that cannot be carried out there are errors only.
  if (status === 400) return reply.status(status).type(json).send(answered.text)
  return host.send(reply, json, answered.text, status === 503)
}

function contextOf<Running extends Served>(
  host: ProtocolHost<Running>,
  running: Running,
  request: Sent,
  caller: Admitted,
  told: GraphQlContext['told'],
): GraphQlContext {
  return {
    // The gate is asked again by those only whom it will refuse, in its own words.
    admit: async need => (caller.may(need) ? caller : host.admit(request, running, need)),
    caller,
    run: (operation, admitted, copies) => running.engine.run(operation, admitted, request.scope, copies),
    write: (operation, admitted) => running.engine.write(operation, admitted, request.scope),
    told,
  }
}

function runningFor<Running extends Served>(host: ProtocolHost<Running>, { params }: Sent): Running {
  const running = host.byNamespace(params.ns)
  if (!running?.api.protocols.includes('GRAPHQL')) throw notFound()
  return running
}

function bodyOf({ body }: Sent): unknown {
  return typeof body === 'string' ? readJson(body) : undefined
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
