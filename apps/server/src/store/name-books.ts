import type { Db } from './database.ts'
import { NameBook } from './name-book.ts'
import { NameSheet, type Named } from './name-sheet.ts'
import { behind, writePlace } from './page.ts'
import { unseenManifests } from './unseen.ts'

/** Maximum names of usual length per index and in total. Names from files may have 600 bytes. */
const usual = { book: 200_000, all: 1_000_000 }
const usualLetters = 40
/** Milliseconds before a too large index is tried again. */
const triedAgain = 600_000
/** Minimum size charged for an index. */
const least = 200
/** Milliseconds for which a used index is not evicted. */
const keptFor = 60_000
/** Maximum changes before the index is rebuilt. */
const mostChanges = 500
/** Maximum audit entries read for an update. */
const mostEntries = 5000
const slice = 2000
const attempts = 6
const mostLoadings = 2

/** An up-to-date index, and the manifests whose entities are being deleted. */
export type OpenBook = { book: NameBook; unseen: ReadonlySet<number> }

type Kept = { book: NameBook; library: string; askedAt: number }

/**
 * In-memory indexes of entity names by organisation, so that a search scans a text instead of querying every name. Each
 * search checks with the store that the index is up to date, so any number of servers agree: every change writes an
 * audit entry in its transaction, numbered in commit order, so changes are the entries after the index's number. The
 * library has no entries, but a hash set by each load. In addition, the number of entities must equal the store's
 * counter, which detects every missed change except a rename.
 */
export class NameBooks {
  readonly #limits: typeof usual
  readonly #kept = new Map<number, Kept>()
  /** Indexes being loaded, with their expected size. */
  readonly #coming = new Map<number, { room: number; loaded: Promise<void> }>()
  /** Last failed attempts for oversized indexes. */
  readonly #tooLong = new Map<number, { count: number; at: number }>()

  constructor(limits = usual) {
    this.#limits = limits
  }

  /**
   * Returns null if there are too many names, or they change faster than they can be read; the store must be queried
   * then.
   */
  async open(db: Db, organisationId: number): Promise<OpenBook | null> {
    let loadings = 0
    for (let attempt = 0; attempt < attempts; attempt++) {
      const stamp = await stampOf(db, organisationId)
      const kept = this.#kept.get(organisationId)
      const book = kept?.library === stamp.library ? await caughtUp(db, organisationId, kept.book, stamp) : null
      if (book !== null) {
        this.#keep(organisationId, book, stamp)
        const unseen = await unseenOf(db, organisationId, stamp)
        if (book.count(unseen) === stamp.total) return { book, unseen }
        // A concurrent commit during the update causes a retry; otherwise a change left no audit entry, and the index
        // is reloaded.
        if (book !== kept?.book) continue
      }
      loadings += 1
      if (loadings > mostLoadings || !this.#mayLoad(organisationId, stamp.total)) return null
      await this.#load(db, organisationId, stamp)
    }
    return null
  }

  #mayLoad(organisationId: number, count: number): boolean {
    if (this.#coming.has(organisationId)) return true
    const failed = this.#tooLong.get(organisationId)
    if (failed && count >= failed.count && failed.at > Date.now() - triedAgain) return false
    return count <= this.#limits.book && this.#makeRoom(organisationId, count)
  }

  /** Concurrent callers share one load. */
  async #load(db: Db, organisationId: number, stamp: Stamp): Promise<void> {
    const { sequence, total: count } = stamp
    const load = async () => {
      const book = await readBook(db, organisationId, sequence, this.#limits.book)
      if (book !== null && (book.weight <= count || this.#makeRoom(organisationId, book.weight))) {
        this.#kept.set(organisationId, { book, library: stamp.library, askedAt: Date.now() })
      } else this.#tooLong.set(organisationId, { count, at: Date.now() })
    }
    const coming = this.#coming.get(organisationId) ?? {
      room: Math.max(least, count),
      loaded: load().finally(() => this.#coming.delete(organisationId)),
    }
    this.#coming.set(organisationId, coming)
    await coming.loaded
  }

  #keep(organisationId: number, book: NameBook, { library }: Stamp): void {
    const now = this.#kept.get(organisationId)
    // Another caller may already have stored a newer one.
    const isNewer = now?.library !== library || now.book.sequence <= book.sequence
    this.#kept.set(organisationId, { book: isNewer ? book : now.book, library, askedAt: Date.now() })
  }

  /**
   * Makes room by evicting idle indexes. If the request is smaller than an equal share, also evicts indexes larger than
   * theirs, largest first.
   */
  #makeRoom(organisationId: number, wanted: number): boolean {
    this.#kept.delete(organisationId)
    const books = [...this.#kept].map(([id, { book, askedAt }]) => ({
      id,
      askedAt,
      room: Math.max(least, book.weight),
    }))
    const coming = [...this.#coming].flatMap(([id, { room }]) => (id === organisationId ? [] : [room]))
    const share = this.#limits.all / (books.length + coming.length + 1)
    const isIdle = ({ askedAt }: { askedAt: number }) => askedAt <= Date.now() - keptFor
    const large = wanted > share ? [] : books.filter(book => !isIdle(book) && book.room > share)
    const going = [
      ...books.filter(isIdle).toSorted((a, b) => a.askedAt - b.askedAt),
      ...large.toSorted((a, b) => b.room - a.room),
    ]
    const taken = books.reduce((sum, { room }) => sum + room, 0) + coming.reduce((sum, room) => sum + room, 0)
    let room = this.#limits.all - taken
    const gone: number[] = []
    for (const book of going) {
      if (room >= wanted) break
      gone.push(book.id)
      room += book.room
    }
    if (room < wanted) return false
    for (const id of gone) this.#kept.delete(id)
    return true
  }
}

/** The store's state that an index must match, read in one statement. */
type Stamp = { sequence: number; total: number; unseen: number; library: string }

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
        .as('unseen'),
      selectFrom('library_state').select('value').where('name', '=', 'folder').as('library'),
    ])
    .executeTakeFirstOrThrow()
  const { sequence, total, unseen, library } = stamp
  return {
    sequence: Number(sequence ?? 0),
    total: Number(total ?? 0),
    unseen: Number(unseen ?? 0),
    library: organisationId === 0 ? (library ?? '') : '',
  }
}

async function unseenOf(db: Db, organisationId: number, { unseen }: Stamp): Promise<ReadonlySet<number>> {
  if (unseen === 0) return new Set()
  const rows = await unseenManifests(db, [organisationId]).execute()
  return new Set(rows.map(row => row.manifest_id))
}

/** Updates the index to the stamp; null if reloading is cheaper. */
async function caughtUp(db: Db, organisationId: number, book: NameBook, stamp: Stamp): Promise<NameBook | null> {
  const behindBy = stamp.sequence - book.sequence
  if (behindBy === 0) return book
  if (behindBy < 0 || behindBy > mostEntries) return null
  const entries = await db
    .selectFrom('audit_entry')
    .select('target_id')
    .where('organisation_id', '=', organisationId)
    .where('kind', '=', 'ENTITY')
    .where('import_id', '=', 0)
    .where('sequence', '>', book.sequence)
    .where('sequence', '<=', stamp.sequence)
    .execute()
  const ids = [...new Set(entries.map(entry => entry.target_id))]
  if (ids.length + book.changes > mostChanges) return null
  const rows = ids.length === 0 ? [] : await names(db, organisationId).where('id', 'in', ids).execute()
  return book.after(stamp.sequence, ids, rows)
}

/**
 * Reads in slices, so that other requests can run in between; changes meanwhile have later numbers. Null if there are
 * too many names.
 */
async function readBook(db: Db, organisationId: number, sequence: number, longest: number): Promise<NameBook | null> {
  const found = new Map<number, Named>()
  let letters = 0
  for (let last: Named | undefined, isMore = true; isMore;) {
    const part = names(db, organisationId).orderBy('name_folded').orderBy('id').limit(slice)
    const rows = await (last ? part.where(behind('name_folded', 'id', writePlace(last))) : part).execute()
    for (const row of rows) {
      // A renamed entity may appear twice.
      found.delete(row.id)
      found.set(row.id, row)
      letters += row.name_folded.length
    }
    if (found.size > longest || letters > longest * usualLetters) return null
    last = rows.at(-1)
    isMore = rows.length === slice
  }
  return new NameBook(sequence, new NameSheet([...found.values()]))
}

function names(db: Db, organisationId: number) {
  return db
    .selectFrom('entity')
    .select(['id', 'manifest_id', 'name_folded'])
    .where('organisation_id', '=', organisationId)
    .where('import_id', '=', 0)
    .where('hidden', '=', 0)
}
