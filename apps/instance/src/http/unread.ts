import { limits } from '@cadmus/model/limits'
import { networkOf } from '@cadmus/model/network'
import type { FastifyReply } from 'fastify'
import type { Socket } from 'node:net'
import { HttpError } from '../http-error.ts'

/** Smaller ones the system takes at once, whoever reads them. */
const small = 64 * 1024

/** What callers leave unread: answers are held until they are taken, and who asks and does not read would fill the memory. */
export class Unread {
  readonly #queued = new WeakMap<Socket, number>()
  readonly #held = new Map<string, number>()
  #inAll = 0

  /** Throws 429 where too much waits for the caller, or too many requests of the connection wait behind one another: nothing is done yet. */
  enter({ raw, request }: FastifyReply): void {
    if (this.#held.size > 0 && (this.#held.get(networkOf(request.ip)) ?? 0) > limits.unsentAnswers) throw tooMuch()
    const { socket } = request
    // The one whose turn it is has the connection.
    if (raw.socket !== null) return
    const queued = this.#queued.get(socket) ?? 0
    if (queued >= limits.answersAtOnce) throw tooMuch()
    this.#queued.set(socket, queued + 1)
    raw.once('close', () => this.#queued.set(socket, (this.#queued.get(socket) ?? 1) - 1))
  }

  /**
   * Throws 429 where the caller leaves too many bytes of other answers unread, and 503 where all callers together do; who takes nothing of
   * this one for long is let go.
   */
  hold({ raw, request: { ip, scope } }: FastifyReply, bytes: number): void {
    if (bytes <= small) return
    const network = networkOf(ip)
    // What was changed is not answered as if it were to be tried again: of large answers there was room before.
    const isFree = scope.isChange && (scope.hasRoom || bytes <= limits.requestBody)
    if (!isFree) this.#require(network, bytes)
    this.#held.set(network, (this.#held.get(network) ?? 0) + bytes)
    this.#inAll += bytes
    raw.setTimeout(limits.stalledAnswer)
    scope.atEnd(() => this.#release(network, bytes))
  }

  /** Throws as `hold` does where no large answer could be held, before anything is done. */
  requireRoom(ip: string): void {
    this.#require(networkOf(ip), limits.quickAnswer + 1)
  }

  #require(network: string, bytes: number): void {
    const held = this.#held.get(network) ?? 0
    // A single answer may be as large as it is.
    if (held > 0 && held + bytes > limits.unsentAnswers) throw tooMuch()
    // Who has nothing else waiting gets what is no large answer whatever others leave unread.
    const isModest = held === 0 && bytes <= limits.quickAnswer
    if (!isModest && this.#inAll > 0 && this.#inAll + bytes > limits.unsentAnswersInAll) throw tooMuchInAll()
  }

  #release(caller: string, bytes: number): void {
    this.#inAll -= bytes
    const left = (this.#held.get(caller) ?? bytes) - bytes
    if (left > 0) this.#held.set(caller, left)
    else this.#held.delete(caller)
  }
}

function tooMuch(): HttpError {
  return new HttpError(429, 'Too many answers wait for you. Try again when some have arrived.', { 'retry-after': '1' })
}

function tooMuchInAll(): HttpError {
  return new HttpError(503, 'Too many answers wait for their callers. Try again in a moment.', { 'retry-after': '1' })
}
