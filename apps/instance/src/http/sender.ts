import type { Socket } from 'node:net'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { limits } from '@cadmus/model/limits'
import { networkOf } from '@cadmus/model/rate-limit'
import { slicesOf, type TextPieces } from '@cadmus/model/text-pieces'
import { HttpError, invalid } from '../http-error.ts'
import { type RequestScope, tooLargeAnswer } from '../request-scope.ts'
import { fixedHeaders } from './secure-headers.ts'

/** Sends text with the common headers; `isAway`: with 503 instead of 200. */
type Send = (
  reply: FastifyReply,
  contentType: string,
  text: TextPieces,
  isAway?: boolean,
) => FastifyReply | Promise<FastifyReply>

/** Characters encoded and written at once. */
const sliceLength = 64 * 1024
/** Milliseconds between yields to the event loop. */
const yieldInterval = 10

/**
 * Creates a sender that bypasses the framework's reply handling, for speed. Small answers are written at once. Large
 * ones wait for a slot and are written in pieces while the caller is connected. Throws 429 if the caller has too many
 * unread bytes, and 503 if all callers together have too many.
 */
export function sender(isHttps: boolean, unread: Unread): Send {
  const fixed = fixedHeaders(isHttps)
  // Each content type reuses one header list; Node.js does not keep it.
  const lists = new Map<string, string[]>()
  const begin = (reply: FastifyReply, contentType: string, size: number, isAway: boolean) => {
    const list = lists.get(contentType) ?? [...fixed, 'content-type', contentType, 'content-length', '']
    lists.set(contentType, list)
    unread.hold(reply, size)
    list[list.length - 1] = String(size)
    reply.hijack()
    if (isAway) reply.raw.writeHead(503, [...list, 'retry-after', '2'])
    else reply.raw.writeHead(200, list)
  }
  return (reply, contentType, text, isAway = false) => {
    const { scope } = reply.request
    if (scope.isGone) return reply.hijack()
    const small = smallText(text)
    if (typeof small !== 'string') {
      return encode(small, scope).then(({ parts, size }) => {
        begin(reply, contentType, size, isAway)
        void write(reply, parts)
        return reply
      })
    }
    // The answer is complete, so a slow reader must not occupy the slot.
    scope.freeSlot()
    begin(reply, contentType, Buffer.byteLength(small), isAway)
    reply.raw.end(small)
    return reply
  }
}

/** Returns a small text whole, otherwise its pieces. */
function smallText(text: TextPieces): string | Iterable<string> {
  if (typeof text === 'string') return text.length <= limits.quickAnswer ? text : [text]
  const pieces = text[Symbol.iterator]()
  let whole = ''
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    whole += next.value
    if (whole.length > limits.quickAnswer) return remaining(whole, pieces)
  }
  return whole
}

function* remaining(first: string, pieces: Iterator<string>): Generator<string> {
  yield first
  for (let next = pieces.next(); !next.done; next = pieces.next()) yield next.value
}

/** Encodes a large answer. Throws 499 if the caller has disconnected, and 400 if the answer is too large. */
async function encode(pieces: Iterable<string>, scope: RequestScope): Promise<{ parts: Buffer[]; size: number }> {
  await scope.slot()
  const parts: Buffer[] = []
  let size = 0
  let since = performance.now()
  for (const text of slicesOf(pieces, sliceLength)) {
    const part = Buffer.from(text)
    parts.push(part)
    size += part.length
    if (size > limits.databaseAnswer && !scope.isCommitted) throw invalid(tooLargeAnswer)
    if (performance.now() - since < yieldInterval) continue
    await yieldToEventLoop()
    scope.requireCaller()
    since = performance.now()
  }
  scope.freeSlot()
  return { parts, size }
}

/** Writes each part when the previous one is sent, while the caller is connected. */
async function write({ raw, request: { scope } }: FastifyReply, parts: Buffer[]): Promise<void> {
  for (const [at, part] of parts.entries()) {
    if (scope.isGone || raw.destroyed) return
    // Frees the memory of the part.
    parts[at] = emptyBuffer
    if (!raw.write(part)) await drained(raw, scope)
  }
  raw.end()
}

const emptyBuffer = Buffer.alloc(0)

/**
 * Waits until the socket accepts more, and closes a stalled connection: the socket's own timeout restarts with bytes
 * that the caller sends. Without a socket, an earlier answer on the connection comes first.
 */
function drained(raw: FastifyReply['raw'], scope: RequestScope): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(() => (raw.socket === null ? timer.refresh() : raw.socket.destroy()), limits.stalledAnswer)
    scope.onEnd(proceed)
    raw.once('drain', proceed)
    function proceed() {
      clearTimeout(timer)
      scope.offEnd(proceed)
      raw.off('drain', proceed)
      resolve()
    }
  })
}

/** Smaller answers fit into the buffers of the operating system. */
const maxUncounted = 64 * 1024

/**
 * Counts unread answers, which are buffered until they are sent: callers that never read would exhaust the memory.
 */
export class Unread {
  readonly #queued = new WeakMap<Socket, number>()
  readonly #bytesByNetwork = new Map<string, number>()
  #totalBytes = 0

  /** Registers a request. Throws 429 if the caller has too many unread bytes or queued requests on the connection. */
  enter({ raw, request }: FastifyReply): void {
    if (this.#bytesByNetwork.size > 0 && (this.#bytesByNetwork.get(networkOf(request.ip)) ?? 0) > limits.unsentAnswers)
      throw tooManyUnread()
    const { socket } = request
    // The request that is answered next owns the socket.
    if (raw.socket !== null) return
    const queued = this.#queued.get(socket) ?? 0
    if (queued >= limits.answersAtOnce) throw tooManyUnread()
    this.#queued.set(socket, queued + 1)
    raw.once('close', () => this.#queued.set(socket, (this.#queued.get(socket) ?? 1) - 1))
  }

  /**
   * Registers the bytes of an answer. Throws 429 if the caller has too many unread bytes, and 503 if all callers
   * together have. A stalled connection is closed.
   */
  hold({ raw, request: { ip, scope } }: FastifyReply, bytes: number): void {
    if (bytes <= maxUncounted) return
    const network = networkOf(ip)
    // The caller must learn of a committed change.
    if (!scope.isCommitted) this.#require(network, bytes)
    this.#bytesByNetwork.set(network, (this.#bytesByNetwork.get(network) ?? 0) + bytes)
    this.#totalBytes += bytes
    raw.setTimeout(limits.stalledAnswer)
    scope.onEnd(() => this.#release(network, bytes))
  }

  /** Throws like `hold` if no large answer fits, before any work. */
  requireRoom(ip: string): void {
    this.#require(networkOf(ip), limits.quickAnswer + 1)
  }

  #require(network: string, bytes: number): void {
    const unreadBytes = this.#bytesByNetwork.get(network) ?? 0
    // A single answer may exceed the limit.
    if (unreadBytes > 0 && unreadBytes + bytes > limits.unsentAnswers) throw tooManyUnread()
    // A caller without unread answers may get a small one in spite of the total.
    const isSmall = unreadBytes === 0 && bytes <= limits.quickAnswer
    if (!isSmall && this.#totalBytes > 0 && this.#totalBytes + bytes > limits.unsentAnswersInAll)
      throw tooManyUnreadInTotal()
  }

  #release(caller: string, bytes: number): void {
    this.#totalBytes -= bytes
    const left = (this.#bytesByNetwork.get(caller) ?? bytes) - bytes
    if (left > 0) this.#bytesByNetwork.set(caller, left)
    else this.#bytesByNetwork.delete(caller)
  }
}

function tooManyUnread(): HttpError {
  return new HttpError(429, 'Too many of your responses are unread. Read them, then try again.', { 'retry-after': '1' })
}

function tooManyUnreadInTotal(): HttpError {
  return new HttpError(503, 'Too many responses are unread. Try again in a moment.', { 'retry-after': '1' })
}
