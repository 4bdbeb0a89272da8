import type { NameSheet, Named } from './name-sheet.ts'

export type NameSearch = {
  /** Folded. */
  text: string
  /** Excluded entities, and manifests whose entities are excluded. */
  without: ReadonlySet<number>
  unseen: ReadonlySet<number>
  /** Returns the group by manifest and rank (0: exact, 1: prefix, 2: substring); null = a single group. */
  group: ((manifestId: number, rank: number) => number) | null
  /** Number of results: lower groups first, in each by name. */
  most: number
  /** Index position before which entities are counted but not returned. */
  start: number
}

/**
 * `groups` maps ids to groups. It contains at least the first results, and further ones, because the position of
 * changed entities is unknown.
 */
export type NamesFound = { total: number; groups: Map<number, number> }

const usualBytes = 40

/** The state of an entity changed since the index was built, and its position there; -1 = none. */
type Changed = { now: Named | null; place: number }

/**
 * The names of an organisation's visible entities at one audit sequence number: a sorted index, and the changes since
 * it was built. Immutable.
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

  /** Number of changes since the index was built. */
  get changes(): number {
    return this.#changed.size
  }

  /** Size in entities with names of usual length. */
  get weight(): number {
    return Math.ceil(this.#sheet.bytes / usualBytes) + this.#changed.size
  }

  /**
   * Returns the index at a later sequence number. `rows` holds the current state of `ids`; missing ones were deleted.
   */
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

  /** Counts the entities, without those of the unseen manifests. */
  count(unseen: ReadonlySet<number>): number {
    if (unseen.size === 0) return this.#sheet.size - this.#crossedOut.size + this.#news().length
    let count = 0
    for (let place = 0; place < this.#sheet.size; place++) {
      if (!this.#crossedOut.has(place) && !unseen.has(this.#sheet.manifestAt(place))) count += 1
    }
    return count + this.#news().filter(row => !unseen.has(row.manifest_id)).length
  }

  /** Returns the position of an entity with this name, else -1. */
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

  /** There may be thousands of matches, most of which are only counted, so the loop avoids needless work per match. */
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

/** Collects the first results of each group, in order, and all results without a position. */
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

  /** Whether the first group is complete. */
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
