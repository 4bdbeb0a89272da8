import { limits } from '@cadmus/model/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Socket } from 'node:net'
import { ApiError } from '../errors/api-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    turn: Turn | null
  }
}

/** One answer under way: counted from the moment its caller is known until the caller has it, or is gone. */
export type Turn = {
  /** Counts bytes that wait to be sent; throws 429 where the caller leaves too many unread. */
  hold(bytes: number): void
  end(): void
}

type Held = { answers: number; bytes: number }

/** What each caller has under way: answers that are worked on or being sent, and their bytes that nobody took yet. */
export class Outgoing {
  #held = new Map<string, Held>()
  #most: Held

  constructor(most: Held = { answers: limits.answersAtOnce, bytes: limits.unsentAnswers }) {
    this.#most = most
  }

  /** Throws 429 where the caller has too many answers under way. */
  begin(caller: string): Turn {
    const held = this.#held.get(caller) ?? { answers: 0, bytes: 0 }
    if (held.answers >= this.#most.answers) throw tooMuch()
    held.answers += 1
    this.#held.set(caller, held)
    let own = 0
    let ended = false
    return {
      hold: bytes => {
        if (ended) return
        // A single answer may be as large as it is: only others that wait unread stand in its way.
        if (held.bytes - own > 0 && held.bytes + bytes > this.#most.bytes) throw tooMuch()
        own += bytes
        held.bytes += bytes
      },
      end: () => {
        if (ended) return
        ended = true
        held.bytes -= own
        held.answers -= 1
        if (held.answers === 0) this.#held.delete(caller)
      },
    }
  }
}

/** Counts an answer for its caller until it was taken or the connection is gone. */
export function takeTurn(outgoing: Outgoing, caller: string, request: FastifyRequest, reply: FastifyReply): void {
  const turn = outgoing.begin(caller)
  request.turn = turn
  whenOver(request, reply, turn.end)
}

/** Calls `end` when the answer was taken or its connection is gone, be it gone already. */
export function whenOver(request: FastifyRequest, reply: FastifyReply, end: () => void): void {
  const { socket } = request.raw
  if (socket.destroyed) return end()
  const ends = endsOf(socket)
  ends.add(end)
  reply.raw.once('close', () => {
    if (ends.delete(end)) end()
  })
}

/** Every answer: counted before it is sent, and its connection is closed when nothing of it is taken for a while. */
export function limitOutgoing(app: FastifyInstance, patience: number): void {
  app.decorateRequest('turn', null)
  app.addHook('onSend', async (request, reply, payload) => {
    // The refusal itself always goes out.
    if (reply.statusCode < 400) holdBytes(request, reply, sizeOf(payload))
    cutWhenStalled(request, reply, patience)
    return payload
  })
}

/** The timer starts anew whenever the system takes bytes, and is the server's own again when the answer is out. */
function cutWhenStalled(request: FastifyRequest, { raw }: FastifyReply, patience: number): void {
  const { socket } = request.raw
  // The development provider is asked from within, without a connection.
  if (!(socket instanceof Socket) || raw.listenerCount('timeout') > 0) return
  raw.setTimeout(patience, () => {
    // Where nothing waits to be taken, it is the server that is slow.
    if (raw.writableLength > 0) socket.destroy()
  })
}

function holdBytes(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
  try {
    request.turn?.hold(bytes)
  } catch (error) {
    reply.removeHeader('etag').removeHeader('content-disposition')
    throw error
  }
}

const byConnection = new WeakMap<Socket, Set<() => void>>()

/** Answers that stand in a connection's queue are not told when it closes: one listener for all of them does. */
function endsOf(socket: Socket): Set<() => void> {
  const known = byConnection.get(socket)
  if (known !== undefined) return known
  const ends = new Set<() => void>()
  byConnection.set(socket, ends)
  socket.once('close', () => {
    for (const end of ends) end()
    ends.clear()
  })
  return ends
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length
  return payload instanceof Uint8Array ? payload.byteLength : 0
}

function tooMuch(): ApiError {
  const message = 'Too many answers are under way for you. Try again when some have arrived.'
  return new ApiError(429, 'rate_limited', message, { retryAfter: 1 })
}
