import { limits } from '@cadmus/model/limits'
import { randomUUID } from 'node:crypto'
import type { Context } from '../context.ts'
import { dropReports } from '../store/import-report.ts'
import { endJob, forgetJobs, saveProgress, takeLostJob } from '../store/job.ts'
import { withLease } from '../store/lease.ts'
import { listOrganisations } from '../store/organisation.ts'
import { forgetTokens } from '../store/personal-token.ts'
import { forgetSpentSaves } from '../store/spent-saves.ts'
import { compactTallies } from '../store/tally.ts'
import { cleanUp } from './clean-up.ts'
import { sweepContents } from './sweep.ts'

const every = 10_000
const tidyEvery = 60_000
const sweepEvery = 60 * 60_000
const kept = 24 * 60 * 60_000
const lost = 'The server that did this ended before it was done. Nothing was kept. Try again.'

/**
 * Ends jobs of crashed servers and removes their partial results, at once and every ten seconds. Returns the function
 * that stops it after the initial run.
 */
export async function startReaper(context: Context): Promise<() => Promise<void>> {
  const { log } = context
  const turn = () => reapJobs(context).catch((error: unknown) => log.error({ err: error }, 'reaping failed'))
  const sweep = () => sweepContents(context).catch((error: unknown) => log.error({ err: error }, 'sweeping failed'))
  const tidy = () => tidyUp(context).catch((error: unknown) => log.error({ err: error }, 'tidying up failed'))
  const begun = [turn(), tidy()]
  const timers = [
    setInterval(() => void turn(), every),
    setInterval(() => void tidy(), tidyEvery),
    setInterval(() => void sweep(), sweepEvery),
  ]
  for (const timer of timers) timer.unref()
  return async () => {
    timers.forEach(clearInterval)
    await Promise.all(begun)
  }
}

/**
 * Compacts counters, and drops unreachable reports, expired tokens and operation ids of saves that can no longer
 * arrive. One server at a time.
 */
export async function tidyUp({ store, now }: Pick<Context, 'store' | 'now'>): Promise<void> {
  await withLease(store, 'tallies', async () => {
    await forgetTokens(store.shared, new Date(now() - limits.token.kept).toISOString())
    for (const { id } of await listOrganisations(store.shared)) {
      await compactTallies(store.of(id), id)
      await dropReports(store.of(id), id)
      await forgetSpentSaves(store, id)
    }
  })
}

/** Ends all jobs whose lease has expired. Returns their number. */
export async function reapJobs({ store, log }: Pick<Context, 'store' | 'log'>): Promise<number> {
  const holder = randomUUID()
  let reaped = 0
  for (;;) {
    const job = await takeLostJob(store, holder)
    if (job === undefined) break
    await cleanUp(store, job.organisation_id, job)
    await saveProgress(store.shared, job, { state: 'failed', done: 0, total: 0, message: lost })
    await endJob(store.shared, store, job, 'failed')
    log.warn({ jobId: job.id, kind: job.kind, organisationId: job.organisation_id }, 'a job that was cut off was ended')
    reaped++
  }
  await forgetJobs(store, kept)
  return reaped
}
