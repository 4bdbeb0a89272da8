import type { Runner } from './runners.ts'

// For tests only: all that a database has of tables, as it tells it itself.

export async function madeObjects(runner: Runner, dialect: 'sqlite' | 'postgresql'): Promise<string[]> {
  const queries = dialect === 'sqlite' ? [sqliteObjects] : postgresObjects
  const found: string[] = []
  for (const text of queries) {
    const rows = await runner.run({ text, parameters: [], answers: 'rows' })
    found.push(...rows.map(row => JSON.stringify(row)))
  }
  return found.toSorted()
}

const sqliteObjects = "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'"

/** Checks of types have names by lot. */
const postgresObjects = [
  `SELECT table_name, column_name, data_type, character_maximum_length, numeric_precision, numeric_scale, collation_name,
    is_nullable, is_identity, column_default FROM information_schema.columns WHERE table_schema = 'public'`,
  `SELECT CASE WHEN c.contype = 'c' AND c.conname NOT LIKE 'ck\\_%' THEN '' ELSE c.conname END, t.relname, pg_get_constraintdef(c.oid) FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid
    WHERE c.connamespace = 'public'::regnamespace AND c.contype <> 'n'`,
  "SELECT tablename, indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
]
