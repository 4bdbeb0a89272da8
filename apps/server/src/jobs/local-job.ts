import { ApiError } from '../errors/api-error.ts'
import type { HeldJob, JobPlace, JobProgress } from '../store/job.ts'

/** The interface of a job for its work. The signal's reason becomes the caller's error. */
export type RunningJob = HeldJob & { signal: AbortSignal; report: (progress: JobProgress) => void }

export type RunnerSettings = {
  /** Maximum concurrent jobs, in total and per organisation; further jobs wait. */
  slots: number
  slotsOfOrganisation: number
  /** Maximum duration in seconds. */
  seconds: number
  /** Milliseconds between renewals of this server's jobs; by default a second. */
  tick?: number
}

/** A job of this server. */
export type LocalJob = HeldJob & {
  organisationId: number
  key: string
  kind: JobPlace['kind']
  state: 'announced' | 'waiting' | 'running'
  controller: AbortController
  turn: () => void
  /** Aborts the job after its maximum duration. */
  timeout?: NodeJS.Timeout
  progress: JobProgress
  isSaved: boolean
}

/** The result of a job, with its final progress. */
export type JobEnd = { job: LocalJob; state: 'done' | 'failed' | 'cancelled'; progress: JobProgress }

/** Picks the oldest waiting job of the organisation with the fewest running jobs. */
export function nextJob(
  jobs: readonly LocalJob[],
  { slots, slotsOfOrganisation }: RunnerSettings,
): LocalJob | undefined {
  const running = jobs.filter(({ kind, state }) => kind === 'import' && state === 'running')
  const ofOrganisation = (id: number) => running.filter(({ organisationId }) => organisationId === id).length
  if (running.length >= slots) return undefined
  return jobs
    .filter(({ state, organisationId }) => state === 'waiting' && ofOrganisation(organisationId) < slotsOfOrganisation)
    .toSorted((one, other) => ofOrganisation(one.organisationId) - ofOrganisation(other.organisationId))[0]
}

export function runningOf(local: LocalJob): RunningJob {
  return {
    id: local.id,
    holder: local.holder,
    signal: local.controller.signal,
    report(progress) {
      local.progress = progress
      local.isSaved = false
    },
  }
}

/** Waits for the turn; throws the signal's reason if aborted first. */
export async function waitForTurn(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  await Promise.race([turn, aborted])
}

export function isCancelled(signal: AbortSignal): boolean {
  const reason: unknown = signal.reason
  return signal.aborted && reason instanceof ApiError && reason.code === 'cancelled'
}

export function cancelled(): ApiError {
  return new ApiError(409, 'cancelled', 'The import was cancelled.')
}

export function timedOut(seconds: number): ApiError {
  const text = seconds % 60 === 0 && seconds > 60 ? `${seconds / 60} minutes` : `${seconds} seconds`
  return new ApiError(
    400,
    'too_slow',
    `The import took more than ${text} and was stopped. Nothing was saved. Split the file and import its parts.`,
  )
}
