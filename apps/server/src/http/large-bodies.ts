import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors/api-error.ts'
import { Turns } from '../store/turns.ts'

declare module 'fastify' {
  interface FastifyRequest {
    answering: FastifyReply['raw'] | null
    endTurn: (() => void) | null
  }
}

/** Characters above which a body is processed exclusively, with other requests answered between the steps. */
const large = 128 * 1024
const noOrganisation = -1

/**
 * Processes large bodies one at a time, fairly between organisations: two at once would double the delay of all other
 * requests.
 */
export class LargeBodies {
  readonly #turns = new Turns({ slots: 1, slotsOfOne: 1, waiting: 40, waitingOfOne: 20 })

  constructor(app: FastifyInstance) {
    app.decorateRequest('answering', null)
    app.decorateRequest('endTurn', null)
    app.addHook('onRequest', async (request, reply) => {
      request.answering = reply.raw
    })
    app.addHook('preHandler', async request => {
      if (request.endTurn !== null) await nextTurn()
    })
    // Ends with the first byte of the answer: a slow reader must not block the queue.
    app.addHook('onSend', async request => request.endTurn?.())
  }

  /** Waits for a slot, then parses the body. */
  async read<T>(request: FastifyRequest, text: string, parse: () => Promise<T>): Promise<T> {
    const { answering } = request
    if (text.length < large || answering === null) return parse()
    const gone = new AbortController()
    const leave = () => gone.abort(new ApiError(499, 'gone', 'The caller has gone away.'))
    answering.once('close', leave)
    const end = await this.#turns.begin(request.admission?.organisation?.id ?? noOrganisation, {
      signal: gone.signal,
    })
    let isOver = false
    request.endTurn = () => {
      if (!isOver) end()
      isOver = true
    }
    answering.once('close', request.endTurn)
    await nextTurn()
    const value = await parse()
    await nextTurn()
    return value
  }
}
