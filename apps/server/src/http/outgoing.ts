import { limits } from '@cadmus/model/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { ApiError } from '../errors/api-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    turn: Turn | null
  }
}

/** One answer under way, from the identification of the caller until delivery or disconnection. */
export type Turn = {
  /** Counts bytes waiting to be sent; throws 429 if too many of the caller's are unread. */
  hold(bytes: number): void
  end(): void
}

type Held = { answers: number; bytes: number }

/** Tracks answers and unread bytes per caller. */
export class Outgoing {
  #held = new Map<string, Held>()
  #most: Held

  constructor(most: Held = { answers: limits.answersAtOnce, bytes: limits.unsentAnswers }) {
    this.#most = most
  }

  /** Throws 429 if the caller has too many answers under way. */
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
        // A single answer may have any size; only other unread answers count against it.
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

/** Counts an answer for its caller until delivery or disconnection. */
export function takeTurn(outgoing: Outgoing, caller: string, request: FastifyRequest, reply: FastifyReply): void {
  const turn = outgoing.begin(caller)
  request.turn = turn
  whenOver(request, reply, turn.end)
}

/** Calls `end` on delivery or disconnection, at once if the connection is already closed. */
export function whenOver(request: FastifyRequest, reply: FastifyReply, end: () => void): void {
  const { socket } = request.raw
  if (socket.destroyed) return end()
  const ends = endsOf(socket)
  ends.add(end)
  reply.raw.once('close', () => {
    if (ends.delete(end)) end()
  })
}

/** Counts every answer before sending, and closes connections that stop reading. */
export function limitOutgoing(app: FastifyInstance, patience: number): void {
  app.decorateRequest('turn', null)
  app.addHook('onSend', async (request, reply, payload) => {
    // Error answers are always sent.
    if (reply.statusCode < 400) holdBytes(request, reply, sizeOf(payload))
    cutWhenStalled(request, reply, patience)
  })
  // A route's own hooks run last, so the payload is final after the hooks that inspect or replace it.
  app.addHook('onRoute', route => {
    const last: onSendHookHandler = async (_request, reply, payload) => inSlices(reply, payload)
    route.onSend = [route.onSend ?? [], last].flat()
  })
}

/**
 * The timer restarts whenever the system accepts data. A socket timeout would not do, because incoming bytes restart it
 * too.
 */
function cutWhenStalled(request: FastifyRequest, { raw }: FastifyReply, patience: number): void {
  const { socket } = request.raw
  // Requests injected for the development provider have no socket.
  if (!(socket instanceof Socket) || watched.has(raw)) return
  watched.add(raw)
  const timer = setTimeout(() => {
    if (socket.destroyed) return
    // With an empty buffer the server is slow, or an earlier answer of the connection is still being sent.
    if (raw.socket === null || raw.writableLength === 0) timer.refresh()
    else socket.destroy()
  }, patience).unref()
  raw.on('drain', () => timer.refresh())
  raw.once('finish', () => clearTimeout(timer))
}

const watched = new WeakSet<FastifyReply['raw']>()

const slice = 64 * 1024

/** Writes in pieces, each after the previous one was accepted, to tell slow readers from stalled ones. */
function inSlices(reply: FastifyReply, payload: unknown): unknown {
  if (sizeOf(payload) <= slice) return payload
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (!Buffer.isBuffer(bytes)) return payload
  reply.header('content-length', bytes.length)
  return Readable.from(slicesOf(bytes), { objectMode: false, highWaterMark: slice })
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += slice) yield bytes.subarray(at, at + slice)
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

/** Queued answers get no event when their connection closes, so one listener per socket ends them all. */
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
