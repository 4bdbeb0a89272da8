import { inBatches } from './batches.ts'
import type { Db } from './database.ts'
import { comparable } from './storable.ts'

const batch = 500

/** Returns the uids in use by an entity or manifest of the organisation or the library. */
export async function takenUids(
  db: Db,
  organisationId: number,
  uids: Iterable<string>,
  exceptEntityId = -1,
): Promise<string[]> {
  const taken: string[] = []
  for (const part of inBatches(comparable(uids), batch)) {
    for (const table of ['entity', 'manifest'] as const) {
      const rows = await db
        .selectFrom(table)
        .select(['id', 'uid'])
        .where('organisation_id', 'in', [organisationId, 0])
        .where('uid', 'in', part)
        .execute()
      taken.push(...rows.filter(row => table === 'manifest' || row.id !== exceptEntityId).map(({ uid }) => uid))
    }
  }
  return taken
}
