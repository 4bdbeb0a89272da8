import { limits } from '@cadmus/model/limits'
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { dropReports } from '../store/import-report.ts'
import { endJob, deleteOldJobs, saveProgress, takeExpiredJob } from '../store/job.ts'
import { withLease } from '../store/lease.ts'
import { listOrganisations } from '../store/organisation.ts'
import { deleteOldTokens } from '../store/personal-token.ts'
import { deleteOldCancellations } from '../store/cancelled-saves.ts'
import { compactCounters } from '../store/counters.ts'
import { cleanUp } from './clean-up.ts'
import { collectGarbage } from './garbage-collection.ts'

const recoveryInterval = 10_000
const maintenanceInterval = 60_000
const collectionInterval = 60 * 60_000
const retention = 24 * 60 * 60_000
const crashMessage = 'The server stopped before this was finished. Nothing was saved. Try again.'

/**
 * Ends jobs of crashed servers and removes their partial results, at once and every ten seconds. Returns the function
 * that stops it after the initial run.
 */
export async function startJobRecovery(context: Context): Promise<() => Promise<void>> {
  const { log } = context
  const recover = () => recoverJobs(context).catch((error: unknown) => log.error({ err: error }, 'job recovery failed'))
  const collect = () =>
    collectGarbage(context).catch((error: unknown) => log.error({ err: error }, 'garbage collection failed'))
  const maintain = () =>
    runMaintenance(context).catch((error: unknown) => log.error({ err: error }, 'maintenance failed'))
  const initialRuns = [recover(), maintain()]
  const timers = [
    setInterval(() => void recover(), recoveryInterval),
    setInterval(() => void maintain(), maintenanceInterval),
    setInterval(() => void collect(), collectionInterval),
  ]
  for (const timer of timers) timer.unref()
  return async () => {
    timers.forEach(clearInterval)
    await Promise.all(initialRuns)
  }
}

/**
 * Compacts counters, and drops unreachable reports, expired tokens and operation ids of saves that can no longer
 * arrive. One server at a time.
 */
export async function runMaintenance({ store, now }: Pick<Context, 'store' | 'now'>): Promise<void> {
  await withLease(store, 'tallies', async () => {
    await deleteOldTokens(store.shared, new Date(now() - limits.token.retention).toISOString())
    for (const { id } of await listOrganisations(store.shared)) {
      await compactCounters(store.of(id), id)
      await dropReports(store.of(id), id)
      await deleteOldCancellations(store, id)
    }
  })
}

/** Ends all jobs whose lease has expired. Returns their number. */
export async function recoverJobs({ store, log }: Pick<Context, 'store' | 'log'>): Promise<number> {
  const holder = randomUUID()
  let count = 0
  for (;;) {
    const job = await takeExpiredJob(store, holder)
    if (job === undefined) break
    await cleanUp(store, job.organisation_id, job)
    await saveProgress(store.shared, job, { state: 'failed', done: 0, total: 0, message: crashMessage })
    await endJob(store.shared, store, job, 'failed')
    log.warn({ jobId: job.id, kind: job.kind, organisationId: job.organisation_id }, 'ended a job of a crashed server')
    count++
  }
  await deleteOldJobs(store, retention)
  return count
}
