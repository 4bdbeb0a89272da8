import { isGone } from './error.ts'
import { refreshStructure } from './query-client.ts'

/** What became of a save whose answer did not come, as it is asked for by its id; null where it stored nothing. What it changed is read again. */
export async function orNothing<A>(asking: Promise<A>): Promise<A | null> {
  const found = await asking.catch((failure: unknown) => {
    if (isGone(failure)) return null
    throw failure
  })
  if (found) void refreshStructure()
  return found
}
