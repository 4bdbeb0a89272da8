import type { Store } from './database.ts'
import { countPackages } from './package.ts'
import { counterValue } from './counters.ts'

/** Counts an organisation's own objects. */
export async function organisationTotals(
  store: Store,
  id: number,
): Promise<{ totalEntities: number; totalManifests: number; totalPackages: number }> {
  const db = store.of(id)
  const { total } = await db
    .selectFrom('manifest')
    .select(count => count.fn.countAll<number>().as('total'))
    .where('organisation_id', '=', id)
    .where('import_id', '=', 0)
    .where('hidden', '=', 0)
    .executeTakeFirstOrThrow()
  const totalEntities = await counterValue(db, [id], { name: 'entities', folder: '' })
  return { totalEntities, totalManifests: Number(total), totalPackages: await countPackages(db, id) }
}
