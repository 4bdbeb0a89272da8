import { FairQueue, type Stop } from '@cadmus/model/fair-queue'
import { limits } from '@cadmus/model/limits'
import { networkOf } from '@cadmus/model/network'
import type { Socket } from 'node:net'
import { HttpError } from './http-error.ts'
import { turns } from './turns.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of requests to packages. */
    scope: RequestScope
  }
}

/**
 * Why a request is answered no more of a database for now: its caller is gone, the answer is a large one that has no slot yet, or it is more
 * than may be answered.
 */
export type ScopeRefusal = 'gone' | 'needsSlot' | 'tooLarge'

export const tooLargeAnswer = `More than ${limits.databaseAnswer / 2 ** 20} MB would be answered at once. Ask for fewer records, or for fewer fields of them.`

/** Of those who wait for a slot. */
const waiting = { waiting: 200, waitingOfOne: 50, refusal: tooMany }
/** Longer than one statement may take: two that are slow keep nobody out. */
const patience = 60_000

/**
 * Lets few large answers be made at once, whoever asks for them: fair between packages, and between networks. A network has a second slot only
 * while no other one waits.
 */
export class LargeAnswers {
  readonly #queue = new FairQueue<string>({
    slots: limits.largeAnswersAtOnce,
    slotsOfOne: limits.largeAnswersAtOnce,
    ...waiting,
  })

  /** Waits for a slot; answers how to free it. */
  begin(packageName: string, address: string, stop: Stop): Promise<() => void> {
    return this.#queue.begin([`network ${networkOf(address)}`, `package ${packageName}`], stop)
  }
}

/** One request of a package's caller: whether the caller is there, and the bytes that are answered for it, from the door to the database. */
export class RequestScope {
  /** Whether something is changed: what is done is answered however many wait. */
  isChange = false
  /** Whether there was room for a large answer before the change that it is of. */
  hasRoom = false
  /** Large pieces of one request are read one after the other. */
  readonly inTurn = turns()
  readonly #socket: Socket
  readonly #largeAnswers: LargeAnswers
  readonly #owner: readonly [packageName: string, address: string]
  readonly #requireRoom: () => void
  readonly #ends: (() => void)[] = []
  #bytes = 0
  #isOver = false
  #slot: Promise<void> | null = null
  #freeSlot: (() => void) | null = null

  /** `requireRoom`: throws where a large answer could not be held. */
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

  /** Bytes that may still be answered, without another slot. */
  get room(): number {
    return (this.hasSlot ? limits.databaseAnswer : limits.quickAnswer) - this.#bytes
  }

  get isGone(): boolean {
    return this.#socket.destroyed
  }

  /** Throws 499 where the caller is gone. */
  requireCaller(): void {
    if (this.isGone) throw gone()
  }

  get hasSlot(): boolean {
    return this.#freeSlot !== null
  }

  /** Counts what a database answers. What is refused is not counted. */
  take(bytes: number): ScopeRefusal | null {
    if (this.#bytes + bytes > limits.databaseAnswer) return 'tooLarge'
    if (bytes > this.room) return 'needsSlot'
    this.#bytes += bytes
    return null
  }

  /** Counts what is answered already; below 0 what was counted and is thrown away. */
  count(bytes: number): void {
    this.#bytes += bytes
  }

  /**
   * Waits for the slot that a large answer needs, of which a request has one. Throws 499, or 503 where too many wait, and of a change 429 where its
   * answer could not be held. `isDone`: what is answered is a change that was made.
   */
  slot(isDone = false): Promise<void> {
    this.#slot ??= this.#wait(isDone)
    return this.#slot
  }

  /** The answer is made. */
  freeSlot(): void {
    this.#freeSlot?.()
    this.#freeSlot = null
    this.#slot = null
  }

  /** Calls `work` when the request is answered or its caller is gone, be it already. */
  atEnd(work: () => void): void {
    if (this.#isOver) work()
    else this.#ends.push(work)
  }

  /** Takes that back. */
  notAtEnd(work: () => void): void {
    const at = this.#ends.indexOf(work)
    if (at >= 0) this.#ends.splice(at, 1)
  }

  /** The request is answered, or its connection is closed. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const work of this.#ends.splice(0)) work()
    this.freeSlot()
  }

  async #wait(isDone: boolean): Promise<void> {
    this.requireCaller()
    const leaving = new AbortController()
    const leave = () => leaving.abort(gone())
    this.atEnd(leave)
    const stop = isDone ? { isBegun: true } : { timeout: patience }
    try {
      const free = await this.#largeAnswers.begin(...this.#owner, { ...stop, signal: leaving.signal })
      if (this.#isOver) free()
      else this.#freeSlot = free
    } finally {
      this.notAtEnd(leave)
    }
    this.requireCaller()
    if (isDone || !this.isChange) return
    this.#requireRoom()
    this.hasRoom = true
  }
}

/** What one attempt of an operation is answered: a part of what its request is. A change that is begun ends, whether its caller is there or not. */
export class AnswerScope {
  /** Whether the last answer to the statement that is sent was a large one. */
  isLarge = false
  readonly #request: RequestScope
  readonly #isChange: boolean
  readonly #copies: number
  #bytes = 0

  /** `copies`: how often its answer holds what it reads. */
  constructor(request: RequestScope, isChange: boolean, copies = 1) {
    this.#request = request
    this.#isChange = isChange
    this.#copies = copies
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
    if (this.isGone) throw gone()
  }

  slot(): Promise<void> {
    return this.#request.slot()
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#request.inTurn(work)
  }

  /** Counts what a database answers. What is refused is not counted. */
  take(bytes: number): ScopeRefusal | null {
    const all = bytes * this.#copies
    const refusal = this.isGone && all > this.#request.room ? 'gone' : this.#request.take(all)
    if (refusal === null) this.#bytes += all
    return refusal
  }

  /** Counts what is answered already. */
  count(bytes: number): void {
    this.#bytes += bytes * this.#copies
    this.#request.count(bytes * this.#copies)
  }

  /** Of what was taken and is thrown away. */
  giveBack(bytes: number): void {
    this.count(-bytes)
  }

  /** Nothing of the attempt is used. */
  undo(): void {
    this.#request.count(-this.#bytes)
    this.#bytes = 0
  }

  /** Calls `work` when nobody waits for the answer any longer, be it already. */
  atEnd(work: () => void): void {
    if (!this.#isChange) this.#request.atEnd(work)
  }

  /** Takes that back. */
  notAtEnd(work: () => void): void {
    this.#request.notAtEnd(work)
  }
}

/** Nobody hears it. */
export function gone(): HttpError {
  return new HttpError(499, 'The caller has gone away.')
}

function tooMany(): HttpError {
  return new HttpError(503, 'Too many large answers are being made. Try again in a moment.', { 'retry-after': '2' })
}
