import { comparisons, type Comparison, type Filter, type Listing, type WireValue } from '@cadmus/model/api/operation'
import { HttpError } from '../../http-error.ts'
import type { RestEntity } from './surface.ts'
import { valueOfText } from './text-value.ts'

/** The parameters of an address, as the framework reads them: a list where one is named more than once. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

export type Asked = {
  readonly listing: Listing
  /** The fields that are asked for; null: all. */
  readonly fields: readonly string[] | null
}

/** What may stand in a query: `list` takes all of it. */
type QueryKind = 'list' | 'fields' | 'filters' | 'none'

const parameters: Readonly<Record<QueryKind, readonly string[]>> = {
  list: ['limit', 'offset', 'search', 'sort', 'fields'],
  fields: ['fields'],
  filters: [],
  none: [],
}

/** Reads the query of a request for records of an entity. Throws an `HttpError` 400 about anything else in it. */
export function readQuery(query: Query, served: RestEntity, kind: QueryKind, takesLimit: boolean): Asked {
  const filters: Filter[] = []
  const given: Record<string, string> = {}
  for (const name in query) {
    const value = query[name]
    if (typeof value !== 'string') throw new HttpError(400, `The parameter ${quoted(name)} is named more than once.`)
    if (name.startsWith('filter[') && (kind === 'list' || kind === 'filters'))
      filters.push(readFilter(name, value, served))
    else if (isKnown(name, kind, takesLimit)) given[name] = value
    else throw new HttpError(400, `There is no parameter ${quoted(name)}.`)
  }
  return {
    fields: given['fields'] === undefined ? null : names('fields', given['fields']),
    listing: {
      filters,
      search: given['search'] ?? '',
      sort: given['sort'] === undefined ? [] : names('sort', given['sort']).map(sortedBy),
      limit: given['limit'] === undefined ? null : count(given['limit']),
      offset: given['offset'] === undefined ? 0 : count(given['offset']),
    },
  }
}

function isKnown(name: string, kind: QueryKind, takesLimit: boolean): boolean {
  return parameters[kind].includes(name) && (takesLimit || (name !== 'limit' && name !== 'offset'))
}

function readFilter(name: string, text: string, { fields }: RestEntity): Filter {
  const parts = /^filter\[([^[\]]+)\](?:\[([^[\]]+)\])?$/.exec(name)
  const field = parts?.[1]
  const comparison = comparisonOf(parts?.[2] ?? 'eq')
  if (field === undefined || comparison === undefined) {
    throw new HttpError(400, `There is no parameter ${quoted(name)}.`)
  }
  return { field, comparison, value: filterValue(text, comparison, one => valueOfText(one, fields.get(field))) }
}

function filterValue(text: string, comparison: Comparison, read: (text: string) => WireValue): WireValue {
  if (comparison === 'null') return text === 'true' ? true : text === 'false' ? false : text
  if (comparison === 'like') return text
  return comparison === 'in' ? text.split(',').map(read) : read(text)
}

function comparisonOf(name: string): Comparison | undefined {
  return comparisons.find(comparison => comparison === name)
}

function names(parameter: string, text: string): readonly string[] {
  const list = text.split(',')
  if (list.some(name => name === ''))
    throw new HttpError(400, `The parameter "${parameter}" lists names with commas between.`)
  return list
}

function sortedBy(name: string): Listing['sort'][number] {
  return name.startsWith('-') ? { field: name.slice(1), descending: true } : { field: name, descending: false }
}

/** NaN for what is no count: the engine refuses it as it does one that is too large. */
function count(text: string): number {
  return /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
}

/** The number of the last change that is known, of a query that takes nothing else. */
export function readAfter(query: Query): string {
  const { after = '0', ...others } = query
  for (const name in others) throw new HttpError(400, `There is no parameter ${quoted(name)}.`)
  if (typeof after === 'string' && /^\d{1,19}$/.test(after)) return after
  throw new HttpError(400, 'The parameter "after" is the number of a change.')
}

/** A name as a sentence may quote it. */
function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…`.toWellFormed() : name)
}
