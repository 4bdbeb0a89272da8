import type { ApiRelation } from '@cadmus/model/api/api'
import { foldName } from '@cadmus/model/paths'
import type { ForeignKey, Table } from './tree.ts'

/**
 * The ways between the records of tables, by the name of the table that they start at: to one through each of its own foreign keys,
 * then to many from the other side, both in the order of the model.
 */
export function relationsOf(tables: readonly Table[]): ReadonlyMap<string, readonly ApiRelation[]> {
  const ways = new Map<string, Way[]>(tables.map(({ name }) => [name, []]))
  for (const { name, foreignKeys } of tables) {
    for (const key of foreignKeys) ways.get(name)?.push(way('toOne', key.references.table, key))
  }
  for (const { name, foreignKeys } of tables) {
    for (const key of foreignKeys) ways.get(key.references.table)?.push(way('toMany', name, key))
  }
  return new Map(tables.map(table => [table.name, named(ways.get(table.name) ?? [], table)]))
}

/** A relation before it has a name, and the foreign key that it is. */
type Way = Omit<ApiRelation, 'name'> & { key: string }

function way(kind: Way['kind'], entity: string, { columns, references }: ForeignKey): Way {
  const [here = '', there = ''] = [columns[0], references.columns[0]]
  const ends = kind === 'toOne' ? { field: here, otherField: there } : { field: there, otherField: here }
  return { kind, entity, key: here, ...ends }
}

/**
 * A relation is called as the entity that it leads to; where another leads there as well, or a field has that name, with the foreign
 * key's name behind it, and where even that is taken, as a record's relation to its own kind, the one to many is a list.
 */
function named(ways: readonly Way[], table: Table): ApiRelation[] {
  const leading = new Map<string, number>()
  for (const { entity } of ways) leading.set(camel(entity), (leading.get(camel(entity)) ?? 0) + 1)
  const taken = new Set(table.columns.map(({ name }) => foldName(name)))
  return ways.map(({ key, ...relation }) => {
    const plain = camel(relation.entity)
    const byKey = `${plain}By${pascal(key)}`
    const list = `${plain}${relation.kind === 'toOne' ? 'Record' : 'List'}By${pascal(key)}`
    const wanted = [...(leading.get(plain) === 1 ? [plain] : []), byKey, list]
    const name = wanted.find(one => !taken.has(foldName(one))) ?? counted(list, taken)
    taken.add(foldName(name))
    return { name, ...relation }
  })
}

function counted(name: string, taken: ReadonlySet<string>): string {
  let number = 2
  while (taken.has(foldName(`${name}${number}`))) number += 1
  return `${name}${number}`
}

function camel(name: string): string {
  const whole = pascal(name)
  const [first = ''] = whole
  return `${first.toLowerCase()}${whole.slice(first.length)}`
}

/** The words of a name without what stands between them, each with a capital letter. */
function pascal(name: string): string {
  const words = name.slice(0, 200).match(/[\p{L}\p{N}\p{M}]+/gu) ?? ['Other']
  return words
    .map(word => {
      const [first = ''] = word
      return `${first.toUpperCase()}${word.slice(first.length)}`
    })
    .join('')
}
