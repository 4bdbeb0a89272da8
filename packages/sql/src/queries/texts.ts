import type { QueryDialect } from './dialect.ts'
import { textOf, type QueryText } from './text.ts'
import type { Delete, Insert, Select, Update } from './tree.ts'

/** So many texts are kept beside those of the plain shapes, those that were asked for last. */
const kept = 2000

/** Texts by shape: the plain ones for good, others as long as they are asked for. */
export class Texts {
  readonly #dialect: QueryDialect
  readonly #plain = new Map<string, QueryText>()
  readonly #recent = new Map<string, QueryText>()
  #isStarting = true

  constructor(dialect: QueryDialect) {
    this.#dialect = dialect
  }

  /** What was asked for until now is kept for good. */
  started(): void {
    this.#isStarting = false
  }

  of(shape: string, build: () => Select | Insert | Update | Delete): QueryText {
    const plain = this.#plain.get(shape)
    if (plain) return plain
    const recent = this.#recent.get(shape)
    if (recent) {
      this.#recent.delete(shape)
      this.#recent.set(shape, recent)
      return recent
    }
    const text = textOf(build(), this.#dialect)
    if (this.#isStarting) this.#plain.set(shape, text)
    else this.#keep(shape, text)
    return text
  }

  #keep(shape: string, text: QueryText): void {
    this.#recent.set(shape, text)
    if (this.#recent.size <= kept) return
    const oldest = this.#recent.keys().next()
    if (!oldest.done) this.#recent.delete(oldest.value)
  }
}
