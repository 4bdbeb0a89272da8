import { type Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import { OrganisationGuard } from './guard.ts'
import { migrations } from './migrations/all.ts'
import { type PostgresOptions, WatchedPool } from './postgres.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'

export type StoreSettings = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string }

export type StoreOptions = PostgresOptions & { readOnly?: boolean }

/** The store's own handle or a transaction. */
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/**
 * Returns the same transaction, restricted to an organisation. For changes of several organisations, such as changes of
 * the library.
 */
export function within(tx: Tx, organisationId: number): Tx {
  return tx.withoutPlugins().withPlugin(new OrganisationGuard(organisationId))
}

export function dialectOf(settings: StoreSettings, options: StoreOptions) {
  if (settings.kind === 'sqlite') return sqliteDialect(settings.file, options)
  return new PostgresDialect({ pool: new WatchedPool(settings.url, options) })
}

function migrator(db: Db): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } })
}

export async function migrate(db: Db): Promise<void> {
  const { error } = await migrator(db).migrateToLatest()
  if (error) throw error
}

export async function hasPendingMigrations(db: Db): Promise<boolean> {
  const all = await migrator(db).getMigrations()
  return all.some(({ executedAt }) => executedAt === undefined)
}
