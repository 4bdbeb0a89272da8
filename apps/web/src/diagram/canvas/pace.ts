/** Milliseconds of a frame for painting tiles while the camera moves. */
const budget = { most: 6, least: 2.5 } as const
/** Milliseconds after the last frame: one was missed. */
const late = 25

/** How long tiles may be painted in a frame of a move: less after a late frame, because tiles are scaled on the same thread. */
export class Pace {
  #budget: number = budget.most
  /** The last frame, if it requested the next one. */
  #last = Number.POSITIVE_INFINITY

  /** The budget of a frame that begins now. */
  next(now: number): number {
    const isLate = now - this.#last > late
    this.#budget = isLate ? Math.max(budget.least, this.#budget / 2) : Math.min(budget.most, this.#budget + 0.25)
    this.#last = now
    return this.#budget
  }

  /** The next frame may begin at any time. */
  pause(): void {
    this.#last = Number.POSITIVE_INFINITY
  }
}
