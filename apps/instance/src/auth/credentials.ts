import { createHmac, randomBytes } from 'node:crypto'
import { HttpError } from '../http-error.ts'
import { Failures } from './failures.ts'
import { hashPassword, isPassword } from './passwords.ts'
import type { DirectoryUser, UserDirectory } from './user-directory.ts'

/** A verified password is known for so long. */
const kept = 60_000
const keptAtMost = 10_000
/** Each takes 16 MB and a thread of the pool that files and names need too. */
const runsAtOnce = 2
const waitingAtMost = 100

/** Tells who has the right password, at a price that guessing cannot pay. */
export class Credentials {
  readonly #users: UserDirectory
  readonly #now: () => number
  readonly #failures: Failures
  /** By an HMAC of name, stored hash and password, under a key that only this process ever has. */
  readonly #verified = new Map<string, number>()
  readonly #underWay = new Map<string, Promise<boolean>>()
  readonly #key = randomBytes(32)
  readonly #waiting: (() => void)[] = []
  #running = 0
  /** Of nobody's password: an unknown name takes as long as a wrong password. */
  #nobody: Promise<string> | null = null

  constructor(users: UserDirectory, now: () => number) {
    this.#users = users
    this.#now = now
    this.#failures = new Failures(now)
  }

  /** The user, or undefined where name or password are wrong. Throws 429 after ten failures a minute for the name from that address. */
  async verify(name: string, password: string, address: string): Promise<DirectoryUser | undefined> {
    const user = this.#users.find(name)
    const mark = this.#markOf(name, user?.hash ?? '', password)
    if (user !== undefined && (this.#verified.get(mark) ?? 0) > this.#now()) return user
    const asked = this.#underWay.get(`${address} ${mark}`)
    const isRight = await (asked ?? this.#ask(name, password, address, mark))
    // Somebody may have been removed, or got another password, meanwhile.
    return isRight && this.#users.find(name)?.hash === user?.hash ? user : undefined
  }

  #ask(name: string, password: string, address: string, mark: string): Promise<boolean> {
    const takeBack = this.#failures.begin(`${name} ${address}`)
    const asking = this.#compare(name, password)
      .then(
        isRight => {
          if (isRight) {
            this.#keep(mark)
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
      .finally(() => this.#underWay.delete(`${address} ${mark}`))
    this.#underWay.set(`${address} ${mark}`, asking)
    return asking
  }

  async #compare(name: string, password: string): Promise<boolean> {
    await this.#takeTurn()
    try {
      const user = this.#users.find(name)
      this.#nobody ??= hashPassword(randomBytes(16).toString('hex'))
      const isRight = await isPassword(password, user?.hash ?? (await this.#nobody))
      return isRight && user !== undefined
    } finally {
      // Who waits gets this very turn.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  async #takeTurn(): Promise<void> {
    if (this.#waiting.length >= waitingAtMost) {
      throw new HttpError(503, 'Too many are signing in at once. Try again in a moment.', { 'retry-after': '1' })
    }
    if (this.#running >= runsAtOnce) return new Promise<void>(resolve => void this.#waiting.push(resolve))
    this.#running += 1
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
