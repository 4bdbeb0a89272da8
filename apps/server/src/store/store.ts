import { Kysely } from 'kysely'
import { type Db, dialectOf, hasPendingMigrations, migrate, type StoreOptions, type StoreSettings } from './database.ts'
import { OrganisationGuard } from './guard.ts'
import { IdSource } from './ids.ts'
import { NameIndexes } from './name-indexes.ts'
import { OrganisationQueue } from './organisation-queue.ts'
import { defaultPoolSize } from './postgres.ts'
import { RunningSaves } from './saves.ts'
import { clocks, type Clock } from './statements.ts'
import type { Tables } from './tables.ts'

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
   * Queues write transactions by organisation and user, so that writers waiting for each other's locks do not occupy the
   * connections of others and of readers, and that the next turn belongs to the waiting user
   * who wrote least recently.
   */
  writing: OrganisationQueue
  /** Queues the work before write transactions of large entities, which holds several of their states in memory. */
  preparing: OrganisationQueue
  /** Lets queries about a save's outcome wait for it. */
  saves: RunningSaves
  /** In-memory name indexes for searches. */
  names: NameIndexes
  migrate: () => Promise<void>
  /** Throws if the store is unreachable or its schema outdated. */
  check: () => Promise<void>
  close: () => Promise<void>
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
    writing: new OrganisationQueue(writeQueueSettings(settings, options)),
    preparing: new OrganisationQueue({
      slots: 2,
      slotsOfOne: 1,
      waiting: 1000,
      waitingOfOne: 200,
      refusal: tooManyChanges,
    }),
    saves: new RunningSaves(),
    names: new NameIndexes(),
    async migrate() {
      await migrate(db)
      if ('migrated' in dialect) dialect.migrated()
    },
    async check() {
      if (await hasPendingMigrations(db)) throw new Error('The store has pending migrations.')
    },
    close: () => db.destroy(),
  }
}

/** Reserves connections for readers and jobs. The embedded store has one writer. */
function writeQueueSettings({ kind }: StoreSettings, { poolSize = defaultPoolSize }: StoreOptions) {
  const slots = kind === 'sqlite' ? 1 : Math.max(2, poolSize - 4)
  return { slots, slotsOfOne: Math.ceil(slots / 2), waiting: 1000, waitingOfOne: 200, refusal: tooManyChanges }
}

const tooManyChanges = 'Too many changes are waiting. Try again in a moment.'
