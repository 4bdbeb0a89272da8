import { limits } from '@cadmus/model/limits'
import { networkOf } from '@cadmus/model/rate-limit'
import type { FastifyReply } from 'fastify'
import type { Socket } from 'node:net'
import { HttpError } from '../http-error.ts'

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
