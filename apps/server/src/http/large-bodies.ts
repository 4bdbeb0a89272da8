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

/** Characters from which on a body is read, checked and worked on alone, with others' requests answered between the steps. */
const large = 128 * 1024
const noOrganisation = -1

/** Large bodies one after the other, fair between organisations: two at once would hold everybody else twice as long. */
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
    // As soon as there is an answer: how fast it is taken is the caller's affair.
    app.addHook('onSend', async request => request.endTurn?.())
  }

  /** Reads a body when its turn has come. */
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
