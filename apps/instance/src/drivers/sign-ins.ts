import { Backoff } from '../backoff.ts'
import { DatabaseError, type Driver } from './driver.ts'

/**
 * Pauses the use of a database that refuses the sign-in, as databases lock accounts after several refusals. After the
 * pause, one call signs in again.
 */
export class SignIns {
  readonly #check: () => Promise<void>
  readonly #backoff = new Backoff(() => Date.now())
  #refusal: DatabaseError | null = null
  #isTrying = false

  /** `check` connects and runs a statement. */
  constructor(check: () => Promise<void>) {
    this.#check = check
  }

  /** Ends the pause, because a user has tried again. */
  endPause(): void {
    this.#backoff.reset()
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#refusal !== null) return this.#again(this.#refusal).then(() => this.run(work))
    return work().catch((error: unknown) => {
      // Calls that were refused together count once.
      if (this.#refusal === null) this.#note(error)
      throw error
    })
  }

  async #again(refusal: DatabaseError): Promise<void> {
    if (this.#isTrying || !this.#backoff.isDue) throw refusal
    this.#isTrying = true
    try {
      await this.#check()
      // The pause is not reset, because an open connection may have answered while new ones are refused.
      this.#refusal = null
    } catch (error) {
      this.#note(error)
      throw error
    } finally {
      this.#isTrying = false
    }
  }

  #note(error: unknown): void {
    if (!(error instanceof DatabaseError) || error.kind !== 'refused') return
    this.#refusal = error
    this.#backoff.failed()
  }
}

/** Runs the driver's statements through `signIns`. */
export function withSignIns(driver: Driver, signIns: SignIns): Driver {
  const { reshape, longRead } = driver
  return {
    ...driver,
    query: (statement, scope) => signIns.run(() => driver.query(statement, scope)),
    transaction: (work, scope) => signIns.run(() => driver.transaction(work, scope)),
    ...(reshape && { reshape: (work, beforeCommit) => signIns.run(() => reshape(work, beforeCommit)) }),
    ...(longRead && { longRead: (work, max) => signIns.run(() => longRead(work, max)) }),
    check: () => signIns.run(() => driver.check()),
  }
}
