import { sql } from 'kysely'
import type { Db } from './database.ts'

const blockSize = 1000

/**
 * Positive integer ids, taken from the store in blocks, so that no table needs a serial column. Take them before a
 * transaction begins: on the embedded store there is one connection, and a block is a transaction of its own.
 */
export class IdSource {
  #db: Db
  #next = 0
  #end = 0
  #refill: Promise<void> = Promise.resolve()

  constructor(db: Db) {
    this.#db = db
  }

  async one(): Promise<number> {
    const [id] = await this.take(1)
    if (id === undefined) throw new Error('No id was handed out.')
    return id
  }

  /** `count` fresh ids; a gap between two of them is possible. */
  async take(count: number): Promise<number[]> {
    const taken: number[] = []
    while (taken.length < count) {
      if (this.#next >= this.#end) await this.#fill(count - taken.length)
      while (this.#next < this.#end && taken.length < count) taken.push(this.#next++)
    }
    return taken
  }

  /** One that was reserved already and nobody took: for who is within a transaction, where none can be reserved. */
  spare(): number | undefined {
    return this.#next < this.#end ? this.#next++ : undefined
  }

  async #fill(wanted: number): Promise<void> {
    const turn = this.#refill.then(async () => {
      if (this.#next < this.#end) return
      const size = Math.max(blockSize, wanted)
      const end = await reserve(this.#db, size)
      this.#next = end - size
      this.#end = end
    })
    this.#refill = turn.catch(() => undefined)
    await turn
  }
}

/** Reserves `size` ids and answers the first one after them. */
async function reserve(db: Db, size: number): Promise<number> {
  const row = await db
    .insertInto('id_block')
    .values({ name: 'id', next_id: 1 + size })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ next_id: sql<number>`id_block.next_id + ${size}` }))
    .returning('next_id')
    .executeTakeFirstOrThrow()
  return row.next_id
}
