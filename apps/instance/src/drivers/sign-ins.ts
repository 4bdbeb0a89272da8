import { Backoff } from '../backoff.ts'
import { serialQueue } from '../serial-queue.ts'
import { DatabaseError } from './driver.ts'

/**
 * The sign-ins of one user with one password, on all databases of a server: databases lock users after several refusals.
 * One connection is opened at a time, and a refusal pauses further attempts.
 */
export class SignIns {
  readonly #inTurn = serialQueue()
  readonly #backoff = new Backoff(() => Date.now())
  #refusal: DatabaseError | null = null
  #failure: DatabaseError | null = null

  /** Ends the pause, because a user has tried again. */
  endPause(): void {
    this.#backoff.reset()
  }

  /** Attempts that wait for one that fails share its error. */
  signIn<C>(connect: () => Promise<C>): Promise<C> {
    const before = this.#failure
    return this.#inTurn(async () => {
      if (this.#failure !== null && this.#failure !== before) throw this.#failure
      if (this.#refusal !== null && !this.#backoff.isDue) throw this.#refusal
      try {
        const connection = await connect()
        this.#refusal = null
        this.#failure = null
        this.#backoff.reset()
        return connection
      } catch (error) {
        this.#note(error)
        throw error
      }
    })
  }

  #note(error: unknown): void {
    if (!(error instanceof DatabaseError)) return
    if (error.kind === 'refused' || error.kind === 'unavailable') this.#failure = error
    if (error.kind !== 'refused') return
    this.#refusal = error
    this.#backoff.failed()
  }
}
