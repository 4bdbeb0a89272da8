import { createHmac, randomBytes } from 'node:crypto'
import { FairQueue } from '@cadmus/model/fair-queue'
import { Failures } from '@cadmus/model/failures'
import { networkOf } from '@cadmus/model/network'
import { HttpError } from '../http-error.ts'
import { hashPassword, isPassword } from './passwords.ts'
import type { DirectoryUser, UserDirectory } from './user-directory.ts'

/** A verified password is known for so long. */
const kept = 60_000
const keptAtMost = 10_000
/** Each takes 16 MB and a thread of the pool that files and names need too. */
const queue = { slots: 2, slotsOfOne: 2, waiting: 200, waitingOfOne: 200, refusal: tooMany }
/** Wrong passwords a minute. */
const most = { ofNameAndNetwork: 10, ofNetwork: 100 }
/** After so many wrong passwords a minute for one name, from everywhere, the next ones are looked at one by one, with a pause after each. */
const freeGuesses = 20
const pause = 1000
const paced = { slots: 1, slotsOfOne: 1, waiting: 50, waitingOfOne: 2, refusal: tooMany }

/** Tells who has the right password, at a price that guessing cannot pay. */
export class Credentials {
  readonly #users: UserDirectory
  readonly #now: () => number
  readonly #failures: Failures
  /** By an HMAC of name, stored hash and password, under a key that only this process ever has. */
  readonly #verified = new Map<string, number>()
  readonly #underWay = new Map<string, Promise<boolean>>()
  readonly #key = randomBytes(32)
  readonly #queue = new FairQueue<string>(queue)
  /** Guesses for names that are guessed at much. */
  readonly #paced = new Map<string, FairQueue<string>>()
  /** Networks that a user signed in from, with the name: guesses from elsewhere do not slow the user down there. */
  readonly #familiar = new Set<string>()
  /** Of nobody's password: an unknown name takes as long as a wrong password. */
  #nobody: Promise<string> | null = null

  constructor(users: UserDirectory, now: () => number) {
    this.#users = users
    this.#now = now
    this.#failures = new Failures(now, tooManyWrong)
  }

  /**
   * The user, or undefined where name or password are wrong. Throws 429 after ten failures a minute for the name from that network, or a
   * hundred from that network, and 503 where the network has its share of those who wait.
   */
  async verify(name: string, password: string, address: string): Promise<DirectoryUser | undefined> {
    const user = this.#users.find(name)
    const mark = this.#markOf(name, user?.hash ?? '', password)
    if (user !== undefined && this.#isVerified(mark)) return user
    const network = networkOf(address)
    const asked = this.#underWay.get(`${network} ${mark}`)
    const isRight = await (asked ?? this.#ask(name, password, network, mark))
    // Somebody may have been removed, or got another password, meanwhile.
    return isRight && this.#users.find(name)?.hash === user?.hash ? user : undefined
  }

  #ask(name: string, password: string, network: string, mark: string): Promise<boolean> {
    // Names may be long and many.
    const who = this.#markOf(name)
    const takeBack = this.#failures.begin([
      { key: `pair ${network} ${who}`, most: most.ofNameAndNetwork },
      // Who signed in from there before is not kept out by others behind the same address.
      { key: `network ${network}`, most: this.#familiar.has(`${network} ${who}`) ? Infinity : most.ofNetwork },
      { key: `name ${who}`, most: Infinity },
    ])
    const asking = this.#pace(who, network, async () =>
      this.#isVerified(mark) ? true : this.#queue.run(network, () => this.#compare(name, password)),
    )
      .then(
        isRight => {
          if (isRight) {
            this.#keep(mark)
            this.#remember(who, network)
            takeBack()
          }
          return isRight
        },
        (error: unknown) => {
          // Nobody looked whether it was right.
          takeBack()
          throw error
        },
      )
      .finally(() => this.#underWay.delete(`${network} ${mark}`))
    this.#underWay.set(`${network} ${mark}`, asking)
    return asking
  }

  async #compare(name: string, password: string): Promise<boolean> {
    const user = this.#users.find(name)
    this.#nobody ??= hashPassword(randomBytes(16).toString('hex'))
    const isRight = await isPassword(password, user?.hash ?? (await this.#nobody))
    return isRight && user !== undefined
  }

  /** Where many wrong passwords were sent for a name, one guess is looked at after the other; the networks take turns. */
  async #pace(who: string, network: string, guess: () => Promise<boolean>): Promise<boolean> {
    const isUsual = this.#failures.count(`name ${who}`) <= freeGuesses || this.#familiar.has(`${network} ${who}`)
    if (isUsual) return guess()
    const known = this.#paced.get(who) ?? new FairQueue<string>(paced)
    this.#paced.set(who, known)
    const begun = await known.begin(network)
    const end = () => {
      begun()
      if (known.isIdle) this.#paced.delete(who)
    }
    let isWrong = false
    try {
      isWrong = !(await guess())
      return !isWrong
    } finally {
      if (isWrong) setTimeout(end, pause).unref()
      else end()
    }
  }

  #isVerified(mark: string): boolean {
    return (this.#verified.get(mark) ?? 0) > this.#now()
  }

  #remember(who: string, network: string): void {
    if (this.#familiar.size >= keptAtMost) this.#familiar.clear()
    this.#familiar.add(`${network} ${who}`)
  }

  #keep(mark: string): void {
    const now = this.#now()
    if (this.#verified.size >= keptAtMost) {
      for (const [old, until] of this.#verified) if (until <= now) this.#verified.delete(old)
      if (this.#verified.size >= keptAtMost) this.#verified.clear()
    }
    this.#verified.set(mark, now + kept)
  }

  #markOf(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64url')
  }
}

function tooManyWrong(seconds: number): HttpError {
  const again = { 'retry-after': String(seconds) }
  return new HttpError(429, 'Too many attempts with a wrong password. Try again in a minute.', again)
}

function tooMany(): HttpError {
  return new HttpError(503, 'Too many are signing in at once. Try again in a moment.', { 'retry-after': '1' })
}
