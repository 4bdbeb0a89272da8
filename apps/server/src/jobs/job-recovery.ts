import { randomUUID } from 'node:crypto'
import { limits } from '@cadmus/model/limits'
import type { Context } from '../context.ts'
import { deleteUnusedAttributeNames } from '../store/attribute-search.ts'
import { inBatches } from '../store/statements.ts'
import { deleteOldCancellations } from '../store/saves.ts'
import { compactCounters } from '../store/counters.ts'
import type { Db } from '../store/database.ts'
import { deleteOldViewOperations } from '../store/diagram-view.ts'
import { dropReviews } from '../store/import-review.ts'
import { dropReports } from '../store/import-run.ts'
import { deleteOldJobs, endJob, saveProgress, takeExpiredJob } from '../store/job.ts'
import { withLease } from '../store/lease.ts'
import { listOrganisations } from '../store/organisation.ts'
import { deleteOldTokens } from '../store/user.ts'
import { markedBefore, markUnreferenced, removeMarked } from '../store/unreferenced-content.ts'
import { cleanUp } from './runner.ts'

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
      await dropReviews(store.of(id), store.clock, id)
      await deleteOldCancellations(store.of(id), id, store.clock)
      await deleteOldViewOperations(store.of(id), id, store.clock)
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

const batch = 100
/**
 * Milliseconds; longer than any transaction, so every store of the same content before the mark has committed by then.
 */
const minimumAge = 10 * 60_000

/**
 * Removes unused attribute names and unreferenced contents. Contents take two passes: the first marks them, storing one
 * again unmarks it, and the second removes marked ones still unreferenced. One server at a time. Returns the number of
 * removed contents.
 */
export async function collectGarbage(
  { store, workers, jobs }: Pick<Context, 'store' | 'workers' | 'jobs'>,
  age = minimumAge,
): Promise<number> {
  const place = {
    organisationId: 0,
    kind: 'sweep' as const,
    key: 'contents',
    userId: '',
    failed: 'The garbage collection failed.',
  }
  return jobs.runExclusively(place, async () => {
    let removed = 0
    for (const { id } of await listOrganisations(store.shared)) {
      const db = store.of(id)
      const unreferenced = await workers.run('unreferencedContents', { organisationId: id })
      const due = await markedBefore(db, id, unreferenced, { clock: store.clock, age })
      for (const part of inBatches(due, batch)) await db.transaction().execute(tx => removeMarked(tx, id, part))
      removed += due.length
      const unmarked = new Set(unreferenced).difference(new Set(due))
      await markUnreferenced(db, id, [...unmarked], { importId: 0, markedAt: store.clock })
      await deleteUnusedNames(db, id)
    }
    return removed
  })
}

/** In slices, so that other writes can run in between. */
async function deleteUnusedNames(db: Db, organisationId: number): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) after = await deleteUnusedAttributeNames(db, organisationId, after)
}
