import { cpSync } from 'node:fs'
import { askBroker } from './broker.ts'
import { type PostgresDatabase, startPostgres } from './postgres.ts'

// What a console makes of an empty store (tables, library, demo data) takes over a second. The consoles of one vitest run begin as
// copies of a store that was filled once, unless the test is about the filling.

/** The secret of consoles on PostgreSQL in tests: 32 bytes in hexadecimal digits. */
export const testSecret = '5a'.repeat(32)

/** Settings that leave what a console puts into an empty store as it is. */
const HARMLESS = new Set([
  'CADMUS_ALLOWED_DATABASES',
  'CADMUS_ALLOWED_INSTANCES',
  'CADMUS_BOOTSTRAP_TOKEN',
  'CADMUS_DEMO_PERMISSIONS',
  'CADMUS_IMPORT_MEMORY',
  'CADMUS_IMPORT_SECONDS',
  'CADMUS_INSTANCES',
  'CADMUS_LOG_LEVEL',
])

/** Whether a console with these settings would fill its store as any other. */
export function fillsAsUsual(env: Readonly<Record<string, string>> = {}): boolean {
  return Object.keys(env).every(name => HARMLESS.has(name))
}

/** Puts a filled data directory into `folder`, which is there and empty. Does nothing outside of vitest. */
export async function copyPreparedData(folder: string): Promise<void> {
  const prepared = await askBroker('prepared-data')
  if (prepared !== undefined) cpSync(prepared, folder, { recursive: true })
}

/** A database that a console has filled, with `testSecret`; outside of vitest an empty one. */
export async function preparedDatabase(): Promise<PostgresDatabase> {
  const [server, prepared] = await Promise.all([startPostgres(), askBroker('prepared-database')])
  return server.createDatabase(prepared)
}
