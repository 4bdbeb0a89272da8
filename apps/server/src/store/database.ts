import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { Migrator } from 'kysely/migration'
import { clocks, type Clock } from './clock.ts'
import { OrganisationGuard } from './guard.ts'
import { IdSource } from './ids.ts'
import { NameBooks } from './name-books.ts'
import { migrations } from './migrations/all.ts'
import { connections, type PostgresOptions, WatchedPool } from './postgres.ts'
import { SavesUnderWay } from './saves-under-way.ts'
import { sqliteDialect } from './sqlite-dialect.ts'
import type { Tables } from './tables.ts'
import { Turns } from './turns.ts'

export type StoreSettings = { kind: 'sqlite'; file: string } | { kind: 'postgres'; url: string }

export type StoreOptions = PostgresOptions & { readOnly?: boolean }

/** A handle that queries run on: the store's own or a transaction's. */
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/**
 * The store. `shared` reads and writes only the tables that belong to no organisation; everything else goes through
 * `of(organisationId)`, whose queries are refused unless they name that organisation (or, for reads, the library).
 */
export type Store = {
  kind: StoreSettings['kind']
  shared: Db
  ids: IdSource
  /** Its own clock, as a part of statements. */
  clock: Clock
  of: (organisationId: number) => Db
  /**
   * Who begins a transaction that may wait for others' locks takes its turn first, by organisation: those who wait for one
   * organisation do not hold the connections that the others, and all who read, need.
   */
  writing: Turns
  /** Who asks what became of a save waits for it. */
  saves: SavesUnderWay
  /** What searches look through. */
  names: NameBooks
  migrate: () => Promise<void>
  /** Throws when the store cannot be reached or its schema is not the newest. */
  check: () => Promise<void>
  close: () => Promise<void>
}

/**
 * The same transaction for what belongs to an organisation: of one that looks at several, as a change of the library does, which all
 * of them see.
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
      const known = guarded.get(organisationId) ?? db.withPlugin(new OrganisationGuard(organisationId))
      if (guarded.size > 10_000) guarded.clear()
      guarded.set(organisationId, known)
      return known
    },
    writing: new Turns(writersOf(options.poolSize ?? connections)),
    saves: new SavesUnderWay(),
    names: new NameBooks(),
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

/** Some connections are left to those who read, and to the jobs. */
function writersOf(poolSize: number) {
  const slots = Math.max(2, poolSize - 4)
  const refusal = 'Too many changes are waiting for one another. Try again in a moment.'
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
