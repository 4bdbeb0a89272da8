import type { Steps } from '@cadmus/model/steps'

/** Steps that are made at once: those of a small text. */
const atOnce = 100
/** Milliseconds of each slice of the others: less than a frame. */
const slice = 8

/** The result of work that pauses, so that keys are answered in between. */
export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  for (;;) {
    const end = performance.now() + slice
    do {
      const step = steps.next()
      if (step.done === true) return step.value
    } while (performance.now() < end)
    await new Promise(resolve => void setTimeout(resolve))
  }
}

/** Work that pauses, so that keys are answered in between. */
export class SlicedWork<T> {
  readonly #steps: Steps<T>
  readonly #done: (result: T) => void
  #timer: ReturnType<typeof setTimeout> | undefined
  #isOver = false

  constructor(steps: Steps<T>, done: (result: T) => void) {
    this.#steps = steps
    this.#done = done
  }

  start(): this {
    let left = atOnce
    this.#run(() => (left -= 1) > 0)
    return this
  }

  finish(): void {
    this.#run(() => true)
  }

  cancel(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  get isOver(): boolean {
    return this.#isOver
  }

  #run(mayGoOn: () => boolean): void {
    clearTimeout(this.#timer)
    while (!this.#isOver) {
      const step = this.#steps.next()
      if (step.done === true) {
        this.#isOver = true
        this.#done(step.value)
      } else if (!mayGoOn()) {
        this.#timer = setTimeout(() => this.#runSlice())
        return
      }
    }
  }

  #runSlice(): void {
    const end = performance.now() + slice
    this.#run(() => performance.now() < end)
  }
}
