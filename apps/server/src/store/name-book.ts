import type { NameSheet, Named } from './name-sheet.ts'

/** What is looked for in a book of names. */
export type NameSearch = {
  /** Folded. */
  text: string
  /** Entities that are left out, and manifests whose entities are. */
  without: ReadonlySet<number>
  unseen: ReadonlySet<number>
  /** The group of whatever is in the manifest and ranks so (0: is the text, 1: begins with it, 2: contains it); null = one for all. */
  group: ((manifestId: number, rank: number) => number) | null
  /** So many of the first are wanted: lower groups first, in each by name. */
  most: number
  /** A place on the sheet: what stands before it is counted, and not wanted. */
  start: number
}

/** Among `groups`, ids with their groups, are the first; and some more, because the order of what is new is the store's to tell. */
export type NamesFound = { total: number; groups: Map<number, number> }

const usualBytes = 40

/** What became of an entity since the sheet was written, and where on the sheet it stands; -1 = nowhere. */
type Changed = { now: Named | null; place: number }

/**
 * The names of an organisation's visible entities as of one number of its audit: a sheet in the store's order, and what changed since it
 * was written. Never changed itself.
 */
export class NameBook {
  readonly sequence: number
  readonly #sheet: NameSheet
  readonly #changed: ReadonlyMap<number, Changed>
  readonly #crossedOut: ReadonlySet<number>

  constructor(sequence: number, sheet: NameSheet, changed: ReadonlyMap<number, Changed> = new Map()) {
    this.sequence = sequence
    this.#sheet = sheet
    this.#changed = changed
    this.#crossedOut = new Set([...changed.values()].map(({ place }) => place).filter(place => place >= 0))
  }

  /** How many changes there were since the sheet was written. */
  get changes(): number {
    return this.#changed.size
  }

  /** In entities with names of usual length. */
  get weight(): number {
    return Math.ceil(this.#sheet.bytes / usualBytes) + this.#changed.size
  }

  /** The same as of a later number, at which these entities are so; those of `ids` that are not among `rows` are gone. */
  after(sequence: number, ids: readonly number[], rows: readonly Named[]): NameBook {
    const today = new Map(rows.map(row => [row.id, row]))
    const changed = new Map(this.#changed)
    for (const id of ids) {
      const now = today.get(id) ?? null
      const place = changed.get(id)?.place ?? this.#sheet.placeOf(id)
      const before = place < 0 ? null : this.#sheet.at(place)
      if (now?.name_folded === before?.name_folded && now?.manifest_id === before?.manifest_id) changed.delete(id)
      else changed.set(id, { now, place })
    }
    return new NameBook(sequence, this.#sheet, changed)
  }

  /** How many there are but for those of these manifests. */
  count(unseen: ReadonlySet<number>): number {
    if (unseen.size === 0) return this.#sheet.size - this.#crossedOut.size + this.#news().length
    let count = 0
    for (let place = 0; place < this.#sheet.size; place++) {
      if (!this.#crossedOut.has(place) && !unseen.has(this.#sheet.manifestAt(place))) count += 1
    }
    return count + this.#news().filter(row => !unseen.has(row.manifest_id)).length
  }

  /** Where it stands on the sheet, if it stands there and is called so; else -1. */
  placeOf({ id, name_folded: name }: Named): number {
    const place = this.#sheet.placeOf(id)
    return place < 0 || this.#crossedOut.has(place) || this.#sheet.at(place).name_folded !== name ? -1 : place
  }

  find(search: NameSearch): NamesFound {
    const { text, without, unseen, group } = search
    const wanted = new Wanted(search.most)
    for (const row of this.#news()) {
      if (without.has(row.id) || unseen.has(row.manifest_id) || !row.name_folded.includes(text)) continue
      wanted.always(row.id, group === null ? 0 : group(row.manifest_id, rankOf(row.name_folded, text)))
    }
    this.#findOnSheet(search, wanted)
    return { total: wanted.total, groups: wanted.groups() }
  }

  /** Thousands may be found: most of them are only counted, and nothing is asked of each that is not needed. */
  #findOnSheet({ text, without, unseen, group, start }: NameSearch, wanted: Wanted): void {
    const { places, ranks } = this.#sheet.matching(text)
    const mayBeLeftOut = this.#crossedOut.size + without.size + unseen.size > 0
    for (let index = 0; index < places.length; index++) {
      const place = places[index] ?? -1
      if (mayBeLeftOut && this.#isLeftOut(place, without, unseen)) continue
      wanted.total += 1
      if (place < start || (group === null && wanted.isFull)) continue
      wanted.next(this.#sheet.idAt(place), group === null ? 0 : group(this.#sheet.manifestAt(place), ranks[index] ?? 0))
    }
  }

  #isLeftOut(place: number, without: ReadonlySet<number>, unseen: ReadonlySet<number>): boolean {
    return (
      this.#crossedOut.has(place) ||
      (without.size > 0 && without.has(this.#sheet.idAt(place))) ||
      (unseen.size > 0 && unseen.has(this.#sheet.manifestAt(place)))
    )
  }

  #news(): Named[] {
    return [...this.#changed.values()].flatMap(({ now }) => now ?? [])
  }
}

function rankOf(name: string, text: string): number {
  if (name === text) return 0
  return name.startsWith(text) ? 1 : 2
}

/** The first of each group as they come in order, as many as are wanted, and whatever has no place in that order. */
class Wanted {
  total = 0
  readonly #most: number
  readonly #always = new Map<number, number>()
  readonly #lists: number[][] = []

  constructor(most: number) {
    this.#most = most
  }

  always(id: number, group: number): void {
    this.total += 1
    this.#always.set(id, group)
  }

  /** Of the first group. */
  get isFull(): boolean {
    return (this.#lists[0]?.length ?? 0) >= this.#most
  }

  next(id: number, group: number): void {
    const list = (this.#lists[group] ??= [])
    if (list.length < this.#most) list.push(id)
  }

  groups(): Map<number, number> {
    const groups = new Map(this.#always)
    let left = this.#most
    for (const [group, list] of this.#lists.entries()) {
      for (const id of (list ?? []).slice(0, left)) groups.set(id, group)
      left -= Math.min(left, list?.length ?? 0)
    }
    return groups
  }
}
