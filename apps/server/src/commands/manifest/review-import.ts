import type { MessagePort } from 'node:worker_threads'
import { reviewLimits } from '@cadmus/model/import-review-limits'
import { reviewTexts } from '@cadmus/model/messages/import-review'
import { abandoned, unavailable } from '../../errors/api-error.ts'
import { existingEntities } from '../../store/entity-refresh.ts'
import { identifiersInUse } from '../../store/import-run.ts'
import {
  dropReview,
  insertReviewPage,
  reviewedCharacters,
  type ReviewPage,
  reviewsOfUser,
} from '../../store/import-review.ts'
import { renewHeldJob } from '../../store/job.ts'
import type { Change } from '../change.ts'
import { refusal, type RunningImport, runReader } from './import-manifest.ts'
import type { FromReader, ImportInput, ReviewHead, ReviewOutcome, ToReader } from './import-messages.ts'

export type Reviewer = { review: (input: ImportInput, signal: AbortSignal) => Promise<ReviewOutcome> }

type Review = Omit<ImportInput, 'port' | 'leftOut'> & {
  job: RunningImport
  /** The form in which the choices and the answer are stored. */
  pack: (head: { input: Omit<ImportInput, 'port' | 'bytes' | 'leftOut'>; head: ReviewHead }) => string
}

/** Base64 has four characters for three bytes. */
const charactersPerByte = 4 / 3

/** Makes room for another review of the user. 503 if the organisation has too much under review. */
export async function admitReview({ store, organisationId, actor }: Change, bytes: number): Promise<void> {
  const db = store.of(organisationId)
  const own = await reviewsOfUser(db, store.clock, { organisationId, userId: actor.userId })
  for (const jobId of own.slice(reviewLimits.ofUser - 1)) await dropReview(db, organisationId, jobId)
  const size = (await reviewedCharacters(db, organisationId)) + bytes * charactersPerByte
  if (size > reviewLimits.characters) throw unavailable(reviewTexts.tooMany)
}

/** Reads a file in a worker like an import, and stores it with what was read. A failure leaves nothing. */
export async function reviewImport(
  change: Change,
  workers: Reviewer,
  { job, pack, ...input }: Review,
): Promise<ReviewHead> {
  const { store, organisationId } = change
  const storeOne = (page: Omit<ReviewPage, 'jobId'>) => storePage(change, job, { ...page, jobId: job.id })
  try {
    const { bytes: _bytes, ...choices } = input
    const { signal } = job
    const read = (port: MessagePort, stop: AbortSignal) => workers.review({ ...input, leftOut: [], port }, stop)
    const outcome = await runReader(read, signal, port => servePages(port, change, job, storeOne))
    if (outcome.refused !== null) throw refusal(outcome)
    signal.throwIfAborted()
    await storeOne({ part: 'head', page: 0, body: pack({ input: choices, head: outcome.head }) })
    return outcome.head
  } catch (error) {
    await dropReview(store.of(organisationId), organisationId, job.id)
    throw error
  }
}

/** Serves the reader's messages; rejects if one fails. */
function servePages(
  port: MessagePort,
  { store, organisationId }: Change,
  job: RunningImport,
  storeOne: (page: Omit<ReviewPage, 'jobId'>) => Promise<void>,
): Promise<never> {
  const answer = async (message: FromReader): Promise<ToReader | null> => {
    if (message.kind === 'progress') {
      job.report({ state: message.state, done: message.done, total: message.total, message: '' })
      return null
    }
    job.signal.throwIfAborted()
    if (message.kind === 'review') {
      await storeOne(message)
      return { kind: 'stored' }
    }
    if (message.kind !== 'counted') throw new Error('A review stores no rows.')
    const db = store.of(organisationId)
    // A review stores nothing under these ids.
    const ids = Array.from({ length: message.entities + message.manifests }, (_, index) => index + 1)
    return {
      kind: 'places',
      entityIds: ids.slice(0, message.entities),
      manifestIds: ids.slice(message.entities),
      ...(await identifiersInUse(db, organisationId, message.uids)),
      known: await existingEntities(db, organisationId, message.outside),
    }
  }
  return new Promise((_resolve, reject) => {
    port.on('message', (message: FromReader) => {
      answer(message).then(reply => reply && port.postMessage(reply), reject)
    })
  })
}

/** A server that takes the job over waits for this page; no further page is stored. */
async function storePage({ store, organisationId }: Change, job: RunningImport, page: ReviewPage): Promise<void> {
  await store
    .of(organisationId)
    .transaction()
    .execute(async tx => {
      if (!(await renewHeldJob(tx, store, job, 'running'))) throw abandoned('The review')
      const { jobId, part, page: number, body } = page
      await insertReviewPage(tx, organisationId, { jobId, part, page: number, body })
    })
}

type Outcome = { refused: string; roots: readonly string[] | undefined } | { refused: null }
type Reading<T extends Outcome> = (input: ImportInput, signal: AbortSignal) => Promise<T>

/** Reads a file in a worker, which stores nothing. */
export async function readFile<T extends Outcome>(
  reading: Reading<T>,
  input: Omit<ImportInput, 'port'>,
  job: Pick<RunningImport, 'signal' | 'report'>,
): Promise<Extract<T, { refused: null }>> {
  const read = (port: MessagePort, stop: AbortSignal) => reading({ ...input, port }, stop)
  const outcome = await runReader(read, job.signal, port => {
    const { promise, reject } = Promise.withResolvers<never>()
    port.on('message', (message: FromReader) => {
      if (message.kind !== 'progress') reject(new Error('Reading contents stores nothing.'))
      else job.report({ state: message.state, done: message.done, total: message.total, message: '' })
    })
    return promise
  })
  if (outcome.refused !== null) throw refusal(outcome)
  return outcome as Extract<T, { refused: null }>
}
