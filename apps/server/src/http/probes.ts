import { isLoopbackName } from '@cadmus/model/own-host'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearerToken, isBootstrapToken } from '../auth/bearer.ts'
import type { Context } from '../context.ts'
import { ApiError, forbidden, unavailable } from '../errors/api-error.ts'

/** Probes for operators: liveness, readiness and metrics. */
export function serveProbes(app: FastifyInstance, context: Context): void {
  app.get('/health', async () => ({ status: 'up' }))
  app.get('/ready', async () => {
    try {
      await context.store.check()
    } catch (error) {
      throw error instanceof ApiError ? error : unavailable('The store cannot be reached.', error)
    }
    return { status: 'ready' }
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(context, request))
      throw forbidden('Metrics require a request from this machine or the bootstrap token.')
    return reply.type(context.metrics.contentType).send(await context.metrics.text())
  })
}

function mayReadMetrics(context: Context, request: FastifyRequest): boolean {
  return isLoopbackName(request.ip) || isBootstrapToken(context, bearerToken(request.headers.authorization))
}
