import { sql } from 'kysely'
import { fromNow } from './clock.ts'
import type { Db, Store } from './database.ts'
import { leaseDuration, type HeldJob, type JobRow } from './job.ts'

// Waiting builds have no holder until a server takes one; the build of a crashed server becomes available again. A
// build stores nothing before its end, so it can be restarted.

type JobStore = Pick<Store, 'shared' | 'clock'>
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
