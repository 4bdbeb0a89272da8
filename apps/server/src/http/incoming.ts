import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { hasOneHost, isForUs } from '@cadmus/model/own-host'
import { closeWhenStalled } from '@cadmus/model/stalled-body'
import type { Context } from '../context.ts'
import { ApiError, invalid } from '../errors/api-error.ts'

/** Rejects requests for a foreign host name, as sent by a page with a rebound DNS name. */
export function checkHosts(app: FastifyInstance, context: Context): void {
  app.addHook('onRequest', async request => {
    if (!hasOneHost(request.raw.rawHeaders)) throw invalid('A request must have exactly one Host header.')
    if (!isForUs(request.raw.url, request.headers.host, context)) {
      throw new ApiError(421, 'wrong_host', 'This host name is not configured for the server.')
    }
  })
}

/** Closes the connection of a body whose sender stalls. */
export function limitIncoming(app: FastifyInstance, timeout: number): void {
  app.addHook('onRequest', async ({ raw }) => {
    // Requests injected for the development provider have no socket.
    if (raw.socket instanceof Socket) closeWhenStalled(raw, timeout)
  })
}
