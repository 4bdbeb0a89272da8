import { limits } from '@cadmus/model/limits'
import { closeWhenStalled } from '@cadmus/model/stalled-body'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Context } from '../context.ts'
import { notFound } from '../http-error.ts'
import { serveManagement } from '../management/register.ts'
import { forLog } from '../log.ts'
import { idOf, writeErrorHeaders, writtenError } from './errors.ts'
import { registerExplorer } from '../explorer/explorer.ts'
import { registerGraphQl } from '../protocols/graphql.ts'
import { registerRest } from '../protocols/rest.ts'
import { registerSoap } from '../protocols/soap.ts'
import { checkHosts } from './hosts.ts'
import { acceptJson } from './json.ts'
import { type Protocol, serveProtocols } from './protocols.ts'
import { secureHeaders } from './secure-headers.ts'

/** What packages are served by. */
const served: readonly Protocol[] = [registerRest, registerGraphQl, registerSoap, registerExplorer]

/** The HTTP side of the instance, not listening yet. `protocols` are the product's, unless a test of the gate has one of its own. */
export async function createServer(
  context: Context,
  protocols = served,
  stalled: number = limits.stalledBody,
): Promise<FastifyInstance> {
  const app = fastify({
    // Addresses carry filters, which are somebody's data: the log has none.
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    // Routes that admit their callers first take more.
    bodyLimit: limits.unknownBody,
    // A proxy on this machine says who is behind it; nobody else is believed.
    trustProxy: 'loopback',
    routerOptions: { maxParamLength: 8000 },
    // Addresses that cannot be read never reach a route.
    frameworkErrors: (error, request, reply) => answerError(context, error, request, reply),
    // A caller that sends its request drop by drop is let go.
    requestTimeout: 300_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
  })
  logInto(context.log, app)
  app.setErrorHandler((error, request, reply) => answerError(context, error, request, reply))
  app.addHook('onRequest', ({ raw }, _reply, next) => {
    closeWhenStalled(raw, stalled)
    next()
  })
  checkHosts(app, context)
  // Before a body is received.
  app.addHook('onRequest', ({ is404 }, _reply, next) => next(is404 ? notFound() : undefined))
  secureHeaders(app, context.config.publicUrl?.protocol === 'https:')
  acceptJson(app)
  app.get('/health', async () => ({ status: 'up' }))
  await serveManagement(app, context)
  await serveProtocols(app, context, protocols)
  return app
}

/**
 * What the framework has to say goes into our log. Were it told of a log when it is made, it would make one more for each request and watch
 * for the end of each answer, for lines that nobody wants.
 */
function logInto(log: Context['log'], app: FastifyInstance): void {
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const)
    app.log[level] = log[level].bind(log)
}

/** The one writer of errors: as the REST protocol has them. */
function answerError(context: Context, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const requestId = idOf(request)
  const { status, message, unexpected } = writtenError(error, requestId)
  if (unexpected) context.log.error({ error: forLog(error), requestId }, 'request failed')
  else context.log.debug({ error: forLog(error), requestId }, 'request refused')
  writeErrorHeaders(reply, error)
  void reply
    .status(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ result: 'ERROR', message }))
}
