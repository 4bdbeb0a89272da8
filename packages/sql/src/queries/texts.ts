import type { QueryDialect } from './dialect.ts'
import { textOf, type QueryText } from './text.ts'
import type { Delete, Insert, Select, Update } from './tree.ts'

/** So many texts are kept beside those of the plain shapes: half of them, and as many more at most, are those that were asked for last. */
const kept = 2000

/** Texts by shape: the plain ones for good, others as long as they are asked for. */
export class Texts {
  readonly #dialect: QueryDialect
  readonly #plain = new Map<string, QueryText>()
  /** What was asked for since the others were put away: to put a text in its place each time it is asked for costs more than to find it. */
  #recent = new Map<string, QueryText>()
  #before = new Map<string, QueryText>()
  #isStarting = true

  constructor(dialect: QueryDialect) {
    this.#dialect = dialect
  }

  /** What was asked for until now is kept for good. */
  started(): void {
    this.#isStarting = false
  }

  of(shape: string, build: () => Select | Insert | Update | Delete): QueryText {
    const known = this.#plain.get(shape) ?? this.#recent.get(shape)
    if (known) return known
    const text = this.#before.get(shape) ?? textOf(build(), this.#dialect)
    if (this.#isStarting) this.#plain.set(shape, text)
    else this.#keep(shape, text)
    return text
  }

  #keep(shape: string, text: QueryText): void {
    this.#recent.set(shape, text)
    if (this.#recent.size < kept / 2) return
    this.#before = this.#recent
    this.#recent = new Map()
  }
}
