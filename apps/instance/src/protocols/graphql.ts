import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { rootFields } from '@cadmus/formats/graphql/root-fields'
import { sdlOf } from '@cadmus/formats/graphql/write'
import { servedFields } from '@cadmus/formats/served-fields'
import type { Api } from '@cadmus/model/api/api'
import { isRecord } from '@cadmus/model/equal'
import type { Admitted } from '../auth/admitted.ts'
import type { ServedPackage } from '../engine/engine.ts'
import { invalid } from '../http-error.ts'
import type * as answering from './graphql/documents.ts'
import type { GraphQlRequest } from './graphql/documents.ts'
import type { GraphQlContext } from './graphql/resolvers.ts'
import { acceptText, explorerAddress, type ProtocolHost, runningFor } from './protocol-host.ts'
import { LongNumber, readJson } from './rest/body.ts'

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
      acceptText(graphql, ['application/json'])
      graphql.get('/', async (request: HttpRequest, reply) => {
        const running = runningFor(host, request, 'GRAPHQL')
        if (wantsPage(request)) return reply.redirect(explorerAddress(running.api, 'graphql'))
        return answer(host, running, request, reply, () => request.query)
      })
      graphql.get('/schema.graphql', async (request: HttpRequest, reply) => {
        const running = runningFor(host, request, 'GRAPHQL')
        await host.admit(request, running, 'any')
        request.scope.requireCaller()
        return host.send(reply, text, sdlOf(running.api))
      })
      graphql.get('/first-query.graphql', async (request: HttpRequest, reply) => {
        const running = runningFor(host, request, 'GRAPHQL')
        const caller = await host.admit(request, running, 'any')
        return host.send(reply, text, firstQuery(running.api, caller))
      })
      graphql.post('/', (request: HttpRequest, reply) =>
        answer(host, runningFor(host, request, 'GRAPHQL'), request, reply, () => bodyOf(request)),
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
  code ??= await import('./graphql/documents.ts')
  const result = await code.answerGraphQl(running.api, parsed, contextOf(host, running, request, caller), request)
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
): Omit<GraphQlContext, 'reportError'> {
  return {
    // The gate is called only to refuse, so that its message is used.
    admit: async need => (caller.may(need) ? caller : host.admit(request, running, need)),
    caller,
    run: (operation, admitted, copies) => running.engine.run(operation, admitted, request.scope, copies),
    write: (operation, admitted) => running.engine.write(operation, admitted, request.scope),
  }
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

const maxFields = 5

/** A sample query: the first list the caller may read, with its total and first fields. '' if there is none. */
function firstQuery(api: Api, caller: Pick<Admitted, 'may'>): string {
  const list = rootFields(api).query.find(
    ({ kind, entity }) => kind === 'selectAll' && caller.may({ entity: entity.name, operation: 'selectAll' }),
  )
  if (list === undefined) return ''
  const { name, entity, names } = list
  const members = servedFields(api, entity)
    .slice(0, maxFields)
    .flatMap(field => names.members.get(field.name) ?? [])
  const records = members.length === 0 ? [] : ['records {', ...members.map(member => `  ${member}`), '}']
  const lines = ['total', ...records].map(line => `    ${line}`)
  return ['{', `  ${name}${api.options.limitOffset ? '(limit: 10)' : ''} {`, ...lines, '  }', '}', ''].join('\n')
}
