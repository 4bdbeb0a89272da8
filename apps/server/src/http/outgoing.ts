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
  })
  // A route's own hooks come last: what the others look at, or put in its place, is whole.
  app.addHook('onRoute', route => {
    const last: onSendHookHandler = async (_request, reply, payload) => inSlices(reply, payload)
    route.onSend = [route.onSend ?? [], last].flat()
  })
}

/**
 * The time begins anew whenever what was written was taken by the system. A socket's own timer would not do: it begins anew with
 * bytes that the caller sends, too.
 */
function cutWhenStalled(request: FastifyRequest, { raw }: FastifyReply, patience: number): void {
  const { socket } = request.raw
  // The development provider is asked from within, without a connection.
  if (!(socket instanceof Socket) || watched.has(raw)) return
  watched.add(raw)
  const timer = setTimeout(() => {
    if (socket.destroyed) return
    // Where nothing waits to be taken, it is the server that is slow, or another answer of the connection that comes first.
    if (raw.socket === null || raw.writableLength === 0) timer.refresh()
    else socket.destroy()
  }, patience).unref()
  raw.on('drain', () => timer.refresh())
  raw.once('finish', () => clearTimeout(timer))
}

const watched = new WeakSet<FastifyReply['raw']>()

const slice = 64 * 1024

/** Written in pieces, each when the one before was taken: who reads slowly is told from who does not read. */
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
