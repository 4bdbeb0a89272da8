import { newUid } from '@cadmus/model/uid'
import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/**
 * How many there are of something in an organisation, kept so that no list has to count. `folder` is the folder that is meant,
 * '' where none is: `entities` are the visible ones, of all folders or of one.
 */
export type Tally = { name: Tables['tally']['name']; folder: string }

/** So many rows more than there are things counted are worth a compaction. */
const many = 200

/**
 * Adds to what is kept (or takes, with a negative amount): a row more, in the transaction of the change itself, so that no
 * change waits for another one's count. The sum is the count; `compactTallies` makes one row of many.
 */
export async function addToTallies(
  db: Db,
  organisationId: number,
  changes: readonly (Tally & { amount: number })[],
): Promise<void> {
  const rows = changes
    .filter(({ amount }) => amount !== 0)
    .map(change => ({ organisation_id: organisationId, uid: newUid(), ...change }))
  for (const part of inBatches(rows, 200)) await db.insertInto('tally').values(part).execute()
}

/** Entities came into sight (1) or went out of it (-1): one folder for each. */
export async function tallyEntities(
  db: Db,
  organisationId: number,
  folders: readonly string[],
  sign: 1 | -1,
): Promise<void> {
  if (folders.length === 0) return
  const amounts = new Map([['', sign * folders.length]])
  for (const folder of folders) amounts.set(folder, (amounts.get(folder) ?? 0) + sign)
  const changes = [...amounts].map(([folder, amount]) => ({ name: 'entities' as const, folder, amount }))
  await addToTallies(db, organisationId, changes)
}

/** Audit entries were written: a kind for each. */
export async function tallyAudit(
  db: Db,
  organisationId: number,
  kinds: readonly Tables['audit_entry']['kind'][],
): Promise<void> {
  const changes = [...Map.groupBy(kinds, kind => kind)].map(([name, list]) => ({
    name,
    folder: '',
    amount: list.length,
  }))
  await addToTallies(db, organisationId, changes)
}

/** The count over these organisations. */
export async function tallied(db: Db, organisationIds: readonly number[], { name, folder }: Tally): Promise<number> {
  const row = await db
    .selectFrom('tally')
    .select(query => query.fn.sum<number | string | null>('amount').as('total'))
    .where('organisation_id', 'in', organisationIds)
    .where('name', '=', name)
    .where('folder', '=', folder)
    .executeTakeFirst()
  return Number(row?.total ?? 0)
}

/** The folders that hold visible entities, in no order. */
export async function talliedFolders(db: Db, organisationIds: readonly number[]): Promise<string[]> {
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

/** Makes one row of the many that an organisation's changes left; for one caller at a time. */
export async function compactTallies(db: Db, organisationId: number): Promise<void> {
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
    const sums = new Map<string, Tally & { amount: number }>()
    for (const { name, folder, amount } of rows) {
      const key = `${name} ${folder}`
      sums.set(key, { name, folder, amount: (sums.get(key)?.amount ?? 0) + Number(amount) })
    }
    await addToTallies(tx, organisationId, [...sums.values()])
  })
}
