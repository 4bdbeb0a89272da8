import type { Db } from './database.ts'

/** What the log says of the packages that were made before a moment, also of those that are deleted by now. */
export async function packagesMadeBefore(db: Db, organisationId: number, moment: string): Promise<string[]> {
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
