import type { Api, ApiEntity } from '@cadmus/model/api/api'
import { FreeNames } from '@cadmus/model/free-names'

/** What an entity and its members are called where a format asks for identifiers. */
export type EntityNames = {
  /** The name of its type, and of what is named after it. */
  readonly type: string
  /** Of its fields and relations, by their names in the API. */
  readonly members: ReadonlyMap<string, string>
}

/**
 * Identifiers for the entities of an API by their names: letters of ASCII, digits and underscores, no digit and no two underscores in
 * front. Names that are identifiers stay as they are; the same API gives the same ones, so that descriptions and protocols agree.
 */
export function apiNames(api: Api): ReadonlyMap<string, EntityNames> {
  const known = made.get(api)
  if (known) return known
  const taken = new Set(reserved)
  const types = new Map<string, string>()
  const kept = api.entities.filter(({ name }) => plainName(name) === name)
  for (const { name } of [...kept, ...api.entities]) if (!types.has(name)) types.set(name, freeType(name, taken))
  const names = new Map(
    api.entities.map(entity => [entity.name, { type: types.get(entity.name) ?? '', members: membersOf(entity) }]),
  )
  made.set(api, names)
  return names
}

/** A type's name that neither is another's nor becomes one with what is put behind it, whatever its case. */
function freeType(name: string, taken: Set<string>): string {
  const plain = plainName(name)
  let free = plain
  const folded = () => ['', ...parts].map(part => `${free}${part}`.toLowerCase())
  for (let number = 2; folded().some(one => taken.has(one)); number += 1) free = `${plain}${number}`
  for (const one of folded()) taken.add(one)
  return free
}

/** A text as an identifier. */
export function plainName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^_{2,}/, '_')
  if (literals.has(plain)) return `${plain}_`
  if (!/[A-Za-z0-9]/.test(plain)) return 'unnamed'
  return /^\d/.test(plain) ? `_${plain}` : plain
}

/** The names of a row's columns, by their aliases. */
export function aggregateMembers(aliases: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  return new Map(
    aliases.map(alias => {
      const plain = plainName(alias)
      let name = plain
      for (let number = 2; taken.has(name); number += 1) name = `${plain}${number}`
      taken.add(name)
      return [alias, name] as const
    }),
  )
}

const made = new WeakMap<Api, ReadonlyMap<string, EntityNames>>()

/** What stands for a value where it is written, and so for no name. */
const literals = new Set(['true', 'false', 'null'])

/** Names that descriptions and protocols have for their own, in small letters. */
const reserved =
  `query mutation subscription string int float boolean id long decimal date time timestamp guid binary json answer
  error filter sort fault intfilter longfilter floatfilter stringfilter booleanfilter datefilter timefilter timestampfilter
  decimalfilter guidfilter presencefilter`.split(/\s+/)

/** What is put behind the name of a type to name what belongs to it. */
const parts = ['List', 'Filter', 'Sort', 'Field', 'Insert', 'Update']

function membersOf({ fields, relations }: ApiEntity): ReadonlyMap<string, string> {
  const members = [...fields, ...relations].map(({ name }) => name)
  // Members are told apart by case, as JSON has them.
  const free = new FreeNames({ fold: name => name, join: '' })
  const named = new Map<string, string>()
  const kept = members.filter(name => plainName(name) === name)
  for (const name of [...kept, ...members]) if (!named.has(name)) named.set(name, free.take(plainName(name)))
  return named
}
