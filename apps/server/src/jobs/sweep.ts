import type { Context } from '../context.ts'
import { forgetAttributeNames } from '../store/attribute-search.ts'
import { inBatches } from '../store/batches.ts'
import type { Db } from '../store/database.ts'
import { noteLoose, notedBefore, removeNoted } from '../store/loose-content.ts'
import { listOrganisations } from '../store/organisation.ts'

const batch = 100
/**
 * Milliseconds; longer than any transaction, so every store of the same content before the mark has committed by then.
 */
const settled = 10 * 60_000

/**
 * Removes unused attribute names and unreferenced contents. Contents take two passes: the first marks them, storing one
 * again unmarks it, and the second removes marked ones still unreferenced. One server at a time. Returns the number of
 * removed contents.
 */
export async function sweepContents(
  { store, workers, jobs }: Pick<Context, 'store' | 'workers' | 'jobs'>,
  age = settled,
): Promise<number> {
  const place = { organisationId: 0, kind: 'sweep' as const, key: 'contents', userId: '', failed: 'The sweep failed.' }
  return jobs.alone(place, async () => {
    let removed = 0
    for (const { id } of await listOrganisations(store.shared)) {
      const db = store.of(id)
      const orphans = await workers.run('orphanContents', { organisationId: id })
      const ripe = await notedBefore(db, id, orphans, { clock: store.clock, age })
      for (const part of inBatches(ripe, batch)) await db.transaction().execute(tx => removeNoted(tx, id, part))
      removed += ripe.length
      const fresh = new Set(orphans).difference(new Set(ripe))
      await noteLoose(db, id, [...fresh], { importId: 0, notedAt: store.clock })
      await forgetNames(db, id)
    }
    return removed
  })
}

/** In slices, so that other writes can run in between. */
async function forgetNames(db: Db, organisationId: number): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) after = await forgetAttributeNames(db, organisationId, after)
}
