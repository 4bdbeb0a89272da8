import type { Api } from '@cadmus/model/api/api'
import { openApiOf } from '@cadmus/formats/openapi/write'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpError, notFound } from '../http-error.ts'
import type { ServedPackage } from '../engine/engine.ts'
import { acceptText, admitToAll, type ProtocolHost, runningFor, toHttpError } from './protocol-host.ts'
import { type RestCall, restCalls, type Target } from './rest/calls.ts'
import type { Query } from './rest/listing.ts'
import { surfaceOf } from './rest/surface.ts'

type Params = { readonly ns: string; readonly entity: string; readonly name?: string }
type RestRequest = FastifyRequest<{ Params: Params; Querystring: Query; Body: unknown }>

const prefix = '/api/:ns/1.0'
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const json = 'application/json; charset=utf-8'

/** Serves every package with REST at `/api/<namespace>/1.0`. */
export function registerRest<Running extends ServedPackage>(app: FastifyInstance, host: ProtocolHost<Running>): void {
  void app.register(
    async rest => {
      acceptText(rest, ['application/json'])
      for (const [url, calls] of Object.entries(restCalls)) {
        const start = url.endsWith('*') ? `${prefix}${url}`.split('/').length - 1 : Infinity
        rest.route({
          method: methods,
          url,
          handler: (request: RestRequest, reply) =>
            serve(host, calls, segmentsOf(request.url).slice(start), request, reply),
        })
      }
      rest.get('/openapi.json', async (request: RestRequest, reply) => {
        const running = runningFor(host, request, 'REST')
        await host.admit(request, running, 'any')
        request.scope.requireCaller()
        return host.send(reply, json, descriptionOf(running.api))
      })
    },
    { prefix },
  )
}

/** The decoded segments of a path. The router decodes `*` as a whole, so that a slash within a segment would separate. */
function segmentsOf(url: string): string[] {
  const [path = ''] = url.split(/[?#]/, 1)
  return path.split('/').map(decodeURIComponent)
}

/** `segments`: the key of a record and what follows it. */
async function serve<Running extends ServedPackage>(
  host: ProtocolHost<Running>,
  methodsAfterKey: readonly Readonly<Record<string, RestCall>>[],
  segments: readonly string[],
  request: RestRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const running = runningFor(host, request, 'REST')
  const surface = surfaceOf(running.api)
  const { params, query, body } = request
  const served = surface.entities.get(params.entity)
  if (!served) throw notFound()
  const keyLength = segments.length === 0 ? 0 : served.entity.key.length
  const calls = methodsAfterKey[segments.length - keyLength]
  if (!calls) throw notFound()
  const call = calls[request.method === 'HEAD' ? 'GET' : request.method]
  if (!call?.has(served)) throw methodNotAllowed(Object.entries(calls).filter(([, one]) => one.has(served)))
  const parts = { key: segments.slice(0, keyLength), relation: segments[keyLength], name: params.name }
  const target: Target = { surface, served, parts, query, body }
  const admitted = admitToAll(host, request, running, call.needs(target))
  const caller = admitted instanceof Promise ? await admitted : admitted
  const operation = call.operation(target, caller)
  try {
    const result = await running.engine.write(operation, caller, request.scope)
    return host.send(reply, json, call.answer(result, target))
  } catch (error) {
    throw toHttpError(error)
  }
}

/** 404 if the entity has no method at this address. */
function methodNotAllowed(calls: readonly [method: string, call: RestCall][]): HttpError {
  if (calls.length === 0) return notFound()
  const allowed = calls.map(([method]) => method).join(', ')
  return new HttpError(405, `This address accepts only ${allowed}.`, { allow: allowed })
}

const descriptions = new WeakMap<Api, string>()

function descriptionOf(api: Api): string {
  const description = descriptions.get(api) ?? JSON.stringify(openApiOf(api, { serverUrl: '' }))
  descriptions.set(api, description)
  return description
}
