import type { ApiOptions, ApiRelation } from '@cadmus/model/api/api'
import type { Filter, Layout, Listing, Selection } from '@cadmus/model/api/operation'
import { limits } from '@cadmus/model/limits'
import { isText } from '@cadmus/model/values/json'
import type { Literal } from '@cadmus/model/values/literal'
import { faults } from './faults.ts'
import { fieldOf, type Field, type EntityMapping, type EntityMappings } from './fields.ts'
import { PlanFault } from './plan.ts'
import type { Condition, Expression, Select } from './tree.ts'
import { readCompared, fieldFault } from './values.ts'

/** A checked selection of an entity's fields and relations. */
export type Reading = {
  readonly mapping: EntityMapping
  readonly fields: readonly Field[]
  readonly relations: readonly RelatedReading[]
  /** The layout of written records; null: the fields as they are read. */
  readonly layout: Layout | null
}

export type RelatedReading = {
  readonly name: string
  readonly kind: 'toOne' | 'toMany'
  readonly pairs: readonly FieldPair[]
  readonly reading: Reading
  /** Null for a relation to one. */
  readonly list: ListReading | null
}

/** A field, and that of the other records which is equal. */
export type FieldPair = { readonly field: Field; readonly otherField: Field }

/** Checked listing options; their values are in slots. */
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

/** The origin of a list: all records, or those related to one record. */
export type ListOrigin = {
  /** Conditions on the alias of the table. */
  conditions(alias: string): readonly Condition[]
  /** The record whose related records are listed, and its entity; null for all records. */
  from: { readonly exists: Select; readonly entity: string } | null
}

/**
 * The totals of a list: their columns, and the values of a row of them. `readTotals` throws a PlanFault if the origin
 * does not exist.
 */
export type Totals = {
  readonly columns: readonly Expression[]
  readTotals(row: readonly unknown[]): { total: number; totalNotFiltered: number }
}

/** Limits the length of statements. */
const maxima = { filters: 50, values: 1000, sortings: 10, relations: 50, pattern: 1000 } as const

/** A checked selection with its additions to the checker. */
type CachedReading = {
  readonly reading: Reading
  /** The slot of its first value. */
  readonly start: number
  readonly values: readonly (Literal | null)[]
  readonly shape: string
  readonly relations: number
  readonly filters: number
  readonly compared: number
}

const cachedReadings = new WeakMap<Selection, CachedReading>()

/**
 * Checks operations, collects their values in slots and builds their shape. Operations of the same shape have the same
 * statement.
 */
export class Checker {
  readonly values: (Literal | null)[] = []
  readonly #shape: string[] = []
  readonly #mappings: EntityMappings
  readonly #options: ApiOptions
  #relations = 0
  #filters = 0
  #compared = 0

  constructor(mappings: EntityMappings, options: ApiOptions) {
    this.#mappings = mappings
    this.#options = options
  }

  get shape(): string {
    return this.#shape.join(' ')
  }

  /** Adds a value and returns its slot. */
  addValue(value: Literal | null): number {
    return this.values.push(value) - 1
  }

  addToShape(...words: readonly (string | number)[]): void {
    for (const word of words) this.#shape.push(String(word))
  }

  /** Caches the reading of a frozen selection, valid for the same entity and first slot. */
  selection(mapping: EntityMapping, selection: Selection): Reading {
    const cached = cachedReadings.get(selection)
    const start = this.values.length
    if (cached?.reading.mapping === mapping && cached.start === start) return this.#restore(cached)
    const before = {
      words: this.#shape.length,
      relations: this.#relations,
      filters: this.#filters,
      compared: this.#compared,
    }
    const reading = this.reading(mapping, selection)
    if (!Object.isFrozen(selection)) return reading
    cachedReadings.set(selection, {
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

  #restore({ reading, values, shape, relations, filters, compared }: CachedReading): Reading {
    for (const value of values) this.values.push(value)
    this.#shape.push(shape)
    this.#relations += relations
    this.#filters += filters
    this.#compared += compared
    return reading
  }

  reading(mapping: EntityMapping, { fields, relations, layout }: Selection): Reading {
    const selected = fields === null ? mapping.fields : [...new Set(fields)].map(name => fieldOf(mapping, name))
    this.addToShape(mapping.index, '(', fields === null ? '*' : selected.map(({ index }) => index).join())
    const names = new Set(relations.map(({ name }) => name))
    const related = [...names].map(name => {
      const match = relations.findLast(one => one.name === name)
      return this.#related(mapping, name, match?.select ?? noSelection, match?.listing)
    })
    this.addToShape(')')
    if (layout) this.addToShape(JSON.stringify(layout))
    return { mapping, fields: selected, relations: related, layout: layout ?? null }
  }

  #related(mapping: EntityMapping, name: string, select: Selection, listing: Listing | undefined): RelatedReading {
    const entry = mapping.relations.get(name)
    if (!entry) throw new PlanFault('invalid', faults.noRelation(name))
    this.#relations += 1
    if (this.#relations > maxima.relations)
      throw new PlanFault('invalid', faults.tooMuch('relations', maxima.relations))
    const { relation, index } = entry
    const other = this.#mappings.of(relation.entity)
    this.addToShape('r', index)
    const reading = this.reading(other, select)
    return {
      name,
      kind: relation.kind,
      pairs: pairsOf(mapping, other, relation),
      reading,
      list: relation.kind === 'toOne' ? null : this.#nested(other, listing),
    }
  }

  #nested(mapping: EntityMapping, listing: Listing | undefined): ListReading {
    if (listing) return this.list(mapping, listing, limits.rows.maxPageSize)
    return this.list(mapping, noListing, limits.rows.maxPageSize)
  }

  /** `unpaged`: the maximum number of rows if the API has no pages. */
  list(mapping: EntityMapping, listing: Listing, unpaged: number = limits.rows.all): ListReading {
    const filters = this.filters(mapping, listing.filters)
    const search = this.#search(listing.search)
    const sort = this.#sort(mapping, listing)
    const { limit, offset } = this.#page(listing, unpaged)
    return { filters, search, sort, limit, offset }
  }

  filters(mapping: EntityMapping, filters: readonly Filter[]): CheckedFilter[] {
    this.#filters += filters.length
    if (this.#filters > maxima.filters) throw new PlanFault('invalid', faults.tooMuch('filters', maxima.filters))
    return filters.map(filter => this.#filter(mapping, filter))
  }

  #filter(mapping: EntityMapping, { field: name, comparison, value }: Filter): CheckedFilter {
    const field = fieldOf(mapping, name)
    if (!supports(field, comparison)) throw fieldFault(field, faults.notCompared(comparison))
    this.addToShape('f', field.index, comparison)
    if (comparison === 'null') {
      const isNull = value === true || value === 'true'
      if (!isNull && value !== false && value !== 'false') throw fieldFault(field, booleanFault)
      this.addToShape(isNull ? 1 : 0)
      return { field, comparison, isNull }
    }
    if (comparison === 'in') return this.#in(field, value)
    const literal = readCompared(field, value)
    if (comparison === 'like' && String(literal.value).length > maxima.pattern) {
      throw fieldFault(field, faults.patternLength(maxima.pattern))
    }
    return { field, comparison, slot: this.addValue(literal) }
  }

  /** Pads the values to a power of two by repeating the last one, to limit the number of shapes. */
  #in(field: Field, value: Filter['value']): CheckedFilter {
    if (!isList(value)) throw fieldFault(field, faults.list)
    this.#compared += value.length
    if (this.#compared > maxima.values) throw fieldFault(field, faults.tooManyValues(maxima.values))
    const literals = value.map(one => readCompared(field, one))
    const slots = padToPowerOfTwo(literals).map(literal => this.addValue(literal))
    this.addToShape(slots.length)
    return { field, comparison: 'in', slots }
  }

  #search(search: string): number | null {
    if (search === '') return null
    if (!isText(search)) throw new PlanFault('invalid', faults.search)
    if (search.length > maxima.pattern) throw new PlanFault('invalid', faults.searchLength(maxima.pattern))
    this.addToShape('s')
    return this.addValue({ kind: 'text', value: search })
  }

  #sort(mapping: EntityMapping, { sort }: Listing): ListReading['sort'] {
    if (sort.length > maxima.sortings)
      throw new PlanFault('invalid', faults.tooMuch('fields to sort by', maxima.sortings))
    const seen = new Set<Field>()
    const sorted = sort.flatMap(({ field: name, descending }) => {
      const field = fieldOf(mapping, name)
      if (!isOrdered(field)) throw fieldFault(field, faults.notSorted)
      if (seen.has(field)) return []
      seen.add(field)
      this.addToShape('o', field.index, descending ? 1 : 0)
      return [{ field, descending }]
    })
    // The key makes the order total; without one, all sortable fields do.
    const last = mapping.key.length > 0 ? mapping.key : mapping.fields.filter(isOrdered)
    return [...sorted, ...last.filter(field => !seen.has(field)).map(field => ({ field, descending: false }))]
  }

  #page({ limit, offset }: Listing, unpaged: number): { limit: number; offset: number | null } {
    if (!this.#options.limitOffset) return { limit: this.#number(unpaged), offset: null }
    const { page } = limits.rows
    if (limit !== null && !isPageSize(limit)) throw new PlanFault('invalid', faults.limit)
    if (!Number.isSafeInteger(offset) || offset < 0) throw new PlanFault('invalid', faults.offset)
    if (offset > 0) this.addToShape('p')
    const size = limit ?? (unpaged === limits.rows.all ? page : unpaged)
    return { limit: this.#number(size), offset: offset > 0 ? this.#number(offset) : null }
  }

  #number(value: number): number {
    return this.addValue({ kind: 'number', value: String(value) })
  }
}

export function pairsOf(mapping: EntityMapping, other: EntityMapping, { pairs }: ApiRelation): FieldPair[] {
  return pairs.map(one => ({ field: fieldOf(mapping, one.field), otherField: fieldOf(other, one.otherField) }))
}

/** All fields, without relations. */
export function allFields(mapping: EntityMapping): Reading {
  return { mapping, fields: mapping.fields, relations: [], layout: null }
}

/** Repeats the last item up to a power of two or the maximum length. */
export function padToPowerOfTwo<T>(list: readonly T[]): T[] {
  const size = Math.min(2 ** Math.ceil(Math.log2(Math.max(1, list.length))), maxima.values)
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

function supports({ type }: Field, comparison: Filter['comparison']): boolean {
  if (comparison === 'null') return true
  if (comparison === 'like') return type.kind === 'text'
  if (type.kind === 'json' || type.kind === 'binary') return false
  return type.kind !== 'boolean' || comparison === 'eq' || comparison === 'ne' || comparison === 'in'
}

export function isPageSize(limit: number): boolean {
  const { minPageSize, maxPageSize } = limits.rows
  return Number.isSafeInteger(limit) && limit >= minPageSize && limit <= maxPageSize
}
