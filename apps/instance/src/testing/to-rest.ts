import type { Api } from '@cadmus/model/api/api'
import type { Filter, Listing, Operation, WireKey } from '@cadmus/model/api/operation'

// For tests: converts operations to REST requests.

export type RestRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  readonly body?: string
}

/** The request for an operation; null if REST cannot express it. */
export function toRest(api: Api, operation: Operation): RestRequest | null {
  const request = requestOf(api, operation)
  return request && request.url.length < longestAddress ? request : null
}

const longestAddress = 7000

function requestOf(api: Api, operation: Operation): RestRequest | null {
  const entity = api.entities.find(({ name }) => name === operation.entity)
  // URLs cannot express these segments.
  if (!entity?.segment.isWellFormed() || entity.segment === '.' || entity.segment === '..') return null
  const root = `/api/${api.namespace}/1.0`
  const own = `${root}/${encodeURIComponent(entity.segment)}`
  switch (operation.kind) {
    case 'selectAll':
      return withQuery('GET', own, [...listed(api, operation), ...fields(operation.select.fields)], operation)
    case 'select':
      return withKey(operation.key, key =>
        withQuery('GET', `${own}/${key}`, fields(operation.select.fields), operation),
      )
    case 'delete':
      return withKey(operation.key, key => ({ method: 'DELETE', url: `${own}/${key}` }))
    case 'insert':
    case 'update':
      return { method: operation.kind === 'insert' ? 'POST' : 'PUT', url: own, body: JSON.stringify(operation.record) }
    case 'aggregate': {
      const url = `${root}/_aggregate/${encodeURIComponent(entity.segment)}/${encodeURIComponent(operation.query)}`
      return withQuery('GET', url, operation.filters.map(filter), { filters: operation.filters })
    }
    default:
      return null
  }
}

type Query = readonly (readonly [name: string, value: string] | null)[]

function withQuery(
  method: 'GET',
  url: string,
  query: Query,
  {
    filters = [],
    select,
  }: { filters?: readonly Filter[]; select?: Operation extends never ? never : { relations: readonly unknown[] } },
): RestRequest | null {
  if (query.includes(null) || (select?.relations.length ?? 0) > 0) return null
  const names = filters.map(({ field, comparison }) => `${field} ${comparison}`)
  if (new Set(names).size < names.length) return null
  const pairs = query.flatMap(one =>
    one === null ? [] : [`${encodeURIComponent(one[0])}=${encodeURIComponent(one[1])}`],
  )
  return { method, url: pairs.length === 0 ? url : `${url}?${pairs.join('&')}` }
}

function withKey(key: WireKey, made: (path: string) => RestRequest | null): RestRequest | null {
  const texts = key.map(value => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''))
  if (texts.some(text => text === '' || text === '.' || text === '..' || !text.isWellFormed())) return null
  return made(texts.map(encodeURIComponent).join('/'))
}

function listed({ options }: Api, { filters, search, sort, limit, offset }: Listing): Query {
  const sorted = sort.map(({ field, descending }) => `${descending ? '-' : ''}${field}`)
  return [
    ...filters.map(filter),
    ...(search === '' ? [] : [search.isWellFormed() ? (['search', search] as const) : null]),
    ...(sort.length === 0
      ? []
      : [sort.some(({ field }) => !isExpressible(field)) ? null : (['sort', sorted.join(',')] as const)]),
    ...(options.limitOffset && limit !== null ? [['limit', String(limit)] as const] : []),
    ...(options.limitOffset && offset !== 0 ? [['offset', String(offset)] as const] : []),
  ]
}

function fields(names: readonly string[] | null): Query {
  if (names === null || names.length === 0 || !names.every(isExpressible)) return [null]
  return [['fields', names.join(',')]]
}

/** Query values are converted by the type of the field. */
function filter({ field, comparison, value }: Filter): readonly [string, string] | null {
  const values = Array.isArray(value) ? value : [value]
  const texts = values.map(one => (typeof one === 'object' ? null : String(one)))
  const isList = comparison === 'in'
  const inexpressible = texts.some(
    text => text === null || !text.isWellFormed() || (isList && (text === '' || text.includes(','))),
  )
  if (!isExpressible(field) || inexpressible || (isList && texts.length === 0)) return null
  return [`filter[${field}][${comparison}]`, texts.join(',')]
}

function isExpressible(name: string): boolean {
  return /^[^-[\],][^[\],]*$/.test(name) && name.isWellFormed()
}
