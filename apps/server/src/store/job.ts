import type { progressAnswer } from '@cadmus/model/contract/import-shapes'
import { sql } from 'kysely'
import type * as z from 'zod'
import { fromNow } from './clock.ts'
import type { Db, Store } from './database.ts'
import type { Tables } from './tables.ts'

export type JobRow = Tables['job']
export type JobProgress = z.output<typeof progressAnswer>

/** A job that somebody holds; nobody else may go on with it. */
export type HeldJob = { id: number; holder: string }

/** What a job is about. Of one organisation and kind there is one job at a time with the same key. */
export type JobPlace = { organisationId: number; kind: JobRow['kind']; key: string }

/** So many milliseconds a holder may give no sign of life before somebody else takes the job from it. */
export const silence = 20_000

/** So often one that waits for its turn says that it is still there. */
const renewal = silence / 10

const active = ['waiting', 'running', 'stopping'] as const
const over = ['done', 'failed', 'cancelled'] as const
type Outcome = (typeof over)[number]

type JobStore = Pick<Store, 'kind' | 'shared' | 'clock'>
type NewJob = JobPlace & HeldJob & { userId: string; state: 'waiting' | 'running' }

/**
 * Announces a job. False where one with the same key is not over; with `takeLost`, for work that leaves nothing half done, one
 * whose holder is silent counts as over.
 */
export async function insertJob({ shared, clock }: JobStore, job: NewJob, takeLost = false): Promise<boolean> {
  const row = {
    id: job.id,
    organisation_id: job.organisationId,
    kind: job.kind,
    job_key: job.key,
    state: job.state,
    user_id: job.userId,
    holder: job.holder,
    lease_until: fromNow(clock, silence),
    progress: '',
    cancel_requested: 0,
    sequence: sql<number>`(select coalesce(max(sequence), 0) + 1 from job)`,
    created_at: clock,
    ended_at: 0,
  }
  const inserted = await shared
    .insertInto('job')
    .values({ ...row, attempts: 1 })
    .onConflict(conflict =>
      conflict
        .columns(['organisation_id', 'kind', 'job_key'])
        .doUpdateSet(eb => ({ ...row, attempts: eb('job.attempts', '+', 1) }))
        .where(eb => {
          const isOver = eb('job.state', 'in', over)
          return takeLost ? eb.or([isOver, eb('job.lease_until', '<', clock)]) : isOver
        }),
    )
    .returning('holder')
    .executeTakeFirst()
  return inserted?.holder === job.holder
}

/** Begins a job that its holder announced, also where it cannot know whether it did already; false when it is another's or over. */
export async function beginJob({ shared, clock }: JobStore, { id, holder }: HeldJob): Promise<boolean> {
  const { numUpdatedRows } = await shared
    .updateTable('job')
    .set({ state: 'running', lease_until: fromNow(clock, silence) })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** One job whose holder is silent, now stopping and held by the given one; others that are taken at the same time are passed over. */
export async function takeLostJob({ kind, shared, clock }: JobStore, holder: string): Promise<JobRow | undefined> {
  const lost = shared
    .selectFrom('job')
    .select('id')
    .where('state', 'in', active)
    // Builds are no loss: any server takes them up (build-job.ts).
    .where('kind', '!=', 'build')
    .where('lease_until', '<', clock)
    .orderBy('sequence')
    .limit(1)
  return shared
    .updateTable('job')
    .set(eb => ({ state: 'stopping', holder, lease_until: fromNow(clock, silence), attempts: eb('attempts', '+', 1) }))
    .where('id', '=', kind === 'postgres' ? lost.forUpdate().skipLocked() : lost)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Says that the holder is at these jobs. Answers which it still holds, and of what somebody asked that it be cancelled. One that is
 * not named falls silent: it goes to whoever cleans up.
 */
export async function renewJobs(
  { shared, clock }: JobStore,
  holder: string,
  ids: readonly number[],
): Promise<Map<number, { isCancelled: boolean }>> {
  const rows = await shared
    .updateTable('job')
    .set({ lease_until: fromNow(clock, silence) })
    .where('holder', '=', holder)
    .where('id', 'in', ids)
    .where('state', 'in', active)
    .returning(['id', 'cancel_requested'])
    .execute()
  return new Map(rows.map(row => [row.id, { isCancelled: row.cancel_requested === 1 }]))
}

/**
 * Renews a job in the state it has to be in; false when it is not any more, or another's. Within a transaction it also keeps
 * whoever stops or takes the job waiting until the transaction is over.
 */
export async function keepJob(
  db: Db,
  { clock }: Pick<Store, 'clock'>,
  { id, holder }: HeldJob,
  state: 'running' | 'stopping',
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ lease_until: fromNow(clock, silence) })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', '=', state)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Renews a job while the work goes on: it may wait for its turn longer than silence may last. Where the store does not take it, the
 * next time may be soon enough; who lost the job hears of it where it stores something.
 */
export async function whileHeld<T>(store: JobStore, { id, holder }: HeldJob, work: () => Promise<T>): Promise<T> {
  let isAsking = false
  const renew = async () => {
    // One at a time: the work itself may keep the row for a while.
    if (isAsking) return
    isAsking = true
    await renewJobs(store, holder, [id]).catch(() => undefined)
    isAsking = false
  }
  const timer = setInterval(() => void renew(), renewal)
  timer.unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** From here on the job's own work stores nothing more. False when it is another's. */
export async function stopJob(db: Db, { id, holder }: HeldJob): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ state: 'stopping' })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', 'in', active)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends a job. False when it is another's, or over in another way. */
export async function endJob(
  db: Db,
  { clock }: Pick<Store, 'clock'>,
  { id, holder }: HeldJob,
  outcome: Outcome,
  from: readonly JobRow['state'][] = active,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ state: outcome, ended_at: clock })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function saveProgress(db: Db, { id, holder }: HeldJob, progress: JobProgress): Promise<void> {
  await db
    .updateTable('job')
    .set({ progress: JSON.stringify(progress) })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .execute()
}

/** Asks the holder to stop, whichever server that is. Answers the job's id; undefined where none is under way. */
export async function requestCancel(db: Db, { organisationId, kind, key }: JobPlace): Promise<number | undefined> {
  const row = await db
    .updateTable('job')
    .set({ cancel_requested: 1 })
    .where('organisation_id', '=', organisationId)
    .where('kind', '=', kind)
    .where('job_key', '=', key)
    .where('state', 'in', ['waiting', 'running'])
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export async function jobAt(db: Db, { organisationId, kind, key }: JobPlace): Promise<JobRow | undefined> {
  return db
    .selectFrom('job')
    .selectAll()
    .where('organisation_id', '=', organisationId)
    .where('kind', '=', kind)
    .where('job_key', '=', key)
    .executeTakeFirst()
}

/** The embedded store has one process: whatever is under way when it starts was cut off. */
export async function loseAllJobs(db: Db): Promise<void> {
  await db.updateTable('job').set({ lease_until: 0 }).where('state', 'in', active).execute()
}

/** Removes jobs that were over so many milliseconds ago. */
export async function forgetJobs({ shared, clock }: JobStore, age: number): Promise<void> {
  await shared.deleteFrom('job').where('state', 'in', over).where('ended_at', '<', fromNow(clock, -age)).execute()
}
