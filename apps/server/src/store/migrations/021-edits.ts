import { type Kysely, sql } from 'kysely'

/**
 * Adds the edits of each change to its audit entry, for undo and comparison across saves, and the entry that a change
 * undoes or repeats.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['edits text', 'edit_format bigint', 'cause text'])
    await sql`alter table audit_entry add column ${sql.raw(column)}`.execute(db)
}
