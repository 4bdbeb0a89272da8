import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import { clocks, type Clock } from './statements.ts'
import { OrganisationGuard } from './guard.ts'
import { IdSource } from './ids.ts'
import { NameIndexes } from './name-indexes.ts'
import { migrations } from './migrations/all.ts'
import { defaultPoolSize, type PostgresOptions, WatchedPool } from './postgres.ts'
import { RunningSaves } from './saves.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'
import { OrganisationQueue } from './organisation-queue.ts'

export type StoreSettings = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string }

export type StoreOptions = PostgresOptions & { readOnly?: boolean }

/** The store's own handle or a transaction. */
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/**
 * The store. `shared` accesses only tables without organisation; everything else goes through `of(organisationId)`,
 * whose queries are rejected unless they name that organisation (or, for reads, the library).
 */
export type Store = {
  kind: StoreSettings['kind']
  shared: Db
  ids: IdSource
  /** The database clock, as an SQL expression. */
  clock: Clock
  of: (organisationId: number) => Db
  /**
   * Queues write transactions by organisation, so that writers waiting for each other's locks in one organisation do
   * not occupy the connections of others and of readers.
   */
  writing: OrganisationQueue
  /** Lets queries about a save's outcome wait for it. */
  saves: RunningSaves
  /** In-memory name indexes for searches. */
  names: NameIndexes
  migrate: () => Promise<void>
  /** Throws if the store is unreachable or its schema outdated. */
  check: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Returns the same transaction, restricted to an organisation. For changes of several organisations, such as changes of
 * the library.
 */
export function within(tx: Tx, organisationId: number): Tx {
  return tx.withoutPlugins().withPlugin(new OrganisationGuard(organisationId))
}

export function openStore(settings: StoreSettings, options: StoreOptions = {}): Store {
  const dialect = dialectOf(settings, options)
  const db = new Kysely<Tables>({ dialect })
  const shared = db.withPlugin(new OrganisationGuard(null))
  const guarded = new Map<number, Db>()
  return {
    kind: settings.kind,
    shared,
    ids: new IdSource(shared),
    clock: clocks[settings.kind],
    of(organisationId) {
      const cached = guarded.get(organisationId) ?? db.withPlugin(new OrganisationGuard(organisationId))
      if (guarded.size > 10_000) guarded.clear()
      guarded.set(organisationId, cached)
      return cached
    },
    writing: new OrganisationQueue(writeQueueSettings(options.poolSize ?? defaultPoolSize)),
    saves: new RunningSaves(),
    names: new NameIndexes(),
    async migrate() {
      await migrate(db)
      if ('migrated' in dialect) dialect.migrated()
    },
    async check() {
      const pending = (await migrator(db).getMigrations()).filter(migration => migration.executedAt === undefined)
      if (pending.length > 0) throw new Error('The store has pending migrations.')
    },
    close: () => db.destroy(),
  }
}

/** Reserves connections for readers and jobs. */
function writeQueueSettings(poolSize: number) {
  const slots = Math.max(2, poolSize - 4)
  const refusal = 'Too many changes are waiting. Try again in a moment.'
  return { slots, slotsOfOne: Math.ceil(slots / 2), waiting: 1000, waitingOfOne: 200, refusal }
}

function dialectOf(settings: StoreSettings, options: StoreOptions) {
  if (settings.kind === 'sqlite') return sqliteDialect(settings.file, options)
  return new PostgresDialect({ pool: new WatchedPool(settings.url, options) })
}

function migrator(db: Db): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => migrations } })
}

async function migrate(db: Db): Promise<void> {
  const { error } = await migrator(db).migrateToLatest()
  if (error) throw error
}
