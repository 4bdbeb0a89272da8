import type { Context } from '../context.ts'
import { deleteUnusedAttributeNames } from '../store/attribute-search.ts'
import { inBatches } from '../store/batches.ts'
import type { Db } from '../store/database.ts'
import { markUnreferenced, markedBefore, removeMarked } from '../store/unreferenced-content.ts'
import { listOrganisations } from '../store/organisation.ts'

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
      const orphans = await workers.run('orphanContents', { organisationId: id })
      const due = await markedBefore(db, id, orphans, { clock: store.clock, age })
      for (const part of inBatches(due, batch)) await db.transaction().execute(tx => removeMarked(tx, id, part))
      removed += due.length
      const unmarked = new Set(orphans).difference(new Set(due))
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
