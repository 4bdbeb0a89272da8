import { historyTexts } from '@cadmus/model/messages/history'
import { messageOf } from '../api/error.ts'
import { notify } from '../ui/notices.ts'
import { holdTyped, trackPending } from '../ui/typed-text.ts'

/** A save waits until the work is in the drafts, and no document without a tab is dropped during it. */
export async function beforeSaves<T>(work: Promise<T>): Promise<T> {
  const done = work.then(
    () => true,
    () => true,
  )
  void trackPending(done)
  const release = holdTyped(async () => done)
  return work.finally(release)
}

let lastTurn: Promise<void> = Promise.resolve()

/** Steps over several documents: each takes its own from the drafts that the one before it has left. */
export async function inTurn(steps: () => Promise<void>): Promise<void> {
  lastTurn = lastTurn.then(steps).catch((failure: unknown) => notify('error', messageOf(failure, historyTexts.failed)))
  await beforeSaves(lastTurn)
}
