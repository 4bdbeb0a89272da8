import { columnHeight } from './columns.ts'
import { gap, type Component } from './component.ts'

const orderSweeps = 6
const alignSweeps = 5
/** The last sweeps use medians: they make lines straight, but cost more than means. */
const medianSweeps = 2
/** In higher columns few lines are straight anyway. */
const mostForMedian = 40

/** Orders the cards of each column so that links are short, and finds a height for each card that makes many of them straight. */
export function alignColumns(component: Component, columns: number[][]): Float64Array {
  const alignment = new Alignment(component, columns)
  const backwards = columns.toReversed()
  const sweeps = orderSweeps + alignSweeps
  for (let sweep = 0; sweep < sweeps; sweep++)
    for (const column of sweep % 2 === 0 ? columns : backwards)
      if (sweep < orderSweeps) alignment.order(column, sweep < 2)
      else alignment.align(column, sweep >= sweeps - medianSweeps && column.length <= mostForMedian)
  return alignment.tops
}

/** Neighbouring cards without room between them. `at`: where its first card is. */
type Run = { first: number; count: number; sum: number; at: number }

class Alignment {
  readonly tops: Float64Array
  readonly #component: Component
  readonly #columnOf: Uint32Array
  /** Where the links of each card would be straight. */
  readonly #ideal: Float64Array
  /** No card stands farther above or below height 0. */
  readonly #most: number

  constructor(component: Component, columns: readonly (readonly number[])[]) {
    this.#component = component
    this.tops = new Float64Array(component.cards.length)
    this.#ideal = new Float64Array(component.cards.length)
    this.#columnOf = new Uint32Array(component.cards.length)
    columns.forEach((column, index) => {
      for (const card of column) this.#columnOf[card] = index
      this.#stack(column)
    })
    const { heights } = component
    const highest = columns.reduce((most, column) => Math.max(most, -this.tops[column[0]!]!), 0)
    this.#most = 1.1 * Math.max(highest, columnHeight(heights) / 2)
  }

  order(column: number[], stacked: boolean): void {
    const ideal = this.#ideal
    for (const card of column) ideal[card] = this.#mean(card)
    column.sort((a, b) => ideal[a]! - ideal[b]! || a - b)
    if (stacked) this.#stack(column)
    else this.#spread(column, false)
  }

  align(column: readonly number[], byMedian: boolean): void {
    for (const card of column) this.#ideal[card] = byMedian ? this.#median(card) : this.#mean(card)
    this.#spread(column, byMedian)
  }

  /** One below the other, around height 0. */
  #stack(column: readonly number[]): void {
    const { heights } = this.#component
    let top = gap.down / 2
    for (const card of column) top -= (heights[card]! + gap.down) / 2
    for (const card of column) {
      this.tops[card] = top
      top += heights[card]! + gap.down
    }
  }

  #mean(card: number): number {
    const { starts, others, shifts } = this.#component.ends
    const [id, column] = [this.#component.cards[card]!, this.#columnOf[card]]
    let [sum, count] = [0, 0]
    for (let at = starts[id]!, end = starts[id + 1]!; at < end; at++) {
      const other = others[at]!
      if (this.#columnOf[other] === column) continue
      sum += this.tops[other]! + shifts[at]!
      count++
    }
    return count > 0 ? sum / count : this.tops[card]!
  }

  #median(card: number): number {
    const { starts, others, shifts } = this.#component.ends
    const [id, column] = [this.#component.cards[card]!, this.#columnOf[card]]
    const tops: number[] = []
    for (let at = starts[id]!, end = starts[id + 1]!; at < end; at++)
      if (this.#columnOf[others[at]!] !== column) tops.push(this.tops[others[at]!]! + shifts[at]!)
    return tops.length > 0 ? median(tops) : this.tops[card]!
  }

  /** The nearest places to the ideal ones without changing the order: runs that would overlap are joined (isotonic regression). */
  #spread(column: readonly number[], byMedian: boolean): void {
    const { heights } = this.#component
    const starts = new Float64Array(column.length + 1)
    const runs: Run[] = []
    for (let index = 0; index < column.length; index++) {
      const card = column[index]!
      const at = this.#ideal[card]! - starts[index]!
      starts[index + 1] = starts[index]! + heights[card]! + gap.down
      let run = { first: index, count: 1, sum: at, at }
      for (let last = runs.at(-1); last && last.at >= run.at; last = runs.at(-1)) {
        runs.pop()
        const [count, sum] = [last.count + run.count, last.sum + run.sum]
        run = { first: last.first, count, sum, at: sum / count }
        if (byMedian) run.at = this.#medianOf(column, run, starts)
      }
      runs.push(run)
    }
    for (const { first, count, at } of runs)
      for (let index = first; index < first + count; index++) this.tops[column[index]!] = at + starts[index]!
    this.#limit(column)
  }

  /** Moves cards that stand too far out inwards, and those in their way: one far card would make the whole picture high. */
  #limit(column: readonly number[]): void {
    const { heights } = this.#component
    let least = -this.#most
    for (const card of column) {
      if (this.tops[card]! >= least) break
      this.tops[card] = least
      least += heights[card]! + gap.down
    }
    let most = this.#most
    for (let index = column.length - 1; index >= 0; index--) {
      const card = column[index]!
      if (this.tops[card]! + heights[card]! <= most) break
      this.tops[card] = most - heights[card]!
      most = this.tops[card]! - gap.down
    }
  }

  #medianOf(column: readonly number[], { first, count }: Run, starts: Float64Array): number {
    return median(column.slice(first, first + count).map((card, index) => this.#ideal[card]! - starts[first + index]!))
  }
}

function median(numbers: number[]): number {
  return numbers.sort((a, b) => a - b)[(numbers.length - 1) >> 1]!
}
