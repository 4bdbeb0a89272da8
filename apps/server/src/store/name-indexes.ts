import type { Db } from './database.ts'
import { type Named, NameIndex, NameList } from './name-index.ts'
import { behind, writePlace } from './page.ts'
import { manifestsPendingDeletion } from './pending-deletion.ts'

/** Maximum names of usual length per index and in total. Names from files may have 600 bytes. */
const defaultLimits = { nameIndex: 200_000, all: 1_000_000 }
const usualNameLength = 40
/** Milliseconds before a too large index is tried again. */
const retryAfter = 600_000
/** Minimum size charged for an index. */
const minSize = 200
/** Milliseconds for which a used index is not evicted. */
const idleTime = 60_000
/** Maximum changes before the index is rebuilt. */
const maxChanges = 500
/** Maximum audit entries read for an update. */
const maxEntries = 5000
const slice = 2000
const attempts = 6
const maxLoads = 2

/** An up-to-date index, and the manifests whose entities are being deleted. */
export type OpenIndex = { nameIndex: NameIndex; pendingDeletion: ReadonlySet<number> }

type CachedIndex = { nameIndex: NameIndex; library: string; usedAt: number }

/**
 * In-memory indexes of entity names by organisation, so that a search scans a text instead of querying every name. Each
 * search checks with the store that the index is up to date, so any number of servers agree: every change writes an
 * audit entry in its transaction, numbered in commit order, so changes are the entries after the index's number. The
 * library has no entries, but a hash set by each load. In addition, the number of entities must equal the store's
 * counter, which detects every missed change except a rename.
 */
export class NameIndexes {
  readonly #limits: typeof defaultLimits
  readonly #cached = new Map<number, CachedIndex>()
  /** Indexes being loaded, with their expected size. */
  readonly #loading = new Map<number, { room: number; loaded: Promise<void> }>()
  /** Last failed attempts for oversized indexes. */
  readonly #tooLong = new Map<number, { count: number; at: number }>()

  constructor(limits = defaultLimits) {
    this.#limits = limits
  }

  /**
   * Returns null if there are too many names, or they change faster than they can be read; the store must be queried
   * then.
   */
  async open(db: Db, organisationId: number): Promise<OpenIndex | null> {
    let loads = 0
    for (let attempt = 0; attempt < attempts; attempt++) {
      const stamp = await stampOf(db, organisationId)
      const cached = this.#cached.get(organisationId)
      const nameIndex =
        cached?.library === stamp.library ? await updateIndex(db, organisationId, cached.nameIndex, stamp) : null
      if (nameIndex !== null) {
        this.#cache(organisationId, nameIndex, stamp)
        const pendingDeletion = await pendingDeletionsOf(db, organisationId, stamp)
        if (nameIndex.count(pendingDeletion) === stamp.total) return { nameIndex, pendingDeletion }
        // A concurrent commit during the update causes a retry; otherwise a change left no audit entry, and the index
        // is reloaded.
        if (nameIndex !== cached?.nameIndex) continue
      }
      loads += 1
      if (loads > maxLoads || !this.#mayLoad(organisationId, stamp.total)) return null
      await this.#load(db, organisationId, stamp)
    }
    return null
  }

  #mayLoad(organisationId: number, count: number): boolean {
    if (this.#loading.has(organisationId)) return true
    const failed = this.#tooLong.get(organisationId)
    if (failed && count >= failed.count && failed.at > Date.now() - retryAfter) return false
    return count <= this.#limits.nameIndex && this.#evict(organisationId, count)
  }

  /** Concurrent callers share one load. */
  async #load(db: Db, organisationId: number, stamp: Stamp): Promise<void> {
    const { sequence, total: count } = stamp
    const load = async () => {
      const nameIndex = await readIndex(db, organisationId, sequence, this.#limits.nameIndex)
      if (nameIndex !== null && (nameIndex.weight <= count || this.#evict(organisationId, nameIndex.weight))) {
        this.#cached.set(organisationId, { nameIndex, library: stamp.library, usedAt: Date.now() })
      } else this.#tooLong.set(organisationId, { count, at: Date.now() })
    }
    const loading = this.#loading.get(organisationId) ?? {
      room: Math.max(minSize, count),
      loaded: load().finally(() => this.#loading.delete(organisationId)),
    }
    this.#loading.set(organisationId, loading)
    await loading.loaded
  }

  #cache(organisationId: number, nameIndex: NameIndex, { library }: Stamp): void {
    const now = this.#cached.get(organisationId)
    // Another caller may already have stored a newer one.
    const isNewer = now?.library !== library || now.nameIndex.sequence <= nameIndex.sequence
    this.#cached.set(organisationId, { nameIndex: isNewer ? nameIndex : now.nameIndex, library, usedAt: Date.now() })
  }

  /**
   * Makes room by evicting idle indexes. If the request is smaller than an equal share, also evicts indexes larger than
   * theirs, largest first.
   */
  #evict(organisationId: number, needed: number): boolean {
    this.#cached.delete(organisationId)
    const indexes = [...this.#cached].map(([id, { nameIndex, usedAt }]) => ({
      id,
      usedAt,
      room: Math.max(minSize, nameIndex.weight),
    }))
    const loading = [...this.#loading].flatMap(([id, { room }]) => (id === organisationId ? [] : [room]))
    const share = this.#limits.all / (indexes.length + loading.length + 1)
    const isIdle = ({ usedAt }: { usedAt: number }) => usedAt <= Date.now() - idleTime
    const large = needed > share ? [] : indexes.filter(nameIndex => !isIdle(nameIndex) && nameIndex.room > share)
    const evictable = [
      ...indexes.filter(isIdle).toSorted((a, b) => a.usedAt - b.usedAt),
      ...large.toSorted((a, b) => b.room - a.room),
    ]
    const taken = indexes.reduce((sum, { room }) => sum + room, 0) + loading.reduce((sum, room) => sum + room, 0)
    let room = this.#limits.all - taken
    const evicted: number[] = []
    for (const nameIndex of evictable) {
      if (room >= needed) break
      evicted.push(nameIndex.id)
      room += nameIndex.room
    }
    if (room < needed) return false
    for (const id of evicted) this.#cached.delete(id)
    return true
  }
}

/** The store's state that an index must match, read in one statement. */
type Stamp = { sequence: number; total: number; pendingDeletion: number; library: string }

async function stampOf(db: Db, organisationId: number): Promise<Stamp> {
  const stamp = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('audit_sequence').select('last').where('organisation_id', '=', organisationId).as('sequence'),
      selectFrom('tally')
        .select(({ fn }) => fn.sum<number>('amount').as('sum'))
        .where('organisation_id', '=', organisationId)
        .where('name', '=', 'entities')
        .where('folder', '=', '')
        .as('total'),
      selectFrom('unseen_manifest')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('organisation_id', '=', organisationId)
        .as('pendingDeletion'),
      selectFrom('library_state').select('value').where('name', '=', 'folder').as('library'),
    ])
    .executeTakeFirstOrThrow()
  const { sequence, total, pendingDeletion, library } = stamp
  return {
    sequence: Number(sequence ?? 0),
    total: Number(total ?? 0),
    pendingDeletion: Number(pendingDeletion ?? 0),
    library: organisationId === 0 ? (library ?? '') : '',
  }
}

async function pendingDeletionsOf(
  db: Db,
  organisationId: number,
  { pendingDeletion }: Stamp,
): Promise<ReadonlySet<number>> {
  if (pendingDeletion === 0) return new Set()
  const rows = await manifestsPendingDeletion(db, [organisationId]).execute()
  return new Set(rows.map(row => row.manifest_id))
}

/** Updates the index to the stamp; null if reloading is cheaper. */
async function updateIndex(
  db: Db,
  organisationId: number,
  nameIndex: NameIndex,
  stamp: Stamp,
): Promise<NameIndex | null> {
  const lag = stamp.sequence - nameIndex.sequence
  if (lag === 0) return nameIndex
  if (lag < 0 || lag > maxEntries) return null
  const entries = await db
    .selectFrom('audit_entry')
    .select('target_id')
    .where('organisation_id', '=', organisationId)
    .where('kind', '=', 'ENTITY')
    .where('import_id', '=', 0)
    .where('sequence', '>', nameIndex.sequence)
    .where('sequence', '<=', stamp.sequence)
    .execute()
  const ids = [...new Set(entries.map(entry => entry.target_id))]
  if (ids.length + nameIndex.changes > maxChanges) return null
  const rows = ids.length === 0 ? [] : await names(db, organisationId).where('id', 'in', ids).execute()
  return nameIndex.after(stamp.sequence, ids, rows)
}

/**
 * Reads in slices, so that other requests can run in between; concurrent changes have later numbers. Null if there are
 * too many names.
 */
async function readIndex(
  db: Db,
  organisationId: number,
  sequence: number,
  maxNames: number,
): Promise<NameIndex | null> {
  const result = new Map<number, Named>()
  let characters = 0
  for (let last: Named | undefined, isMore = true; isMore;) {
    const part = names(db, organisationId).orderBy('name_folded').orderBy('id').limit(slice)
    const rows = await (last ? part.where(behind('name_folded', 'id', writePlace(last))) : part).execute()
    for (const row of rows) {
      // A renamed entity may appear twice.
      result.delete(row.id)
      result.set(row.id, row)
      characters += row.name_folded.length
    }
    if (result.size > maxNames || characters > maxNames * usualNameLength) return null
    last = rows.at(-1)
    isMore = rows.length === slice
  }
  return new NameIndex(sequence, new NameList([...result.values()]))
}

function names(db: Db, organisationId: number) {
  return db
    .selectFrom('entity')
    .select(['id', 'manifest_id', 'name_folded'])
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', 0)
    .where('hidden', '=', 0)
}
