import { closeWhenStalled } from '@cadmus/model/stalled-body'
import type { FastifyInstance } from 'fastify'
import { Socket } from 'node:net'

/** Every body: its connection is closed when its sender stops in the middle of it. */
export function limitIncoming(app: FastifyInstance, patience: number): void {
  app.addHook('onRequest', async ({ raw }) => {
    // The development provider is asked from within, without a connection.
    if (raw.socket instanceof Socket) closeWhenStalled(raw, patience)
  })
}
