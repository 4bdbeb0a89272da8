import type { QueryKey } from '@tanstack/react-query'
import { isGone } from './error.ts'
import { putNewest, queryClient, refreshStructure } from './query-client.ts'

type Tagged = { etag: string }

/** Query that shows the base of a save, and the tag of that base. */
type BasedOn = { shown: QueryKey; etag: string }

/**
 * The outcome of an unanswered save, looked up by its id; null if nothing was stored. Invalidates the data that the
 * save changed and replaces its base in the cache, because a reopened document would use that base as the current
 * state.
 */
export async function outcomeOf<A extends Tagged>(request: Promise<A>, basedOn?: BasedOn): Promise<A | null> {
  const answer = await request.catch((failure: unknown) => {
    if (isGone(failure)) return null
    throw failure
  })
  if (!answer) return null
  if (basedOn && etagOf(basedOn.shown) === basedOn.etag) await putNewest(basedOn.shown, answer)
  void refreshStructure()
  return answer
}

function etagOf(queryKey: QueryKey): unknown {
  const data: unknown = queryClient.getQueryData(queryKey)
  return typeof data === 'object' && data !== null && 'etag' in data ? data.etag : undefined
}
