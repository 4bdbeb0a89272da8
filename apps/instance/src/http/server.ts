import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { limits } from '@cadmus/model/limits'
import { hasOneHost, isForUs, type OwnPlace } from '@cadmus/model/own-host'
import { closeWhenStalled } from '@cadmus/model/stalled-body'
import type { Context } from '../context.ts'
import { registerExplorer } from '../explorer/explorer.ts'
import { HttpError, notFound } from '../http-error.ts'
import { forLog } from '../log.ts'
import { serveManagement } from '../management/register.ts'
import { registerGraphQl } from '../protocols/graphql.ts'
import { registerRest } from '../protocols/rest.ts'
import { registerSoap } from '../protocols/soap.ts'
import { acceptJson } from './bodies.ts'
import { idOf, writeErrorHeaders, writtenError } from './errors.ts'
import { type Protocol, serveProtocols } from './protocols.ts'
import { secureHeaders } from './secure-headers.ts'

const served: readonly Protocol[] = [registerRest, registerGraphQl, registerSoap, registerExplorer]

/** Creates the HTTP server, not yet listening. Tests of the gate pass their own `protocols`. */
export async function createServer(
  context: Context,
  protocols = served,
  stalled: number = limits.stalledBody,
): Promise<FastifyInstance> {
  const app = fastify({
    // Addresses contain filters with personal data, which must not be logged.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    // Routes behind authentication raise the limit.
    bodyLimit: limits.unknownBody,
    // Only a proxy on this machine may set the caller's address.
    trustProxy: 'loopback',
    routerOptions: { maxParamLength: 8000 },
    // Malformed addresses do not reach a route.
    frameworkErrors: (error, request, reply) => answerError(context, error, request, reply),
    // Limits slow requests.
    requestTimeout: 300_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
  })
  forwardLog(context.log, app)
  app.setErrorHandler((error, request, reply) => answerError(context, error, request, reply))
  app.addHook('onRequest', ({ raw }, _reply, next) => {
    closeWhenStalled(raw, stalled)
    next()
  })
  checkHosts(app, context)
  // Refuses unknown addresses before a body is received.
  app.addHook('onRequest', ({ is404 }, _reply, next) => next(is404 ? notFound() : undefined))
  secureHeaders(app, context.config.publicUrl?.protocol === 'https:')
  acceptJson(app)
  app.get('/health', async () => ({ status: 'up' }))
  await serveManagement(app, context)
  await serveProtocols(app, context, protocols)
  return app
}

/**
 * Forwards the framework's log. Passing the log at creation would add a child logger and listeners to each request.
 */
function forwardLog(log: Context['log'], app: FastifyInstance): void {
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)
    app.log[level] = log[level].bind(log)
}

/** Answers errors in the format of the REST protocol. */
function answerError(context: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const requestId = idOf(request)
  const { status, message, unexpected, fields } = writtenError(error, requestId)
  if (unexpected) context.log.error({ error: forLog(error), requestId }, 'request failed')
  else context.log.debug({ error: forLog(error), requestId }, 'request refused')
  writeErrorHeaders(reply, error)
  void reply
    .status(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ result: 'ERROR', message, fields }))
}

/** Refuses requests for other host names, as sent by pages with a rebound DNS name. */
function checkHosts(app: FastifyInstance, place: OwnPlace): void {
  // Caches the last accepted host, since most callers use the same.
  let last = { host: '', publicUrl: place.publicUrl }
  app.addHook('onRequest', ({ headers, raw }, _reply, next) => {
    const { host } = headers
    if (!hasOneHost(raw.rawHeaders)) return next(new HttpError(400, 'A request must have exactly one Host header.'))
    const { publicUrl } = place
    const isKnown = host === last.host && publicUrl === last.publicUrl && raw.url?.startsWith('/') === true
    if (host !== undefined && isKnown) return next()
    if (host !== undefined && isForUs(raw.url, host, place)) {
      last = { host, publicUrl }
      next()
    } else next(new HttpError(421, 'This host name is not configured for the instance.'))
  })
}
