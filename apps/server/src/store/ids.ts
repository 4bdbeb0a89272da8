import { sql } from 'kysely'
import type { Db } from './database.ts'

const blockSize = 1000

/**
 * Positive integer ids, reserved from the store in blocks, so that no table needs a serial column. Take them before a
 * transaction begins: reserving a block is a transaction itself, and the embedded store has one connection.
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
    if (id === undefined) throw new Error('No id is available.')
    return id
  }

  /** Returns `count` new ids, not necessarily consecutive. */
  async take(count: number): Promise<number[]> {
    const taken: number[] = []
    while (taken.length < count) {
      if (this.#next >= this.#end) await this.#fill(count - taken.length)
      while (this.#next < this.#end && taken.length < count) taken.push(this.#next++)
    }
    return taken
  }

  /** Returns a reserved unused id, if any. For use within a transaction, where no block can be reserved. */
  spare(): number | undefined {
    return this.#next < this.#end ? this.#next++ : undefined
  }

  async #fill(requested: number): Promise<void> {
    const turn = this.#refill.then(async () => {
      if (this.#next < this.#end) return
      const size = Math.max(blockSize, requested)
      const end = await reserve(this.#db, size)
      this.#next = end - size
      this.#end = end
    })
    this.#refill = turn.catch(() => undefined)
    await turn
  }
}

/** Reserves `size` ids and returns the first id after them. */
async function reserve(db: Db, size: number): Promise<number> {
  const row = await db
    .insertInto('id_block')
    .values({ name: 'id', next_id: 1 + size })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ next_id: sql<number>`id_block.next_id + ${size}` }))
    .returning('next_id')
    .executeTakeFirstOrThrow()
  return row.next_id
}
