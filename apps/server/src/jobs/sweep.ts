import type { Context } from '../context.ts'
import { forgetAttributeNames } from '../store/attribute-search.ts'
import { inBatches } from '../store/batches.ts'
import type { Db } from '../store/database.ts'
import { noteLoose, notedBefore, removeNoted } from '../store/loose-content.ts'
import { listOrganisations } from '../store/organisation.ts'

const batch = 100
/** Longer than any transaction: who stored the same content before it was noted has committed by then. */
const settled = 10 * 60_000

/**
 * Removes names of attributes that no attribute has, and contents that nothing refers to. Those in two looks through the store: the
 * first notes them; whoever stores one of them from then on takes it off the list; the second removes what is still on the list and
 * still unreferred to. One server at a time.
 * Answers how many contents were removed.
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

/** A slice at a time: others have their turn between two. */
async function forgetNames(db: Db, organisationId: number): Promise<void> {
  let after: string | undefined = ''
  while (after !== undefined) after = await forgetAttributeNames(db, organisationId, after)
}
