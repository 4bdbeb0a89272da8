import { closeWhenStalled } from '@cadmus/model/stalled-body'
import type { FastifyInstance } from 'fastify'
import { Socket } from 'node:net'

/** Closes the connection of a body whose sender stalls. */
export function limitIncoming(app: FastifyInstance, timeout: number): void {
  app.addHook('onRequest', async ({ raw }) => {
    // Requests injected for the development provider have no socket.
    if (raw.socket instanceof Socket) closeWhenStalled(raw, timeout)
  })
}
