import { createHmac, randomBytes } from 'node:crypto'
import { FairQueue } from '@cadmus/model/fair-queue'
import { Failures } from '@cadmus/model/failures'
import { networkOf } from '@cadmus/model/rate-limit'
import { HttpError } from '../http-error.ts'
import { type DirectoryUser, hashPassword, isPassword, type UserDirectory } from './user-directory.ts'

/** Cache lifetime of a verified password, in milliseconds. */
const cacheLifetime = 60_000
const maxCached = 10_000
/** Each hash takes 16 MB and a thread of the pool shared with files and DNS. */
const queue = { slots: 2, slotsOfOne: 2, waiting: 200, waitingOfOne: 200, refusal: tooMany }
/** Allowed wrong passwords a minute. */
const maxFailures = { ofNameAndNetwork: 10, ofNetwork: 100 }
/**
 * Wrong passwords a minute for one name, from all networks, after which verifications run one by one with a pause after
 * each.
 */
const freeGuesses = 20
const pauseAfterGuess = 1000
const paced = { slots: 1, slotsOfOne: 1, waiting: 50, waitingOfOne: 2, refusal: tooMany }

/** Verifies passwords and slows down guessing. */
export class Credentials {
  readonly #users: UserDirectory
  readonly #now: () => number
  readonly #failures: Failures
  /** Expiry by an HMAC of name, stored hash and password; the key exists only in this process. */
  readonly #verified = new Map<string, number>()
  readonly #running = new Map<string, Promise<boolean>>()
  readonly #key = randomBytes(32)
  readonly #queue = new FairQueue<string>(queue)
  /** Queues of names with many wrong passwords. */
  readonly #paced = new Map<string, FairQueue<string>>()
  /** Networks from which a name has signed in; guesses from other networks do not delay it there. */
  readonly #familiar = new Set<string>()
  /** A hash of no password, so that unknown names take as long as wrong passwords. */
  #dummyHash: Promise<string> | null = null

  constructor(users: UserDirectory, now: () => number) {
    this.#users = users
    this.#now = now
    this.#failures = new Failures(now, tooManyWrong)
  }

  /**
   * Returns the user, or undefined for a wrong name or password. Throws 429 after ten failures a minute for the name
   * from a network or a hundred from the network, and 503 if too many sign-ins wait.
   */
  async verify(name: string, password: string, address: string): Promise<DirectoryUser | undefined> {
    const user = this.#users.find(name)
    const digest = this.#digestOf(name, user?.hash ?? '', password)
    if (user !== undefined && this.#isVerified(digest)) return user
    const network = networkOf(address)
    const running = this.#running.get(`${network} ${digest}`)
    const isRight = await (running ?? this.#start(name, password, network, digest))
    // The user may have been removed or changed during the verification.
    return isRight && this.#users.find(name)?.hash === user?.hash ? user : undefined
  }

  #start(name: string, password: string, network: string, digest: string): Promise<boolean> {
    // Hashed, since names may be long.
    const nameDigest = this.#digestOf(name)
    const undo = this.#failures.begin([
      { key: `pair ${network} ${nameDigest}`, max: maxFailures.ofNameAndNetwork },
      // A user who has signed in from this network is not locked out by others behind the same address.
      {
        key: `network ${network}`,
        max: this.#familiar.has(`${network} ${nameDigest}`) ? Infinity : maxFailures.ofNetwork,
      },
    ])
    const verification = this.#guess(nameDigest, network, digest, () => this.#compare(name, password))
      .then(
        isRight => {
          if (isRight) {
            this.#cache(digest)
            this.#addFamiliar(nameDigest, network)
            undo()
          } else this.#failures.begin([{ key: `name ${nameDigest}`, max: Infinity }])
          return isRight
        },
        (error: unknown) => {
          // The password was not checked.
          undo()
          throw error
        },
      )
      .finally(() => this.#running.delete(`${network} ${digest}`))
    this.#running.set(`${network} ${digest}`, verification)
    return verification
  }

  async #compare(name: string, password: string): Promise<boolean> {
    const user = this.#users.find(name)
    this.#dummyHash ??= hashPassword(randomBytes(16).toString('hex'))
    const isRight = await isPassword(password, user?.hash ?? (await this.#dummyHash))
    return isRight && user !== undefined
  }

  async #guess(nameDigest: string, network: string, digest: string, compare: () => Promise<boolean>): Promise<boolean> {
    const guess = async () => this.#isVerified(digest) || this.#queue.run(network, compare)
    const isPaced = () =>
      this.#failures.count(`name ${nameDigest}`) >= freeGuesses && !this.#familiar.has(`${network} ${nameDigest}`)
    if (!isPaced()) {
      if (this.#isVerified(digest)) return true
      // Other guesses may be refused while this one waits.
      const isRight = await this.#queue.run(network, async () => (isPaced() ? null : compare()))
      if (isRight !== null) return isRight
    }
    return this.#pace(nameDigest, network, guess)
  }

  /** Runs verifications of a name with many wrong passwords one by one, alternating between networks. */
  async #pace(nameDigest: string, network: string, guess: () => Promise<boolean>): Promise<boolean> {
    const queueOfName = this.#paced.get(nameDigest) ?? new FairQueue<string>(paced)
    this.#paced.set(nameDigest, queueOfName)
    const endTurn = await queueOfName.begin(network)
    const end = () => {
      endTurn()
      if (queueOfName.isIdle) this.#paced.delete(nameDigest)
    }
    let isWrong = false
    try {
      isWrong = !(await guess())
      return !isWrong
    } finally {
      if (isWrong) setTimeout(end, pauseAfterGuess).unref()
      else end()
    }
  }

  #isVerified(digest: string): boolean {
    return (this.#verified.get(digest) ?? 0) > this.#now()
  }

  #addFamiliar(nameDigest: string, network: string): void {
    if (this.#familiar.size >= maxCached) this.#familiar.clear()
    this.#familiar.add(`${network} ${nameDigest}`)
  }

  #cache(digest: string): void {
    const now = this.#now()
    if (this.#verified.size >= maxCached) {
      for (const [old, until] of this.#verified) if (until <= now) this.#verified.delete(old)
      if (this.#verified.size >= maxCached) this.#verified.clear()
    }
    this.#verified.set(digest, now + cacheLifetime)
  }

  #digestOf(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('base64url')
  }
}

function tooManyWrong(seconds: number): HttpError {
  const again = { 'retry-after': String(seconds) }
  return new HttpError(429, 'Too many attempts with a wrong password. Try again in a minute.', again)
}

function tooMany(): HttpError {
  return new HttpError(503, 'Too many sign-ins at once. Try again in a moment.', { 'retry-after': '1' })
}
