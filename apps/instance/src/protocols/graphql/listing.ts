import { comparisons, type Filter, type Listing } from '@cadmus/model/api/operation'
import { isRecord } from '@cadmus/model/equal'
import type { EntityNames } from '@cadmus/formats/api-names'
import { wireValue } from '../rest/sent-record.ts'

/** The arguments of a list as the engine takes them; names of members become those of the API. */
export function listingOf(args: Readonly<Record<string, unknown>>, names: EntityNames): Listing {
  const fields = apiNamesOf(names)
  const { search, sort, limit, offset } = args
  return {
    filters: filtersOf(args['filter'], fields),
    search: typeof search === 'string' ? search : '',
    sort: Array.isArray(sort) ? sort.flatMap(one => (isRecord(one) ? sorting(one, fields) : [])) : [],
    limit: typeof limit === 'number' ? limit : null,
    offset: offset === undefined || offset === null ? 0 : Number(offset),
  }
}

export function filtersOf(filter: unknown, fields: ReadonlyMap<string, string>): Filter[] {
  if (!isRecord(filter)) return []
  return Object.entries(filter).flatMap(([member, compared]) => {
    if (!isRecord(compared)) return []
    const field = fields.get(member) ?? member
    return comparisons.flatMap((comparison): Filter[] => {
      const value = compared[comparison]
      return value === undefined ? [] : [{ field, comparison, value: wireValue(value) }]
    })
  })
}

/** The API's names of members by those that the schema has. */
export function apiNamesOf({ members }: EntityNames): ReadonlyMap<string, string> {
  const known = remembered.get(members) ?? new Map([...members].map(([name, member]) => [member, name]))
  remembered.set(members, known)
  return known
}

const remembered = new WeakMap<EntityNames['members'], ReadonlyMap<string, string>>()

function sorting({ field, descending }: Record<string, unknown>, fields: ReadonlyMap<string, string>): Listing['sort'] {
  if (typeof field !== 'string') return []
  return [{ field: fields.get(field) ?? field, descending: descending === true }]
}
