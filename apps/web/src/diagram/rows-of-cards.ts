import type { Row } from '@cadmus/diagram/scene'
import { diagramLimits } from '@cadmus/model/diagram/view'

/** Rows by id of the entity. */
export type ReadRows = (ids: readonly number[]) => Promise<ReadonlyMap<number, readonly Row[]>>

/** The id of any entity that is not in the organisation. */
const missing = -1

/** Rows of entities, read when their cards come close. */
export class RowsOfCards {
  readonly #read: ReadRows
  readonly #onChange: () => void
  #rows = new Map<number, readonly Row[]>()
  #needed = new Set<number>()
  #reading = new Set<number>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(read: ReadRows, onChange: () => void) {
    this.#read = read
    this.#onChange = onChange
  }

  get(id: number): readonly Row[] | undefined {
    return this.#rows.get(id)
  }

  /** Requests of the same frame are read together. */
  need(ids: Iterable<number>): void {
    for (const id of ids) if (id !== missing && !this.#rows.has(id) && !this.#reading.has(id)) this.#needed.add(id)
    this.#readSoon()
  }

  /** Reads the rows of all these entities. */
  async load(ids: Iterable<number>): Promise<void> {
    const unread = [...ids].filter(id => id !== missing && !this.#rows.has(id))
    if (unread.length === 0) return
    for (const [id, rows] of await this.#read(unread)) this.#rows.set(id, rows)
    this.#onChange()
  }

  /** The model has changed: reads the newest rows again and forgets the others. Old ones are shown until then. */
  refresh(): void {
    const newest = [...this.#rows].slice(-diagramLimits.rowsAtOnce)
    this.#rows = new Map(newest)
    for (const [id] of newest) this.#needed.add(id)
    this.#readSoon()
  }

  #readSoon(): void {
    if (this.#needed.size > 0) this.#timer ??= setTimeout(() => void this.#readNeeded())
  }

  async #readNeeded(): Promise<void> {
    this.#timer = undefined
    // The last requested ones are those that are looked at now.
    const ids = [...this.#needed].slice(-diagramLimits.rowsAtOnce)
    for (const id of ids) {
      this.#needed.delete(id)
      this.#reading.add(id)
    }
    const rows = await this.#read(ids).catch(() => new Map<number, readonly Row[]>())
    for (const id of ids) {
      this.#reading.delete(id)
      const own = rows.get(id)
      if (own) this.#rows.set(id, own)
    }
    if (rows.size > 0) this.#onChange()
    if (this.#needed.size > 0 && this.#timer === undefined) await this.#readNeeded()
  }
}
