/** An entity as indexed by name. */
export type Named = { id: number; manifest_id: number; name_folded: string }

/** Index positions, each with its rank: 0 exact, 1 prefix, 2 substring. */
export type Matches = { places: Int32Array; ranks: Uint8Array }

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
