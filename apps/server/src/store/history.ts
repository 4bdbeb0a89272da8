import { sql } from 'kysely'
import type { Db } from './database.ts'

type Totals = { totalEntities: number; totalManifests: number; totalPackages: number }
type Day = { date: string; entities: number; manifests: number; packages: number }

/** Entries per statement, so that other requests can run in between. */
const slice = 4000
const maxSlices = 50
const dayLength = 24 * 60 * 60 * 1000

/**
 * Returns the totals of an organisation at the end of each of the last days, oldest first. Computed backwards from the
 * current totals and the audit; returns fewer days if the audit is too long.
 */
export async function historyOf(
  db: Db,
  organisationId: number,
  totals: Totals,
  { days, now, signal }: { days: number; now: number; signal: AbortSignal },
): Promise<Day[]> {
  const dates = Array.from({ length: days }, (_, back) => dateOf(now - back * dayLength))
  const { netChanges, first } = await netChangesSince(db, organisationId, dates.at(-1) ?? '', signal)
  const history: Day[] = []
  let [entities, manifests, packages] = [totals.totalEntities, totals.totalManifests, totals.totalPackages]
  for (const date of dates) {
    if (date < first && history.length > 0) break
    history.push({
      date,
      entities: nonNegative(entities),
      manifests: nonNegative(manifests),
      packages: nonNegative(packages),
    })
    entities -= netChanges.get(`ENTITY ${date}`) ?? 0
    manifests -= netChanges.get(`MANIFEST ${date}`) ?? 0
    packages -= netChanges.get(`PACKAGE ${date}`) ?? 0
  }
  return history.toReversed()
}

/** Returns the net change by kind and date, complete from the end of the day `first` on. */
async function netChangesSince(
  db: Db,
  organisationId: number,
  since: string,
  signal: AbortSignal,
): Promise<{ netChanges: Map<string, number>; first: string }> {
  const netChanges = new Map<string, number>()
  const row = await db
    .selectFrom('audit_sequence')
    .select('last')
    .where('organisation_id', '=', organisationId)
    .executeTakeFirst()
  let upper = Number(row?.last ?? 0)
  let first = '9999-12-31'
  for (let read = 0; read < maxSlices && upper > 0 && first >= since; read++, upper -= slice) {
    // Stops if the caller has disconnected.
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
      const countedKind = of === 'package' ? 'PACKAGE' : kind
      const sign = { CREATE: 1, UPDATE: 0, DELETE: -1 }[action]
      netChanges.set(`${countedKind} ${date}`, (netChanges.get(`${countedKind} ${date}`) ?? 0) + sign * Number(amount))
    }
  }
  return { netChanges, first: upper > 0 ? first : '' }
}

function dateOf(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10)
}

/**
 * Objects being deleted are no longer counted, but their entries are still being written, so the result could be
 * negative.
 */
function nonNegative(count: number): number {
  return Math.max(0, count)
}
