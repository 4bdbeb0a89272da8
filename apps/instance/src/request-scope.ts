import { FairQueue, type Stop } from '@cadmus/model/fair-queue'
import { limits } from '@cadmus/model/limits'
import { networkOf } from '@cadmus/model/rate-limit'
import type { Socket } from 'node:net'
import { HttpError } from './http-error.ts'
import { serialQueue } from './concurrency.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for requests to packages. */
    scope: RequestScope
  }
}

/**
 * Why a request gets no more bytes: its caller has disconnected, a large answer has no slot, or the answer is too
 * large.
 */
export type ScopeRefusal = 'gone' | 'needsSlot' | 'tooLarge'

export const tooLargeAnswer = `The answer would be larger than ${limits.databaseAnswer / 2 ** 20} MB. Request fewer records or fewer fields.`

const changedText = 'The package is being changed. Try again in a moment.'

/** Limits of the queue for slots. */
const waiting = { waiting: 200, waitingOfOne: 50, refusal: tooMany }
/** Exceeds the time limit of a statement, so that slow answers do not lock out others. */
const timeout = 60_000

/**
 * Limits concurrent large answers, fairly between packages and networks. A network gets a second slot only while no
 * other one waits.
 */
export class LargeAnswers {
  readonly #queue = new FairQueue<string>({
    slots: limits.largeAnswersAtOnce,
    slotsOfOne: limits.largeAnswersAtOnce,
    ...waiting,
  })

  /** Waits for a slot. Returns the function that frees it. */
  begin(packageName: string, address: string, stop: Stop): Promise<() => void> {
    return this.#queue.begin([`network ${networkOf(address)}`, `package ${packageName}`], stop)
  }
}

/** One request to a package: tracks whether its caller is connected and how many bytes it gets from the database. */
export class RequestScope {
  /** When the request came. */
  readonly at = new Date()
  /** Whether a change was committed: the answer is no longer refused. */
  isCommitted = false
  /** Whether the tables are being changed: the request must not begin to use them. */
  isRetired = false
  /** Serialises the large reads of one request. */
  readonly inOrder = serialQueue()
  readonly #socket: Socket
  readonly #largeAnswers: LargeAnswers
  readonly #owner: readonly [packageName: string, address: string]
  readonly #requireRoom: () => void
  readonly #ends: (() => void)[] = []
  #bytes = 0
  #isOver = false
  #slot: Promise<void> | null = null
  #freeSlot: (() => void) | null = null

  /** `requireRoom` throws if a large answer cannot be buffered. */
  constructor(
    socket: Socket,
    largeAnswers: LargeAnswers,
    owner: readonly [packageName: string, address: string],
    requireRoom: () => void,
  ) {
    this.#socket = socket
    this.#largeAnswers = largeAnswers
    this.#owner = owner
    this.#requireRoom = requireRoom
  }

  /** Bytes still available without another slot. */
  get room(): number {
    return (this.hasSlot ? limits.databaseAnswer : limits.quickAnswer) - this.#bytes
  }

  get isGone(): boolean {
    return this.#socket.destroyed
  }

  /** Throws 499 if the caller has disconnected. */
  requireCaller(): void {
    if (this.isGone) throw callerLeft()
  }

  get hasSlot(): boolean {
    return this.#freeSlot !== null
  }

  /** Counts bytes from a database, unless they are refused. */
  take(bytes: number): ScopeRefusal | null {
    if (this.#bytes + bytes > limits.databaseAnswer) return 'tooLarge'
    if (bytes > this.room) return 'needsSlot'
    this.#bytes += bytes
    return null
  }

  /** Counts bytes without a check; negative for discarded ones. */
  count(bytes: number): void {
    this.#bytes += bytes
  }

  /** Waits for the one slot of the request. Throws 499; unless a change was committed, 503 if too many wait. */
  slot(): Promise<void> {
    this.#slot ??= this.#wait().catch((error: unknown) => {
      // A later operation or answer of the request waits anew.
      this.freeSlot()
      throw error
    })
    return this.#slot
  }

  /** Throws 429 or 503 if a large answer could not be buffered, and frees the slot. */
  requireRoom(): void {
    try {
      this.#requireRoom()
    } catch (error) {
      this.freeSlot()
      throw error
    }
  }

  /** Called when the answer is complete. */
  freeSlot(): void {
    this.#freeSlot?.()
    this.#freeSlot = null
    this.#slot = null
  }

  /** Calls `work` when the request ends, immediately if it has ended. */
  onEnd(work: () => void): void {
    if (this.#isOver) work()
    else this.#ends.push(work)
  }

  offEnd(work: () => void): void {
    const at = this.#ends.indexOf(work)
    if (at >= 0) this.#ends.splice(at, 1)
  }

  /** Ends the request, after its answer or when its connection closes. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const work of this.#ends.splice(0)) work()
    this.freeSlot()
  }

  async #wait(): Promise<void> {
    this.requireCaller()
    const leaving = new AbortController()
    const leave = () => leaving.abort(callerLeft())
    this.onEnd(leave)
    const stop = this.isCommitted ? { isBegun: true } : { timeout: timeout }
    try {
      const free = await this.#largeAnswers.begin(...this.#owner, { ...stop, signal: leaving.signal })
      if (this.#isOver) free()
      else this.#freeSlot = free
    } finally {
      this.offEnd(leave)
    }
    this.requireCaller()
  }
}

/**
 * The part of a request's answer that one attempt of an operation gets. A started change completes even if its caller
 * leaves.
 */
export class AnswerScope {
  /** Whether the last answer to the current statement was large. */
  isLarge = false
  readonly #request: RequestScope
  readonly #isChange: boolean
  readonly #copies: number
  readonly #needsRoom: boolean
  #bytes = 0

  /**
   * `copies`: how often the answer repeats the read records. `needsRoom`: whether a large answer must fit before any
   * work, as that of a committed change is not refused.
   */
  constructor(request: RequestScope, isChange: boolean, copies = 1, needsRoom = isChange) {
    this.#request = request
    this.#isChange = isChange
    this.#copies = copies
    this.#needsRoom = needsRoom
  }

  get bytes(): number {
    return this.#bytes
  }

  get room(): number {
    return this.#request.room / this.#copies
  }

  get hasSlot(): boolean {
    return this.#request.hasSlot
  }

  get isGone(): boolean {
    return !this.#isChange && this.#request.isGone
  }

  requireCaller(): void {
    if (this.isGone) throw callerLeft()
  }

  /**
   * Waits for a slot, before any work. Throws 503 also if the tables were changed while it waited, and as `requireRoom`.
   */
  async slot(): Promise<void> {
    await this.#request.slot()
    if (this.#needsRoom) this.#request.requireRoom()
    if (this.#request.isRetired) throw new HttpError(503, changedText, { 'retry-after': '2' })
  }

  inOrder<T>(work: () => Promise<T>): Promise<T> {
    return this.#request.inOrder(work)
  }

  /** Counts bytes from a database, unless they are refused. */
  take(bytes: number): ScopeRefusal | null {
    const all = bytes * this.#copies
    const refusal = this.isGone && all > this.#request.room ? 'gone' : this.#request.take(all)
    if (refusal === null) this.#bytes += all
    return refusal
  }

  /** Counts bytes without a check. */
  count(bytes: number): void {
    this.#bytes += bytes * this.#copies
    this.#request.count(bytes * this.#copies)
  }

  /** Removes discarded bytes from the count. */
  uncount(bytes: number): void {
    this.count(-bytes)
  }

  /** Returns a function that resets the count to its current value. */
  mark(): () => void {
    const before = this.#bytes
    return () => {
      this.#request.count(before - this.#bytes)
      this.#bytes = before
    }
  }

  /** Removes all bytes of a discarded attempt from the count. */
  undo(): void {
    this.#request.count(-this.#bytes)
    this.#bytes = 0
  }

  /** Calls `work` when the caller no longer waits, immediately if so already. */
  onEnd(work: () => void): void {
    if (!this.#isChange) this.#request.onEnd(work)
  }

  offEnd(work: () => void): void {
    this.#request.offEnd(work)
  }
}

/** The client never receives this error. */
export function callerLeft(): HttpError {
  return new HttpError(499, 'The caller has disconnected.')
}

function tooMany(): HttpError {
  return new HttpError(503, 'Too many large responses at once. Try again in a moment.', { 'retry-after': '2' })
}
