import type { ApiOptions } from '@cadmus/model/api/api'
import type { Filter, Layout, Listing, Selection } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import { isText } from '@cadmus/model/values/json'
import type { Literal } from '@cadmus/model/values/literal'
import { faults } from './faults.ts'
import { fieldOf, type Field, type Place, type Places } from './fields.ts'
import { PlanFault } from './plan.ts'
import { readCompared, refused } from './values.ts'

/** What is read of records, checked. */
export type Reading = {
  readonly place: Place
  readonly fields: readonly Field[]
  readonly relations: readonly RelatedReading[]
  /** How it is written; null: as it is read. */
  readonly layout: Layout | null
}

export type RelatedReading = {
  readonly name: string
  readonly kind: 'toOne' | 'toMany'
  readonly field: Field
  readonly otherField: Field
  readonly reading: Reading
  /** Of those that lead to one none. */
  readonly list: ListReading | null
}

/** Which records of a list, in which order; values stand in slots. */
export type ListReading = {
  readonly filters: readonly CheckedFilter[]
  readonly search: number | null
  readonly sort: readonly { readonly field: Field; readonly descending: boolean }[]
  readonly limit: number
  readonly offset: number | null
}

export type CheckedFilter =
  | { readonly field: Field; readonly comparison: Exclude<Filter['comparison'], 'in' | 'null'>; readonly slot: number }
  | { readonly field: Field; readonly comparison: 'in'; readonly slots: readonly number[] }
  | { readonly field: Field; readonly comparison: 'null'; readonly isNull: boolean }

/** The most that one operation asks for: what a caller sends makes no text of any length. */
const most = { filters: 50, values: 1000, sortings: 10, relations: 50, pattern: 1000 } as const

/** What a frozen selection came to, and what it left behind in the checker. */
type Remembered = {
  readonly reading: Reading
  /** The slot of its first value. */
  readonly start: number
  readonly values: readonly (Literal | null)[]
  readonly shape: string
  readonly relations: number
  readonly filters: number
  readonly compared: number
}

const remembered = new WeakMap<Selection, Remembered>()

/** Checks an operation, keeps its values in slots, and says its shape: operations of one shape have one text. */
export class Checker {
  readonly values: (Literal | null)[] = []
  readonly #shape: string[] = []
  readonly #places: Places
  readonly #options: ApiOptions
  #relations = 0
  #filters = 0
  #compared = 0

  constructor(places: Places, options: ApiOptions) {
    this.#places = places
    this.#options = options
  }

  /** Two operations that say the same have the same text. */
  get shape(): string {
    return this.#shape.join(' ')
  }

  /** Adds a value and answers its slot. */
  keep(value: Literal | null): number {
    return this.values.push(value) - 1
  }

  say(...words: readonly (string | number)[]): void {
    for (const word of words) this.#shape.push(String(word))
  }

  /** A selection that is frozen is checked once, as long as it comes at the same place. */
  selection(place: Place, selection: Selection): Reading {
    const known = remembered.get(selection)
    const start = this.values.length
    if (known?.reading.place === place && known.start === start) return this.#again(known)
    const before = {
      words: this.#shape.length,
      relations: this.#relations,
      filters: this.#filters,
      compared: this.#compared,
    }
    const reading = this.reading(place, selection)
    if (!Object.isFrozen(selection)) return reading
    remembered.set(selection, {
      reading,
      start,
      values: this.values.slice(start),
      shape: this.#shape.slice(before.words).join(' '),
      relations: this.#relations - before.relations,
      filters: this.#filters - before.filters,
      compared: this.#compared - before.compared,
    })
    return reading
  }

  #again({ reading, values, shape, relations, filters, compared }: Remembered): Reading {
    for (const value of values) this.values.push(value)
    this.#shape.push(shape)
    this.#relations += relations
    this.#filters += filters
    this.#compared += compared
    return reading
  }

  reading(place: Place, { fields, relations, layout }: Selection): Reading {
    const wanted = fields === null ? place.fields : [...new Set(fields)].map(name => fieldOf(place, name))
    this.say(place.index, '(', fields === null ? '*' : wanted.map(({ index }) => index).join())
    const names = new Set(relations.map(({ name }) => name))
    const related = [...names].map(name => {
      const given = relations.findLast(one => one.name === name)
      return this.#related(place, name, given?.select ?? noSelection, given?.listing)
    })
    this.say(')')
    if (layout) this.say(JSON.stringify(layout))
    return { place, fields: wanted, relations: related, layout: layout ?? null }
  }

  #related(place: Place, name: string, select: Selection, listing: Listing | undefined): RelatedReading {
    const found = place.relations.get(name)
    if (!found) throw new PlanFault('invalid', faults.noRelation(name))
    this.#relations += 1
    if (this.#relations > most.relations) throw new PlanFault('invalid', faults.tooMuch('relations', most.relations))
    const { relation, index } = found
    const other = this.#places.of(relation.entity)
    this.say('r', index)
    const reading = this.reading(other, select)
    return {
      name,
      kind: relation.kind,
      field: fieldOf(place, relation.field),
      otherField: fieldOf(other, relation.otherField),
      reading,
      list: relation.kind === 'toOne' ? null : this.#nested(other, listing),
    }
  }

  #nested(place: Place, listing: Listing | undefined): ListReading {
    if (listing) return this.list(place, listing, limits.rows.mostOfPage)
    return this.list(place, noListing, limits.rows.mostOfPage)
  }

  /** `unpaged`: how many rows there are at most where nothing is said of pages, and the API has none. */
  list(place: Place, listing: Listing, unpaged: number = limits.rows.all): ListReading {
    const filters = this.filters(place, listing.filters)
    const search = this.#search(listing.search)
    const sort = this.#sort(place, listing)
    const { limit, offset } = this.#page(listing, unpaged)
    return { filters, search, sort, limit, offset }
  }

  filters(place: Place, filters: readonly Filter[]): CheckedFilter[] {
    this.#filters += filters.length
    if (this.#filters > most.filters) throw new PlanFault('invalid', faults.tooMuch('filters', most.filters))
    return filters.map(filter => this.#filter(place, filter))
  }

  #filter(place: Place, { field: name, comparison, value }: Filter): CheckedFilter {
    const field = fieldOf(place, name)
    if (!takes(field, comparison)) throw refused(field, faults.notCompared(comparison))
    this.say('f', field.index, comparison)
    if (comparison === 'null') {
      const isNull = value === true || value === 'true'
      if (!isNull && value !== false && value !== 'false') throw refused(field, booleanFault)
      this.say(isNull ? 1 : 0)
      return { field, comparison, isNull }
    }
    if (comparison === 'in') return this.#in(field, value)
    const literal = readCompared(field, value)
    if (comparison === 'like' && String(literal.value).length > most.pattern) {
      throw refused(field, faults.patternLength(most.pattern))
    }
    return { field, comparison, slot: this.keep(literal) }
  }

  /** As many places as the next power of two: the last value comes again. */
  #in(field: Field, value: Filter['value']): CheckedFilter {
    if (!isList(value)) throw refused(field, faults.list)
    this.#compared += value.length
    if (this.#compared > most.values) throw refused(field, faults.tooManyValues(most.values))
    const literals = value.map(one => readCompared(field, one))
    const slots = padded(literals).map(literal => this.keep(literal))
    this.say(slots.length)
    return { field, comparison: 'in', slots }
  }

  #search(search: string): number | null {
    if (search === '') return null
    if (!isText(search)) throw new PlanFault('invalid', faults.search)
    if (search.length > most.pattern) throw new PlanFault('invalid', faults.searchLength(most.pattern))
    this.say('s')
    return this.keep({ kind: 'text', value: search })
  }

  #sort(place: Place, { sort }: Listing): ListReading['sort'] {
    if (sort.length > most.sortings) throw new PlanFault('invalid', faults.tooMuch('fields to sort by', most.sortings))
    const seen = new Set<Field>()
    const wanted = sort.flatMap(({ field: name, descending }) => {
      const field = fieldOf(place, name)
      if (!isOrdered(field)) throw refused(field, faults.notSorted)
      if (seen.has(field)) return []
      seen.add(field)
      this.say('o', field.index, descending ? 1 : 0)
      return [{ field, descending }]
    })
    // The key settles the rest; without one all that can be compared does.
    const last = place.key ? [place.key] : place.fields.filter(isOrdered)
    return [...wanted, ...last.filter(field => !seen.has(field)).map(field => ({ field, descending: false }))]
  }

  #page({ limit, offset }: Listing, unpaged: number): { limit: number; offset: number | null } {
    if (!this.#options.limitOffset) return { limit: this.#number(unpaged), offset: null }
    const { page } = limits.rows
    if (limit !== null && !isPageSize(limit)) throw new PlanFault('invalid', faults.limit)
    if (!Number.isSafeInteger(offset) || offset < 0) throw new PlanFault('invalid', faults.offset)
    if (offset > 0) this.say('p')
    const size = limit ?? (unpaged === limits.rows.all ? page : unpaged)
    return { limit: this.#number(size), offset: offset > 0 ? this.#number(offset) : null }
  }

  #number(value: number): number {
    return this.keep({ kind: 'number', value: String(value) })
  }
}

/** All fields, and nothing that they lead to. */
export function whole(place: Place): Reading {
  return { place, fields: place.fields, relations: [], layout: null }
}

/** The list with its last value again and again, up to a power of two or to what a list may hold. */
export function padded<T>(list: readonly T[]): T[] {
  const size = Math.min(2 ** Math.ceil(Math.log2(Math.max(1, list.length))), most.values)
  const last = list.slice(-1)
  return list.length === 0 ? [] : [...list, ...Array.from({ length: size - list.length }, () => last).flat()]
}

export const noListing: Listing = { filters: [], search: '', sort: [], limit: null, offset: 0 }
const noSelection: Selection = { fields: null, relations: [] }
const booleanFault = 'this must be true or false.'

function isList(value: Filter['value']): value is readonly Filter['value'][] {
  return Array.isArray(value)
}

function isOrdered({ type }: Field): boolean {
  return type.kind !== 'json' && type.kind !== 'binary'
}

function takes({ type }: Field, comparison: Filter['comparison']): boolean {
  if (comparison === 'null') return true
  if (comparison === 'like') return type.kind === 'text'
  if (type.kind === 'json' || type.kind === 'binary') return false
  return type.kind !== 'boolean' || comparison === 'eq' || comparison === 'ne' || comparison === 'in'
}

export function isPageSize(limit: number): boolean {
  const { leastOfPage, mostOfPage } = limits.rows
  return Number.isSafeInteger(limit) && limit >= leastOfPage && limit <= mostOfPage
}
