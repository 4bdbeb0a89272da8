import type { Api, ApiEntity, ApiEnumeration } from '@cadmus/model/api/api'
import { FreeNames } from '@cadmus/model/free-names'
import { rareScalarsOf } from './graphql/scalars.ts'

export type EntityNames = {
  /** Type name; also the prefix of the names derived from it. */
  readonly type: string
  /** Identifiers of fields and relations by their API names. */
  readonly members: ReadonlyMap<string, string>
}

/**
 * Derives unique ASCII identifiers (letters, digits, underscores; no leading digit or double underscore) for the
 * entities of an API. Names that are valid identifiers are unchanged. The result is deterministic, so descriptions and
 * protocols agree.
 */
export function apiNames(api: Api): ReadonlyMap<string, EntityNames> {
  const cached = cache.get(api)
  if (cached) return cached
  const used = new Set([...reserved, ...rareNamesOf(api)])
  const types = new Map<string, string>()
  const unchanged = api.entities.filter(({ name }) => plainName(name) === name)
  for (const { name } of [...unchanged, ...api.entities]) if (!types.has(name)) types.set(name, freeType(name, used))
  const names = new Map(
    api.entities.map(entity => [entity.name, { type: types.get(entity.name) ?? '', members: membersOf(entity) }]),
  )
  cache.set(api, names)
  return names
}

/** The enumerations of the fields of an API with unique type names, which leave those of entities as they are. */
export function namedEnumerations(api: Api): ReadonlyMap<ApiEnumeration, string> {
  const cached = enumerationCache.get(api)
  if (cached) return cached
  const types = [...apiNames(api).values()].flatMap(({ type }) => ['', ...parts].map(part => `${type}${part}`))
  const used = new Set([...reserved, ...rareNamesOf(api), ...types.map(name => name.toLowerCase())])
  const all = new Set(api.entities.flatMap(({ fields }) => fields.flatMap(({ enumeration }) => enumeration ?? [])))
  const names = new Map([...all].map(one => [one, freeType(one.name, used)]))
  enumerationCache.set(api, names)
  return names
}

/**
 * Finds a type name that, case-insensitively, neither equals another type's name nor collides with one once a suffix
 * is added.
 */
function freeType(name: string, used: Set<string>): string {
  const plain = plainName(name)
  let free = plain
  const folded = () => ['', ...parts].map(part => `${free}${part}`.toLowerCase())
  for (let number = 2; folded().some(one => used.has(one)); number += 1) free = `${plain}${number}`
  for (const one of folded()) used.add(one)
  return free
}

export function plainName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^_{2,}/, '_')
  if (literals.has(plain)) return `${plain}_`
  if (!/[A-Za-z0-9]/.test(plain)) return 'unnamed'
  return /^\d/.test(plain) ? `_${plain}` : plain
}

/** Names of the parameters of a record's path, in key order. */
export function keyNames({ key }: ApiEntity): string[] {
  const free = new FreeNames({ fold: name => name, join: '' })
  return key.map(({ name }) => free.take(plainName(name)))
}

/** Names of the elements of a record's key in requests of SOAP, in key order. `others`: further elements of the request. */
export function keyElementNames(
  { key }: ApiEntity,
  { members }: Pick<EntityNames, 'members'>,
  others: readonly string[],
): string[] {
  const plain = key.map(({ name }) => members.get(name) ?? plainName(name))
  const used = new Set([...others, ...plain])
  return plain.map(name => {
    if (!others.includes(name)) return name
    let free = `${name}2`
    for (let number = 3; used.has(free); number += 1) free = `${name}${number}`
    used.add(free)
    return free
  })
}

/** Names of the elements of a list's request in SOAP. */
export function listElementNames({ options }: Api): string[] {
  return [...(options.limitOffset ? ['limit', 'offset'] : []), 'search', 'sort', 'fields', 'filter']
}

/** Identifiers for the columns of an aggregate row, by alias. */
export function aggregateMembers(aliases: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set<string>()
  return new Map(
    aliases.map(alias => {
      const plain = plainName(alias)
      let name = plain
      for (let number = 2; used.has(name); number += 1) name = `${plain}${number}`
      used.add(name)
      return [alias, name] as const
    }),
  )
}

const cache = new WeakMap<Api, ReadonlyMap<string, EntityNames>>()
const enumerationCache = new WeakMap<Api, ReadonlyMap<ApiEnumeration, string>>()

/** GraphQL literals cannot be used as names. */
const literals = new Set(['true', 'false', 'null'])

/** Lower-case names that descriptions and protocols reserve. */
const reserved =
  `query mutation subscription string int float boolean id long decimal date time timestamp guid binary json answer
  error filter sort fault intfilter longfilter floatfilter stringfilter booleanfilter datefilter timefilter timestampfilter
  decimalfilter guidfilter presencefilter`.split(/\s+/)

/** Names that were reserved later, only in APIs that use them, so that those of other APIs stay. */
function rareNamesOf(api: Api): string[] {
  return [...rareScalarsOf(api, true)].flatMap(name => [name, `${name}Filter`].map(one => one.toLowerCase()))
}

/** Suffixes of the types derived from an entity's type. */
const parts = ['List', 'Filter', 'Sort', 'Field', 'Insert', 'Update']

function membersOf({ fields, relations }: ApiEntity): ReadonlyMap<string, string> {
  const members = [...fields, ...relations].map(({ name }) => name)
  // Member names are case-sensitive, as in JSON.
  const free = new FreeNames({ fold: name => name, join: '' })
  const named = new Map<string, string>()
  const unchanged = members.filter(name => plainName(name) === name)
  for (const name of [...unchanged, ...members]) if (!named.has(name)) named.set(name, free.take(plainName(name)))
  return named
}
