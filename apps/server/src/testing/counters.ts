import { expect } from 'vitest'
import type { TestConsole } from './console.ts'
import { organisationId } from './entities.ts'

/** Asserts that the counters match the rows, in an organisation and the library. */
export async function expectCorrectCounters(server: TestConsole, organisation = 'ACME'): Promise<void> {
  for (const id of [await organisationId(server, organisation), 0]) {
    expect(await storedCounters(server, id)).toEqual(await actualCounters(server, id))
  }
}

async function storedCounters({ context }: TestConsole, organisation: number): Promise<Record<string, number>> {
  const rows = await context.store
    .of(organisation)
    .selectFrom('tally')
    .select(['name', 'folder', query => query.fn.sum<number | string>('amount').as('amount')])
    .where('organisation_id', '=', organisation)
    .groupBy(['name', 'folder'])
    .execute()
  return record(rows.map(({ name, folder, amount }) => [`${name} ${folder}`, Number(amount)]))
}

async function actualCounters({ context }: TestConsole, organisation: number): Promise<Record<string, number>> {
  const db = context.store.of(organisation)
  const folders = await db
    .selectFrom('entity')
    .select(['folder', query => query.fn.countAll<number>().as('amount')])
    .where('organisation_id', '=', organisation)
    .where('import_id', '=', 0)
    .where('hidden', '=', 0)
    .groupBy('folder')
    .execute()
  const entries = await db
    .selectFrom('audit_entry')
    .select(['kind', query => query.fn.countAll<number>().as('amount')])
    .where('organisation_id', '=', organisation)
    .where('import_id', '=', 0)
    .groupBy('kind')
    .execute()
  const all = folders.reduce((sum, { amount }) => sum + Number(amount), 0)
  return record([
    ['entities ', all],
    ...folders.map(({ folder, amount }): [string, number] => [`entities ${folder}`, Number(amount)]),
    ...entries.map(({ kind, amount }): [string, number] => [`${kind} `, Number(amount)]),
  ])
}

function record(entries: readonly (readonly [string, number])[]): Record<string, number> {
  return Object.fromEntries(entries.filter(([, amount]) => amount !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
