import type { QueryKey } from '@tanstack/react-query'
import { isGone } from './error.ts'
import { hashHere, putNewest, queryClient, refreshStructure } from './query-client.ts'

type Tagged = { etag: string }

/** Where it is shown what a save was based on, and the tag of that. */
type BasedOn = { shown: QueryKey; etag: string }

/**
 * What became of a save whose answer did not come, as it is asked for by its id; null where it stored nothing. What it changed is read
 * again, and stands until then in the place of what it was based on: a document that is shown anew would take that for the newest.
 */
export async function orNothing<A extends Tagged>(asking: Promise<A>, basedOn?: BasedOn): Promise<A | null> {
  const hash = basedOn && hashHere(basedOn.shown)
  const found = await asking.catch((failure: unknown) => {
    if (isGone(failure)) return null
    throw failure
  })
  if (!found) return null
  if (basedOn && hash !== undefined && etagOf(hash) === basedOn.etag) await putNewest(basedOn.shown, hash, found)
  void refreshStructure()
  return found
}

function etagOf(queryHash: string): unknown {
  const data: unknown = queryClient.getQueryCache().get(queryHash)?.state.data
  return typeof data === 'object' && data !== null && 'etag' in data ? data.etag : undefined
}
