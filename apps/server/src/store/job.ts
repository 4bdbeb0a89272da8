import { sql } from 'kysely'
import type * as z from 'zod'
import type { progressAnswer } from '@cadmus/model/contract/shared'
import { fromNow } from './statements.ts'
import type { Db } from './database.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

export type JobRow = Tables['job']
export type JobProgress = z.output<typeof progressAnswer>

/** A job with its holder, which alone may continue it. */
export type HeldJob = { id: number; holder: string }

/** Identifies a job. Per organisation and kind, only one job is active for each key. */
export type JobPlace = { organisationId: number; kind: JobRow['kind']; key: string }

/** Milliseconds without renewal after which a job may be taken over. */
const leaseDuration = 20_000

/** Milliseconds between renewals of a waiting job. */
const renewalInterval = leaseDuration / 10

const active = ['waiting', 'running', 'stopping'] as const
const over = ['done', 'failed', 'cancelled'] as const
type Outcome = (typeof over)[number]

type JobStore = Pick<Store, 'kind' | 'shared' | 'clock'>
type NewJob = JobPlace & HeldJob & { userId: string; state: 'waiting' | 'running' }

/**
 * Creates a job. Returns false if one with the same key is active; with `takeExpired`, for work without partial results,
 * an expired job counts as ended.
 */
export async function insertJob({ shared, clock }: JobStore, job: NewJob, takeExpired = false): Promise<boolean> {
  const row = {
    id: job.id,
    organisation_id: job.organisationId,
    kind: job.kind,
    job_key: job.key,
    state: job.state,
    user_id: job.userId,
    holder: job.holder,
    lease_until: fromNow(clock, leaseDuration),
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
          return takeExpired ? eb.or([isOver, eb('job.lease_until', '<', clock)]) : isOver
        }),
    )
    .returning('holder')
    .executeTakeFirst()
  return inserted?.holder === job.holder
}

/** Starts an announced job; may be repeated. Returns false if the job was taken over or has ended. */
export async function beginJob({ shared, clock }: JobStore, { id, holder }: HeldJob): Promise<boolean> {
  const { numUpdatedRows } = await shared
    .updateTable('job')
    .set({ state: 'running', lease_until: fromNow(clock, leaseDuration) })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Takes over one expired job in the state `stopping`; skips jobs being taken concurrently. */
export async function takeExpiredJob({ kind, shared, clock }: JobStore, holder: string): Promise<JobRow | undefined> {
  const expired = shared
    .selectFrom('job')
    .select('id')
    .where('state', 'in', active)
    // Builds are restarted by any server instead (build-job.ts).
    .where('kind', '!=', 'build')
    .where('lease_until', '<', clock)
    .orderBy('sequence')
    .limit(1)
  return shared
    .updateTable('job')
    .set(eb => ({
      state: 'stopping',
      holder,
      lease_until: fromNow(clock, leaseDuration),
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', kind === 'postgres' ? expired.forUpdate().skipLocked() : expired)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Renews these jobs. Returns those still held, and whether their cancellation was requested. Jobs not renewed expire
 * and are cleaned up by another server.
 */
export async function renewJobs(
  { shared, clock }: JobStore,
  holder: string,
  ids: readonly number[],
): Promise<Map<number, { isCancelled: boolean }>> {
  const rows = await shared
    .updateTable('job')
    .set({ lease_until: fromNow(clock, leaseDuration) })
    .where('holder', '=', holder)
    .where('id', 'in', ids)
    .where('state', 'in', active)
    .returning(['id', 'cancel_requested'])
    .execute()
  return new Map(rows.map(row => [row.id, { isCancelled: row.cancel_requested === 1 }]))
}

/**
 * Renews a job in the required state; returns false if the state changed or the job was taken over. In a transaction,
 * the row lock makes anyone stopping or taking over the job wait.
 */
export async function renewHeldJob(
  db: Db,
  { clock }: Pick<Store, 'clock'>,
  { id, holder }: HeldJob,
  state: 'running' | 'stopping',
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set({ lease_until: fromNow(clock, leaseDuration) })
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', '=', state)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Renews a job while the work waits or runs. Failed renewals are retried; a lost job is noticed when the work stores
 * its result.
 */
export async function whileHeld<T>(store: JobStore, { id, holder }: HeldJob, work: () => Promise<T>): Promise<T> {
  let isRenewing = false
  const renew = async () => {
    // Not reentrant: the work itself may lock the row for a while.
    if (isRenewing) return
    isRenewing = true
    await renewJobs(store, holder, [id]).catch(() => undefined)
    isRenewing = false
  }
  const timer = setInterval(() => void renew(), renewalInterval)
  timer.unref()
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

/** Ends the writes of the job's own work. Returns false if the job was taken over. */
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

/** Ends a job. Returns false if it was taken over or has already ended. */
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

/** Requests the job's server to cancel it. Returns the job's id; undefined without an active job. */
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

/** Expires all active jobs of the embedded store, whose only process has just started. */
export async function expireAllJobs(db: Db): Promise<void> {
  await db.updateTable('job').set({ lease_until: 0 }).where('state', 'in', active).execute()
}

/** Deletes jobs that ended more than `age` milliseconds ago. */
export async function deleteOldJobs({ shared, clock }: JobStore, age: number): Promise<void> {
  await shared.deleteFrom('job').where('state', 'in', over).where('ended_at', '<', fromNow(clock, -age)).execute()
}

// Waiting builds have no holder until a server takes one; the build of a crashed server becomes available again. A
// build stores nothing before its end, so it can be restarted.

export type WaitingBuild = Pick<JobRow, 'id' | 'organisation_id' | 'attempts'>

/** Queues a build; call it in the transaction that stores its package version. */
export async function insertBuild(
  tx: Db,
  { clock }: Pick<Store, 'clock'>,
  { id, organisationId, userId }: { id: number; organisationId: number; userId: string },
): Promise<void> {
  await tx
    .insertInto('job')
    .values({
      id,
      organisation_id: organisationId,
      kind: 'build',
      job_key: String(id),
      state: 'waiting',
      user_id: userId,
      holder: '',
      lease_until: 0,
      attempts: 0,
      progress: '',
      cancel_requested: 0,
      sequence: sql<number>`(select coalesce(max(sequence), 0) + 1 from job)`,
      created_at: clock,
      ended_at: 0,
    })
    .execute()
}

/** Counts an organisation's unfinished builds. */
export async function countBuilds(tx: Db, organisationId: number): Promise<number> {
  const { total } = await tx
    .selectFrom('job')
    .select(count => count.fn.countAll<number>().as('total'))
    .where('organisation_id', '=', organisationId)
    .where('kind', '=', 'build')
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** Returns builds without an active holder, oldest first. */
export async function waitingBuilds({ shared, clock }: JobStore, max: number): Promise<WaitingBuild[]> {
  return shared
    .selectFrom('job')
    .select(['id', 'organisation_id', 'attempts'])
    .where('kind', '=', 'build')
    .where('state', 'in', ['waiting', 'running'])
    .where('lease_until', '<', clock)
    .orderBy('sequence')
    .limit(max)
    .execute()
}

/** Takes a build and returns its number of attempts; undefined if another server was faster. */
export async function takeBuild({ shared, clock }: JobStore, { id, holder }: HeldJob): Promise<number | undefined> {
  const row = await shared
    .updateTable('job')
    .set(set => ({
      state: 'running' as const,
      holder,
      lease_until: fromNow(clock, leaseDuration),
      attempts: set('attempts', '+', 1),
    }))
    .where('id', '=', id)
    .where('kind', '=', 'build')
    .where('state', 'in', ['waiting', 'running'])
    .where('lease_until', '<', clock)
    .returning('attempts')
    .executeTakeFirst()
  return row?.attempts
}

/** Returns an unfinished build to the queue, for any server. */
export async function requeueBuild({ shared }: Pick<JobStore, 'shared'>, { id, holder }: HeldJob): Promise<void> {
  await shared
    .updateTable('job')
    .set(set => ({ state: 'waiting' as const, holder: '', lease_until: 0, attempts: set('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('holder', '=', holder)
    .where('state', '=', 'running')
    .execute()
}
