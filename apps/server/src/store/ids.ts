import { sql } from 'kysely'
import { comparable, inBatches } from './statements.ts'
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

const batch = 500

/** Returns the uids in use by an entity or manifest of the organisation or the library. */
export async function takenUids(
  db: Db,
  organisationId: number,
  uids: Iterable<string>,
  exceptEntityId = -1,
): Promise<string[]> {
  const taken: string[] = []
  for (const part of inBatches(comparable(uids), batch)) {
    for (const table of ['entity', 'manifest'] as const) {
      const rows = await db
        .selectFrom(table)
        .select(['id', 'uid'])
        .where('organisation_id', 'in', [organisationId, 0])
        .where('uid', 'in', part)
        .execute()
      taken.push(...rows.filter(row => table === 'manifest' || row.id !== exceptEntityId).map(({ uid }) => uid))
    }
  }
  return taken
}

/** Returns the invisible rows of an import, optionally only the first ones. */
export async function idsOfImport(
  db: Db,
  table: 'entity' | 'manifest' | 'audit_entry',
  organisationId: number,
  importId: number,
  limit?: number,
): Promise<number[]> {
  const matching = db
    .selectFrom(table)
    .select('id')
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', importId)
    // A literal, so that the partial index on invisible rows applies.
    .where('import_id', '>', sql.lit(0))
  const rows = await (limit === undefined ? matching : matching.limit(limit)).execute()
  return rows.map(row => row.id)
}
