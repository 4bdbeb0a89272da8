import { cpSync } from 'node:fs'
import { askBroker } from './broker.ts'
import { type PostgresDatabase, startPostgres } from './postgres.ts'

// Filling an empty store (tables, library, demo data) takes over a second. The consoles of a vitest run start with
// copies of a store that was filled once, unless a test is about the filling.

/** The secret of consoles on PostgreSQL in tests: 32 bytes in hexadecimal digits. */
export const testSecret = '5a'.repeat(32)

/** Settings without effect on the initial content of a store. */
const NEUTRAL_SETTINGS = new Set([
  'CADMUS_ALLOWED_DATABASES',
  'CADMUS_ALLOWED_INSTANCES',
  'CADMUS_BOOTSTRAP_TOKEN',
  'CADMUS_DEMO_PERMISSIONS',
  'CADMUS_IMPORT_MEMORY',
  'CADMUS_IMPORT_SECONDS',
  'CADMUS_INSTANCES',
  'CADMUS_LOG_LEVEL',
])

/** Whether a console with these settings fills its store with the default content. */
export function usesDefaultContent(env: Readonly<Record<string, string>> = {}): boolean {
  return Object.keys(env).every(name => NEUTRAL_SETTINGS.has(name))
}

/** Copies a filled data directory into an empty folder. Does nothing outside of vitest. */
export async function copyPreparedData(folder: string): Promise<void> {
  const prepared = await askBroker('prepared-data')
  if (prepared !== undefined) cpSync(prepared, folder, { recursive: true })
}

/** A database filled by a console with `testSecret`; an empty one outside of vitest. */
export async function preparedDatabase(): Promise<PostgresDatabase> {
  const [server, prepared] = await Promise.all([startPostgres(), askBroker('prepared-database')])
  return server.createDatabase(prepared)
}
