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
  const kept = api.entities.filter(({ name }) => isPlain(name))
  const free = new FreeNames({ taken: reservedTypes, join: '' })
  const types = new Map<string, string>()
  for (const { name } of [...kept, ...api.entities]) {
    if (!types.has(name)) types.set(name, free.take(plainName(name)))
  }
  return new Map(
    api.entities.map(entity => [
      entity.name,
      { type: types.get(entity.name) ?? entity.name, members: membersOf(entity) },
    ]),
  )
}

/** A text as an identifier. */
export function plainName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_]+/g, '_').replace(/^_{2,}/, '_')
  if (!/[A-Za-z0-9]/.test(plain)) return 'unnamed'
  return /^\d/.test(plain) ? `_${plain}` : plain
}

/** Words that descriptions and protocols have for their own. */
const reservedTypes =
  `Query Mutation Subscription String Int Float Boolean ID Long Decimal Date Time Timestamp Guid Binary Json Answer
  Error Fault`.split(/\s+/)

function isPlain(name: string): boolean {
  return plainName(name) === name
}

function membersOf({ fields, relations }: ApiEntity): ReadonlyMap<string, string> {
  const all = [...fields, ...relations].map(({ name }) => name)
  // Members are told apart by case, as JSON has them.
  const free = new FreeNames({ fold: name => name, join: '' })
  const named = new Map<string, string>()
  for (const name of [...all.filter(isPlain), ...all]) if (!named.has(name)) named.set(name, free.take(plainName(name)))
  return named
}
