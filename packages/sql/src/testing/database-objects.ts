import type { Runner } from './runners.ts'

// For tests only: all objects of a database, as reported by itself.

export async function databaseObjects(
  runner: Pick<Runner, 'run'>,
  dialect: 'sqlite' | 'postgresql',
): Promise<string[]> {
  const queries = dialect === 'sqlite' ? [sqliteObjects] : postgresObjects
  const objects: string[] = []
  for (const text of queries) {
    const rows = await runner.run({ text, parameters: [], answers: 'rows' })
    objects.push(...rows.map(row => JSON.stringify(row)))
  }
  return objects.toSorted()
}

const sqliteObjects = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"

/** The server chooses the names of type checks. */
const postgresObjects = [
  `SELECT table_name, column_name, data_type, character_maximum_length, numeric_precision, numeric_scale, collation_name,
    is_nullable, is_identity, column_default FROM information_schema.columns WHERE table_schema = 'public'`,
  `SELECT CASE WHEN c.contype = 'c' AND c.conname NOT LIKE 'ck\\_%' THEN '' ELSE c.conname END, t.relname, pg_get_constraintdef(c.oid) FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
    WHERE c.connamespace = 'public'::regnamespace AND c.contype <> 'n'`,
  "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
]
