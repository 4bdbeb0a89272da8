import { limits } from '@cadmus/model/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { ApiError } from '../errors/api-error.ts'

declare module 'fastify' {
  interface FastifyRequest {
    answerSlot: AnswerSlot | null
  }
}

/** One answer under way, from the identification of the caller until delivery or disconnection. */
export type AnswerSlot = {
  /** Counts bytes waiting to be sent; throws 429 if too many of the caller's are unread. */
  hold(bytes: number): void
  end(): void
}

type Usage = { answers: number; bytes: number }

/** Tracks answers and unread bytes per caller. */
export class AnswerLimiter {
  #usage = new Map<string, Usage>()
  #max: Usage

  constructor(max: Usage = { answers: limits.answersAtOnce, bytes: limits.unsentAnswers }) {
    this.#max = max
  }

  /** Throws 429 if the caller has too many answers under way. */
  begin(caller: string): AnswerSlot {
    const usage = this.#usage.get(caller) ?? { answers: 0, bytes: 0 }
    if (usage.answers >= this.#max.answers) throw tooManyAnswers()
    usage.answers += 1
    this.#usage.set(caller, usage)
    let slotBytes = 0
    let ended = false
    return {
      hold: bytes => {
        if (ended) return
        // A single answer may have any size; only other unread answers count against it.
        if (usage.bytes - slotBytes > 0 && usage.bytes + bytes > this.#max.bytes) throw tooManyAnswers()
        slotBytes += bytes
        usage.bytes += bytes
      },
      end: () => {
        if (ended) return
        ended = true
        usage.bytes -= slotBytes
        usage.answers -= 1
        if (usage.answers === 0) this.#usage.delete(caller)
      },
    }
  }
}

/** Counts an answer for its caller until delivery or disconnection. */
export function takeAnswerSlot(
  answerLimiter: AnswerLimiter,
  caller: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const answerSlot = answerLimiter.begin(caller)
  request.answerSlot = answerSlot
  onAnswerEnd(request, reply, answerSlot.end)
}

/** Calls `end` on delivery or disconnection, at once if the connection is already closed. */
export function onAnswerEnd(request: FastifyRequest, reply: FastifyReply, end: () => void): void {
  const { socket } = request.raw
  if (socket.destroyed) return end()
  const callbacks = endCallbacksOf(socket)
  callbacks.add(end)
  reply.raw.once('close', () => {
    if (callbacks.delete(end)) end()
  })
}

/** Counts every answer before sending, and closes connections that stop reading. */
export function limitOutgoing(app: FastifyInstance, timeout: number): void {
  app.decorateRequest('answerSlot', null)
  app.addHook('onSend', async (request, reply, payload) => {
    // Error answers are always sent.
    if (reply.statusCode < 400) holdBytes(request, reply, sizeOf(payload))
    closeWhenReaderStalls(request, reply, timeout)
  })
  // A route's own hooks run last, so the payload is final after the hooks that inspect or replace it.
  app.addHook('onRoute', route => {
    const last: onSendHookHandler = async (_request, reply, payload) => streamInSlices(reply, payload)
    route.onSend = [route.onSend ?? [], last].flat()
  })
}

/**
 * The timer restarts whenever the system accepts data. A socket timeout would not do, because incoming bytes restart it
 * too.
 */
function closeWhenReaderStalls(request: FastifyRequest, { raw }: FastifyReply, timeout: number): void {
  const { socket } = request.raw
  // Requests injected for the development provider have no socket.
  if (!(socket instanceof Socket) || stallTimers.has(raw)) return
  stallTimers.add(raw)
  const timer = setTimeout(() => {
    if (socket.destroyed) return
    // With an empty buffer the server is slow, or an earlier answer of the connection is still being sent.
    if (raw.socket === null || raw.writableLength === 0) timer.refresh()
    else socket.destroy()
  }, timeout).unref()
  raw.on('drain', () => timer.refresh())
  raw.once('finish', () => clearTimeout(timer))
}

const stallTimers = new WeakSet<FastifyReply['raw']>()

const sliceSize = 64 * 1024

/** Writes in pieces, each after the previous one was accepted, to distinguish slow readers from stalled ones. */
function streamInSlices(reply: FastifyReply, payload: unknown): unknown {
  if (sizeOf(payload) <= sliceSize) return payload
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  if (!Buffer.isBuffer(bytes)) return payload
  reply.header('content-length', bytes.length)
  return Readable.from(slicesOf(bytes), { objectMode: false, highWaterMark: sliceSize })
}

function* slicesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceSize) yield bytes.subarray(at, at + sliceSize)
}

function holdBytes(request: FastifyRequest, reply: FastifyReply, bytes: number): void {
  try {
    request.answerSlot?.hold(bytes)
  } catch (error) {
    reply.removeHeader('etag').removeHeader('content-disposition')
    throw error
  }
}

const byConnection = new WeakMap<Socket, Set<() => void>>()

/** Queued answers get no event when their connection closes, so one listener per socket ends them all. */
function endCallbacksOf(socket: Socket): Set<() => void> {
  const existing = byConnection.get(socket)
  if (existing !== undefined) return existing
  const callbacks = new Set<() => void>()
  byConnection.set(socket, callbacks)
  socket.once('close', () => {
    for (const end of callbacks) end()
    callbacks.clear()
  })
  return callbacks
}

function sizeOf(payload: unknown): number {
  if (typeof payload === 'string') return payload.length
  return payload instanceof Uint8Array ? payload.byteLength : 0
}

function tooManyAnswers(): ApiError {
  const message = 'Too many of your requests are in progress. Try again when some have finished.'
  return new ApiError(429, 'rate_limited', message, { retryAfter: 1 })
}
