import { comparisons, type Comparison, type Filter, type Listing, type WireValue } from '@cadmus/model/api/operation'
import { HttpError } from '../../http-error.ts'
import type { RestEntity } from './surface.ts'
import { valueOfText } from './body.ts'

/** Parsed query parameters; repeated ones are arrays. */
export type Query = Readonly<Record<string, string | readonly string[] | undefined>>

export type ParsedQuery = {
  readonly listing: Listing
  /** Null: all fields. */
  readonly fields: readonly string[] | null
}

/** The parameters allowed in a query. */
type QueryKind = 'list' | 'fields' | 'filters' | 'none'

const parameters: Readonly<Record<QueryKind, readonly string[]>> = {
  list: ['limit', 'offset', 'search', 'sort', 'fields'],
  fields: ['fields'],
  filters: [],
  none: [],
}

/** Parses the query of a request. Throws an `HttpError` 400 for unknown or repeated parameters. */
export function readQuery(query: Query, served: RestEntity, kind: QueryKind, allowsLimit: boolean): ParsedQuery {
  const filters: Filter[] = []
  const values: Record<string, string> = {}
  for (const name in query) {
    const value = query[name]
    if (typeof value !== 'string') throw new HttpError(400, `The parameter ${quoted(name)} is repeated.`)
    if (name.startsWith('filter[') && (kind === 'list' || kind === 'filters'))
      filters.push(readFilter(name, value, served))
    else if (isKnown(name, kind, allowsLimit)) values[name] = value
    else throw new HttpError(400, `There is no parameter ${quoted(name)}.`)
  }
  return {
    fields: values['fields'] === undefined ? null : names('fields', values['fields']),
    listing: {
      filters,
      search: values['search'] ?? '',
      sort: values['sort'] === undefined ? [] : names('sort', values['sort']).map(sortingOf),
      limit: values['limit'] === undefined ? null : count(values['limit']),
      offset: values['offset'] === undefined ? 0 : count(values['offset']),
    },
  }
}

function isKnown(name: string, kind: QueryKind, allowsLimit: boolean): boolean {
  return parameters[kind].includes(name) && (allowsLimit || (name !== 'limit' && name !== 'offset'))
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
    throw new HttpError(400, `The parameter "${parameter}" must be a comma-separated list of names.`)
  return list
}

function sortingOf(name: string): Listing['sort'][number] {
  return name.startsWith('-') ? { field: name.slice(1), descending: true } : { field: name, descending: false }
}

/** Invalid counts become NaN, which the engine refuses with the message for its range. */
function count(text: string): number {
  return /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
}

/** The number of the last change that the caller has read. */
export function readAfter(query: Query): string {
  const { after = '0', ...others } = query
  for (const name in others) throw new HttpError(400, `There is no parameter ${quoted(name)}.`)
  if (typeof after === 'string' && /^\d{1,19}$/.test(after)) return after
  throw new HttpError(400, 'The parameter "after" must be the number of a change.')
}

function quoted(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…`.toWellFormed() : name)
}
