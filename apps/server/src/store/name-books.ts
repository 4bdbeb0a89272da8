import type { Db } from './database.ts'
import { NameBook } from './name-book.ts'
import { NameSheet, type Named } from './name-sheet.ts'
import { behind, writePlace } from './page.ts'
import { unseenManifests } from './unseen.ts'

/** So many names of usual length a book may hold, and all of them together: a file may bring names of 600 bytes. */
const usual = { book: 200_000, all: 1_000_000 }
const usualLetters = 40
/** Milliseconds after which a book that was too long for its names is tried again. */
const triedAgain = 600_000
/** A small one takes room as well. */
const least = 200
/** Milliseconds for which nobody takes the room of a book that was asked for. */
const keptFor = 60_000
/** So many changes are written beside the sheet; more make a new one. */
const mostChanges = 500
/** So many entries of the audit are looked through for them. */
const mostEntries = 5000
const slice = 2000
const attempts = 6
const mostLoadings = 2

/** A book that was the store's state when it was asked for, and the manifests whose entities nobody sees. */
export type OpenBook = { book: NameBook; unseen: ReadonlySet<number> }

type Kept = { book: NameBook; library: string; askedAt: number }

/**
 * The names of visible entities by organisation, kept in memory, so that a search looks through a text instead of asking the store for
 * every name. The store is asked each time whether a book is still true, so that any number of servers answer alike: every change
 * writes an entry of the audit in its own transaction and takes the next number there, in the order of commits, so what changed is what
 * has entries behind the book's number. The library has none, but a hash that each loading sets. Beside that a book must count as many
 * entities as the store's own count says: who forgot either is found out, but for a name.
 */
export class NameBooks {
  readonly #limits: typeof usual
  readonly #kept = new Map<number, Kept>()
  /** Those that are being read, with the room that they take by then. */
  readonly #coming = new Map<number, { room: number; loaded: Promise<void> }>()
  /** When a book of so many names was too long for them. */
  readonly #tooLong = new Map<number, { count: number; at: number }>()

  constructor(limits = usual) {
    this.#limits = limits
  }

  /** Null where there are too many names, or they change faster than they can be read: then the store must be asked itself. */
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
        // Something was committed while it was brought up to date; else something left no trace.
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

  /** Once for all who wait for it. */
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
    // Another caller may have brought it further meanwhile.
    const isNewer = now?.library !== library || now.book.sequence <= book.sequence
    this.#kept.set(organisationId, { book: isNewer ? book : now.book, library, askedAt: Date.now() })
  }

  /**
   * Whether there is room for so many names. Those make it that nobody asked for of late; and where less is wanted than each one's share,
   * those that take more than theirs, the largest first.
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

/** What tells whether a book is true, of one instant. */
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

/** The book as of the stamp; null where it is better read anew. */
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

/** In slices, with others' requests between them; what changes meanwhile is behind the number and found by it. Null where it gets too long. */
async function readBook(db: Db, organisationId: number, sequence: number, longest: number): Promise<NameBook | null> {
  const found = new Map<number, Named>()
  let letters = 0
  for (let last: Named | undefined, isMore = true; isMore;) {
    const part = names(db, organisationId).orderBy('name_folded').orderBy('id').limit(slice)
    const rows = await (last ? part.where(behind('name_folded', 'id', writePlace(last))) : part).execute()
    for (const row of rows) {
      // Renamed meanwhile, it may come twice.
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
