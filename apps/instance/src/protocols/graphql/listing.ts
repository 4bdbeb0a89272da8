import { comparisons, type Filter, type Listing } from '@cadmus/model/api/operation'
import { isRecord } from '@cadmus/model/equal'
import type { EntityNames } from '@cadmus/formats/api-names'
import { wireValue } from '../rest/body.ts'

/** Converts the arguments of a list to engine arguments, with member names mapped to API names. */
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
  return Object.entries(filter).flatMap(([member, operands]) => {
    if (!isRecord(operands)) return []
    const field = fields.get(member) ?? member
    return comparisons.flatMap((comparison): Filter[] => {
      const value = operands[comparison]
      return value === undefined ? [] : [{ field, comparison, value: wireValue(value) }]
    })
  })
}

/** API names by member name. */
export function apiNamesOf({ members }: EntityNames): ReadonlyMap<string, string> {
  const cached = namesByMembers.get(members) ?? new Map([...members].map(([name, member]) => [member, name]))
  namesByMembers.set(members, cached)
  return cached
}

const namesByMembers = new WeakMap<EntityNames['members'], ReadonlyMap<string, string>>()

function sorting({ field, descending }: Record<string, unknown>, fields: ReadonlyMap<string, string>): Listing['sort'] {
  if (typeof field !== 'string') return []
  return [{ field: fields.get(field) ?? field, descending: descending === true }]
}
