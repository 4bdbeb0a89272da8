import { type RawBuilder, sql, SqliteAdapter } from 'kysely'
import type { Db } from './database.ts'
import { contains } from './page.ts'

type NameSearch = {
  /** Folded search text. */
  text: string
  /** Excluded entities, and manifests whose entities are excluded. */
  excluded: ReadonlySet<number>
  pendingDeletion: ReadonlySet<number>
  /** Returns the group by manifest and rank (0: exact, 1: prefix, 2: substring); null = a single group. */
  group: ((manifestId: number, rank: number) => number) | null
  /** Number of results: lower groups first, in each by name. */
  limit: number
  /** Index position before which entities are counted but not returned. */
  start: number
}

/**
 * `groups` maps ids to groups. It contains at least the first results, and further ones, because the position of
 * changed entities is unknown.
 */
export type NameMatches = { total: number; groups: Map<number, number> }

const usualBytes = 40

/** The state of an entity changed since the index was built, and its position there; -1 = none. */
type Changed = { now: Named | null; place: number }

/**
 * The names of an organisation's visible entities at one audit sequence number: a sorted index, and the changes since
 * it was built. Immutable.
 */
export class NameIndex {
  readonly sequence: number
  readonly #nameList: NameList
  readonly #changed: ReadonlyMap<number, Changed>
  readonly #outdated: ReadonlySet<number>

  constructor(sequence: number, nameList: NameList, changed: ReadonlyMap<number, Changed> = new Map()) {
    this.sequence = sequence
    this.#nameList = nameList
    this.#changed = changed
    this.#outdated = new Set([...changed.values()].map(({ place }) => place).filter(place => place >= 0))
  }

  /** Number of changes since the index was built. */
  get changes(): number {
    return this.#changed.size
  }

  /** Size in entities with names of usual length. */
  get weight(): number {
    return Math.ceil(this.#nameList.bytes / usualBytes) + this.#changed.size
  }

  /**
   * Returns the index at a later sequence number. `rows` holds the current state of `ids`; missing ones were deleted.
   */
  after(sequence: number, ids: readonly number[], rows: readonly Named[]): NameIndex {
    const currentRows = new Map(rows.map(row => [row.id, row]))
    const changed = new Map(this.#changed)
    for (const id of ids) {
      const now = currentRows.get(id) ?? null
      const place = changed.get(id)?.place ?? this.#nameList.placeOf(id)
      const before = place < 0 ? null : this.#nameList.at(place)
      if (now?.name_folded === before?.name_folded && now?.manifest_id === before?.manifest_id) changed.delete(id)
      else changed.set(id, { now, place })
    }
    return new NameIndex(sequence, this.#nameList, changed)
  }

  /** Counts the entities, excluding those of manifests pending deletion. */
  count(pendingDeletion: ReadonlySet<number>): number {
    if (pendingDeletion.size === 0) return this.#nameList.size - this.#outdated.size + this.#changedRows().length
    let count = 0
    for (let place = 0; place < this.#nameList.size; place++) {
      if (!this.#outdated.has(place) && !pendingDeletion.has(this.#nameList.manifestAt(place))) count += 1
    }
    return count + this.#changedRows().filter(row => !pendingDeletion.has(row.manifest_id)).length
  }

  /** Returns the position of an entity with this name, else -1. */
  placeOf({ id, name_folded: name }: Named): number {
    const place = this.#nameList.placeOf(id)
    return place < 0 || this.#outdated.has(place) || this.#nameList.at(place).name_folded !== name ? -1 : place
  }

  find(search: NameSearch): NameMatches {
    const { text, excluded, pendingDeletion, group } = search
    const collector = new ResultCollector(search.limit)
    for (const row of this.#changedRows()) {
      if (excluded.has(row.id) || pendingDeletion.has(row.manifest_id) || !row.name_folded.includes(text)) continue
      collector.always(row.id, group === null ? 0 : group(row.manifest_id, rankOf(row.name_folded, text)))
    }
    this.#findInList(search, collector)
    return { total: collector.total, groups: collector.groups() }
  }

  /** There may be thousands of matches, most of which are only counted, so the loop avoids needless work per match. */
  #findInList({ text, excluded, pendingDeletion, group, start }: NameSearch, collector: ResultCollector): void {
    const { places, ranks } = this.#nameList.matching(text)
    const mayBeLeftOut = this.#outdated.size + excluded.size + pendingDeletion.size > 0
    for (let index = 0; index < places.length; index++) {
      const place = places[index] ?? -1
      if (mayBeLeftOut && this.#isLeftOut(place, excluded, pendingDeletion)) continue
      collector.total += 1
      if (place < start || (group === null && collector.isFull)) continue
      collector.next(
        this.#nameList.idAt(place),
        group === null ? 0 : group(this.#nameList.manifestAt(place), ranks[index] ?? 0),
      )
    }
  }

  #isLeftOut(place: number, excluded: ReadonlySet<number>, pendingDeletion: ReadonlySet<number>): boolean {
    return (
      this.#outdated.has(place) ||
      (excluded.size > 0 && excluded.has(this.#nameList.idAt(place))) ||
      (pendingDeletion.size > 0 && pendingDeletion.has(this.#nameList.manifestAt(place)))
    )
  }

  #changedRows(): Named[] {
    return [...this.#changed.values()].flatMap(({ now }) => now ?? [])
  }
}

function rankOf(name: string, text: string): number {
  if (name === text) return 0
  return name.startsWith(text) ? 1 : 2
}

/** Collects the first results of each group, in order, and all results without a position. */
class ResultCollector {
  total = 0
  readonly #limit: number
  readonly #always = new Map<number, number>()
  readonly #lists: number[][] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  always(id: number, group: number): void {
    this.total += 1
    this.#always.set(id, group)
  }

  /** Whether the first group is complete. */
  get isFull(): boolean {
    return (this.#lists[0]?.length ?? 0) >= this.#limit
  }

  next(id: number, group: number): void {
    const list = (this.#lists[group] ??= [])
    if (list.length < this.#limit) list.push(id)
  }

  groups(): Map<number, number> {
    const groups = new Map(this.#always)
    let left = this.#limit
    for (const [group, list] of this.#lists.entries()) {
      for (const id of (list ?? []).slice(0, left)) groups.set(id, group)
      left -= Math.min(left, list?.length ?? 0)
    }
    return groups
  }
}

/** An entity as indexed by name. */
export type Named = { id: number; manifest_id: number; name_folded: string }

/** Index positions, each with its rank: 0 exact, 1 prefix, 2 substring. */
type Matches = { places: Int32Array; ranks: Uint8Array }

/** Bytes per entity besides its name. */
const placeBytes = 22
const twoByteCharacter = /[^\0-\xff]/
/** Separates names; no stored name contains it. */
const end = '\0'
const maxShared = 65_535

/**
 * A compact sorted list of names as a single text: no objects, about forty bytes per entity with names of usual length.
 * Immutable.
 */
export class NameList {
  /** Memory size in bytes. */
  readonly bytes: number
  readonly #text: string
  /** The start of each name, and the end of the text. */
  readonly #starts: Uint32Array
  /** The length of the prefix each name shares with the previous one: matches within it carry over. */
  readonly #shared: Uint16Array
  readonly #ids: Float64Array
  readonly #manifests: Float64Array

  constructor(rows: readonly Named[]) {
    this.#text = rows.map(row => row.name_folded + end).join('')
    this.#starts = new Uint32Array(rows.length + 1)
    this.#shared = new Uint16Array(rows.length)
    let before = ''
    for (const [place, { name_folded: name }] of rows.entries()) {
      this.#starts[place + 1] = at(this.#starts, place) + name.length + end.length
      this.#shared[place] = sharedPrefixLength(before, name)
      before = name
    }
    const characterBytes = twoByteCharacter.test(this.#text) ? 2 : 1
    this.bytes = rows.length * placeBytes + this.#text.length * characterBytes
    this.#ids = Float64Array.from(rows, row => row.id)
    this.#manifests = Float64Array.from(rows, row => row.manifest_id)
  }

  get size(): number {
    return this.#ids.length
  }

  /** Returns the matches in order. */
  matching(text: string): Matches {
    const places = new Int32Array(this.size)
    const ranks = new Uint8Array(this.size)
    let count = 0
    let place = 0
    for (let hit = this.#text.indexOf(text); hit >= 0; hit = this.#text.indexOf(text, at(this.#starts, place))) {
      while (at(this.#starts, place + 1) <= hit) place += 1
      const begin = hit - at(this.#starts, place)
      do {
        ranks[count] = begin > 0 ? 2 : this.#lengthAt(place) > text.length ? 1 : 0
        places[count++] = place++
      } while (place < this.size && at(this.#shared, place) >= begin + text.length)
      if (place >= this.size) break
    }
    return { places: places.subarray(0, count), ranks: ranks.subarray(0, count) }
  }

  at(place: number): Named {
    const start = at(this.#starts, place)
    const name_folded = this.#text.slice(start, start + this.#lengthAt(place))
    return { id: this.idAt(place), manifest_id: this.manifestAt(place), name_folded }
  }

  idAt(place: number): number {
    return at(this.#ids, place)
  }

  manifestAt(place: number): number {
    return at(this.#manifests, place)
  }

  #lengthAt(place: number): number {
    return at(this.#starts, place + 1) - at(this.#starts, place) - end.length
  }

  /** Returns -1 if not present. */
  placeOf(id: number): number {
    return this.#ids.indexOf(id)
  }
}

function sharedPrefixLength(a: string, b: string): number {
  const max = Math.min(a.length, b.length, maxShared)
  let length = 0
  while (length < max && a.charCodeAt(length) === b.charCodeAt(length)) length += 1
  return length
}

function at(list: Uint32Array | Uint16Array | Float64Array, place: number): number {
  return list[place] ?? Number.NaN
}

/** Characters per index entry. */
const trigram = 3

type Count = { count: number }

/** With more matches, scanning all names in order is faster than the index. */
const few = 2000

/**
 * Implements the search for entity names containing a text, with a trigram index: FTS5 on SQLite, maintained by
 * triggers; `pg_trgm` on PostgreSQL, where the extension may be missing, which leaves a scan. Texts of one or two
 * characters and very frequent texts are scanned in the ordered index instead.
 */
export async function entityNameMatches(db: Db, text: string): Promise<RawBuilder<boolean>> {
  if (!isSqlite(db)) return contains('entity.name_folded', text)
  const read = sql<boolean>`instr(entity.name_folded, ${text}) > 0`
  if (Array.from(text).length < trigram) return read
  const phrase = `"${text.replaceAll('"', '""')}"`
  const countMatches = sql<Count>`select count(*) as count from (select 1 from entity_search where entity_search match ${phrase} limit ${few})`
  const { rows } = await countMatches.execute(db)
  if (Number(rows[0]?.count ?? 0) >= few) return read
  return sql<boolean>`entity.id in (select rowid from entity_search where entity_search match ${phrase})`
}

export function isSqlite(db: Db): boolean {
  return db.getExecutor().adapter instanceof SqliteAdapter
}
