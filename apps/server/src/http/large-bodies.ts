import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import { OrganisationQueue } from '../store/organisation-queue.ts'

declare module 'fastify' {
  interface FastifyRequest {
    rawReply: FastifyReply['raw'] | null
    releaseQueue: (() => void) | null
  }
}

/** Characters above which a body is processed exclusively, with other requests answered between the steps. */
const minLargeBody = 128 * 1024
const noOrganisation = -1

/**
 * Processes large bodies one at a time, fairly between organisations: two at once would double the delay of all other
 * requests.
 */
export class LargeBodies {
  readonly #queues = new OrganisationQueue({ slots: 1, slotsOfOne: 1, waiting: 40, waitingOfOne: 20 })

  constructor(app: FastifyInstance) {
    app.decorateRequest('rawReply', null)
    app.decorateRequest('releaseQueue', null)
    app.addHook('onRequest', async (request, reply) => {
      request.rawReply = reply.raw
    })
    app.addHook('preHandler', async request => {
      if (request.releaseQueue !== null) await nextTurn()
    })
    // Ends with the first byte of the answer: a slow reader must not block the queue.
    app.addHook('onSend', async request => request.releaseQueue?.())
  }

  /** Waits for a slot, then parses the body. */
  async read<T>(request: FastifyRequest, text: string, parse: () => Promise<T>): Promise<T> {
    const { rawReply } = request
    if (text.length < minLargeBody || rawReply === null) return parse()
    const disconnected = new AbortController()
    const onClose = () => disconnected.abort(new ApiError(499, 'gone', 'The caller has disconnected.'))
    rawReply.once('close', onClose)
    const end = await this.#queues.begin(request.admission?.organisation?.id ?? noOrganisation, {
      signal: disconnected.signal,
    })
    let isReleased = false
    request.releaseQueue = () => {
      if (!isReleased) end()
      isReleased = true
    }
    rawReply.once('close', request.releaseQueue)
    await nextTurn()
    const value = await parse()
    await nextTurn()
    return value
  }
}
