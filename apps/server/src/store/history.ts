import { sql } from 'kysely'
import type { Db } from './database.ts'

type Totals = { totalEntities: number; totalManifests: number; totalPackages: number }
type Day = { date: string; entities: number; manifests: number; packages: number }

/** Entries that one statement goes through: others are answered between two of them. */
const slice = 4000
const most = 50
const dayLength = 24 * 60 * 60 * 1000

/**
 * How many an organisation had at the end of each of the last days, the oldest first. Told backwards from what it has now, by what its audit
 * says was made and deleted since; where that is more than is looked through, there are fewer days.
 */
export async function historyOf(
  db: Db,
  organisationId: number,
  totals: Totals,
  { days, now, signal }: { days: number; now: number; signal: AbortSignal },
): Promise<Day[]> {
  const dates = Array.from({ length: days }, (_, back) => dateOf(now - back * dayLength))
  const { gained, first } = await gainedSince(db, organisationId, dates.at(-1) ?? '', signal)
  const history: Day[] = []
  let [entities, manifests, packages] = [totals.totalEntities, totals.totalManifests, totals.totalPackages]
  for (const date of dates) {
    if (date < first && history.length > 0) break
    history.push({ date, entities: least(entities), manifests: least(manifests), packages: least(packages) })
    entities -= gained.get(`ENTITY ${date}`) ?? 0
    manifests -= gained.get(`MANIFEST ${date}`) ?? 0
    packages -= gained.get(`PACKAGE ${date}`) ?? 0
  }
  return history.toReversed()
}

/** By kind and date what came more than went; of all that, from the end of the day `first` on, nothing is missing. */
async function gainedSince(
  db: Db,
  organisationId: number,
  since: string,
  signal: AbortSignal,
): Promise<{ gained: Map<string, number>; first: string }> {
  const gained = new Map<string, number>()
  const row = await db
    .selectFrom('audit_sequence')
    .select('last')
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst()
  let upper = Number(row?.last ?? 0)
  let first = '9999-12-31'
  for (let read = 0; read < most && upper > 0 && first >= since; read++, upper -= slice) {
    // Nobody reads on for who has gone away.
    signal.throwIfAborted()
    const rows = await db
      .selectFrom('audit_entry')
      .select(['kind', 'content_kind', 'action_type', sql<string>`substr(at, 1, ${10})`.as('date')])
      .select(count => count.fn.countAll<number>().as('amount'))
      .where('organisation_id', '=', organisationId)
      .where('import_id', '=', 0)
      .where('sequence', '>', upper - slice)
      .where('sequence', '<=', upper)
      .groupBy(['kind', 'content_kind', 'action_type', 'date'])
      .execute()
    for (const { kind, content_kind: of, action_type: action, date, amount } of rows) {
      if (date < first) first = date
      const what = of === 'package' ? 'PACKAGE' : kind
      const sign = { CREATE: 1, UPDATE: 0, DELETE: -1 }[action]
      gained.set(`${what} ${date}`, (gained.get(`${what} ${date}`) ?? 0) + sign * Number(amount))
    }
  }
  return { gained, first: upper > 0 ? first : '' }
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/** What is being deleted is counted no longer, while its entries still come. */
function least(count: number): number {
  return Math.max(0, count)
}
