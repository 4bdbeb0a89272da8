import { FairQueue, type Stop } from '@cadmus/model/fair-queue'
import { limits } from '@cadmus/model/limits'
import { networkOf } from '@cadmus/model/network'
import type { Socket } from 'node:net'
import { HttpError } from './http-error.ts'

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

/** Lets few large answers be made at once, whoever asks for them: fair between packages, and between the networks that call one. */
export class LargeAnswers {
  readonly #slots = { slots: limits.largeAnswersAtOnce, slotsOfOne: limits.largeAnswersAtOnce, ...waiting }
  readonly #packages = new FairQueue<string>(this.#slots)
  readonly #networks = new Map<string, FairQueue<string>>()

  /** Waits for a slot; answers how to free it. */
  async begin(packageName: string, address: string, stop: Stop): Promise<() => void> {
    const networks = this.#networks.get(packageName) ?? new FairQueue<string>(this.#slots)
    this.#networks.set(packageName, networks)
    const end = await networks.begin(networkOf(address), stop)
    const leave = () => {
      end()
      if (networks.isIdle) this.#networks.delete(packageName)
    }
    try {
      const free = await this.#packages.begin(packageName, { ...stop, isBegun: true })
      return () => {
        free()
        leave()
      }
    } catch (error) {
      leave()
      throw error
    }
  }
}

/** One request of a package's caller: whether the caller is there, and the bytes that are answered for it, from the door to the database. */
export class RequestScope {
  /** Whether something is changed: that is answered however many wait. */
  isChange = false
  readonly #socket: Socket
  readonly #largeAnswers: LargeAnswers
  readonly #owner: readonly [packageName: string, address: string]
  readonly #ends: (() => void)[] = []
  #bytes = 0
  #isOver = false
  #slot: Promise<void> | null = null
  #freeSlot: (() => void) | null = null

  constructor(socket: Socket, largeAnswers: LargeAnswers, owner: readonly [packageName: string, address: string]) {
    this.#socket = socket
    this.#largeAnswers = largeAnswers
    this.#owner = owner
  }

  /** What was answered so far. */
  get bytes(): number {
    return this.#bytes
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
    const sum = this.#bytes + bytes
    if (sum > limits.quickAnswer) {
      if (this.isGone) return 'gone'
      if (sum > limits.databaseAnswer) return 'tooLarge'
      if (!this.hasSlot) return 'needsSlot'
    }
    this.#bytes = sum
    return null
  }

  /** Of what was taken and is thrown away. */
  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }

  /** Waits for the slot that a large answer needs, of which a request has one. Throws 499, or 503 where too many wait. */
  slot(): Promise<void> {
    this.#slot ??= this.#wait()
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

  async #wait(): Promise<void> {
    this.requireCaller()
    const leaving = new AbortController()
    const leave = () => leaving.abort(gone())
    this.atEnd(leave)
    const stop = this.isChange ? { isBegun: true } : { patience }
    try {
      const free = await this.#largeAnswers.begin(...this.#owner, { ...stop, signal: leaving.signal })
      if (this.#isOver) free()
      else this.#freeSlot = free
    } finally {
      this.notAtEnd(leave)
    }
    this.requireCaller()
  }
}

/** Nobody hears it. */
export function gone(): HttpError {
  return new HttpError(499, 'The caller has gone away.')
}

function tooMany(): HttpError {
  return new HttpError(503, 'Too many large answers are being made. Try again in a moment.', { 'retry-after': '2' })
}
