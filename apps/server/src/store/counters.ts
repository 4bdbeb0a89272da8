import { newUid } from '@cadmus/model/uid'
import { inBatches } from './statements.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/**
 * A counter of an organisation, which saves counting in lists. `entities` counts the visible ones in a folder, or in
 * all with ''.
 */
export type Counter = { name: Tables['tally']['name']; folder: string }

/** Surplus rows that justify a compaction. */
const many = 200

/**
 * Changes counters by inserting a row in the transaction of the change, so that changes do not wait for each other. The
 * counter is the sum of its rows; `compactCounters` merges them.
 */
export async function addToCounters(
  db: Db,
  organisationId: number,
  changes: readonly (Counter & { amount: number })[],
): Promise<void> {
  const rows = changes
    .filter(({ amount }) => amount !== 0)
    .map(change => ({ organisation_id: organisationId, uid: newUid(), ...change }))
  for (const part of inBatches(rows, 200)) await db.insertInto('tally').values(part).execute()
}

/** Counts entities that became visible (1) or invisible (-1), one folder each. */
export async function adjustEntityCounters(
  db: Db,
  organisationId: number,
  folders: readonly string[],
  sign: 1 | -1,
): Promise<void> {
  if (folders.length === 0) return
  const amounts = new Map([['', sign * folders.length]])
  for (const folder of folders) amounts.set(folder, (amounts.get(folder) ?? 0) + sign)
  const changes = [...amounts].map(([folder, amount]) => ({ name: 'entities' as const, folder, amount }))
  await addToCounters(db, organisationId, changes)
}

/** Counts written audit entries, one kind each. */
export async function adjustAuditCounters(
  db: Db,
  organisationId: number,
  kinds: readonly Tables['audit_entry']['kind'][],
): Promise<void> {
  const changes = [...Map.groupBy(kinds, kind => kind)].map(([name, list]) => ({
    name,
    folder: '',
    amount: list.length,
  }))
  await addToCounters(db, organisationId, changes)
}

/** Returns the counter's total over these organisations. */
export async function counterValue(
  db: Db,
  organisationIds: readonly number[],
  { name, folder }: Counter,
): Promise<number> {
  const row = await db
    .selectFrom('tally')
    .select(query => query.fn.sum<number | string | null>('amount').as('total'))
    .where('organisation_id', 'in', organisationIds)
    .where('name', '=', name)
    .where('folder', '=', folder)
    .executeTakeFirst()
  return Number(row?.total ?? 0)
}

/** Returns the folders that contain visible entities, unordered. */
export async function countedFolders(db: Db, organisationIds: readonly number[]): Promise<string[]> {
  const rows = await db
    .selectFrom('tally')
    .select('folder')
    .where('organisation_id', 'in', organisationIds)
    .where('name', '=', 'entities')
    .where('folder', '!=', '')
    .groupBy('folder')
    .having(query => query.fn.sum('amount'), '>', 0)
    .execute()
  return rows.map(row => row.folder)
}

/** Merges the rows of an organisation's counters; must not run concurrently. */
export async function compactCounters(db: Db, organisationId: number): Promise<void> {
  const counts = await db
    .selectFrom('tally')
    .select(query => query.fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisationId)
    .groupBy(['name', 'folder'])
    .execute()
  const surplus = counts.reduce((sum, { count }) => sum + Number(count) - 1, 0)
  if (surplus < many) return
  await db.transaction().execute(async tx => {
    const rows = await tx
      .deleteFrom('tally')
      .where('organisation_id', '=', organisationId)
      .returning(['name', 'folder', 'amount'])
      .execute()
    const sums = new Map<string, Counter & { amount: number }>()
    for (const { name, folder, amount } of rows) {
      const key = `${name} ${folder}`
      sums.set(key, { name, folder, amount: (sums.get(key)?.amount ?? 0) + Number(amount) })
    }
    await addToCounters(tx, organisationId, [...sums.values()])
  })
}
