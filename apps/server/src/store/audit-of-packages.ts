import type { Db } from './database.ts'

/** Returns the descriptions of packages created before a moment, including deleted ones. */
export async function packagesCreatedBefore(db: Db, organisationId: number, moment: string): Promise<string[]> {
  const rows = await db
    .selectFrom('audit_entry')
    .where('organisation_id', '=', organisationId)
    .where('content_kind', '=', 'package')
    .where('action_type', '=', 'CREATE')
    .where('at', '<', moment)
    .select('description')
    .execute()
  return rows.map(({ description }) => description)
}
