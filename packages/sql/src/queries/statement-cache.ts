import type { QueryDialect } from './dialect.ts'
import { textOf, type QueryText } from './text.ts'
import type { Delete, Insert, Select, Update } from './tree.ts'

/**
 * Limit of cached statements beside the plain shapes. The recent half is always complete; up to as many older ones are
 * kept.
 */
const maxCached = 2000

/** Cache of statements by shape. Plain shapes are kept; other shapes are evicted when they are no longer used. */
export class StatementCache {
  readonly #dialect: QueryDialect
  readonly #plain = new Map<string, QueryText>()
  /** Statements used since the last rotation: two generations are cheaper than moving an entry on each use. */
  #recent = new Map<string, QueryText>()
  #before = new Map<string, QueryText>()
  #isStarting = true

  constructor(dialect: QueryDialect) {
    this.#dialect = dialect
  }

  /** Ends the start-up phase, whose statements are never evicted. */
  endStartup(): void {
    this.#isStarting = false
  }

  of(shape: string, build: () => Select | Insert | Update | Delete): QueryText {
    const cached = this.#plain.get(shape) ?? this.#recent.get(shape)
    if (cached) return cached
    const text = this.#before.get(shape) ?? textOf(build(), this.#dialect)
    if (this.#isStarting) this.#plain.set(shape, text)
    else this.#add(shape, text)
    return text
  }

  #add(shape: string, text: QueryText): void {
    this.#recent.set(shape, text)
    if (this.#recent.size < maxCached / 2) return
    this.#before = this.#recent
    this.#recent = new Map()
  }
}
