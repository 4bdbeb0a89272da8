import type { ApiRelation } from '@cadmus/model/api/api'
import { foldName } from '@cadmus/model/paths'
import type { ForeignKey, Table } from './tree.ts'

/**
 * The relations between records by their first table: to-one relations of the table's own foreign keys, then to-many
 * relations of foreign keys that refer to it, both in the order of the model.
 */
export function relationsOf(tables: readonly Table[]): ReadonlyMap<string, readonly ApiRelation[]> {
  const drafts = new Map<string, RelationDraft[]>(tables.map(({ name }) => [name, []]))
  for (const { name, foreignKeys } of tables) {
    for (const key of foreignKeys) drafts.get(name)?.push(draftOf('toOne', key.references.table, key))
  }
  for (const { name, foreignKeys } of tables) {
    for (const key of foreignKeys) drafts.get(key.references.table)?.push(draftOf('toMany', name, key))
  }
  return new Map(tables.map(table => [table.name, withNames(drafts.get(table.name) ?? [], table)]))
}

/** A relation without its name, and its foreign key. */
type RelationDraft = Omit<ApiRelation, 'name'> & { key: string }

function draftOf(kind: RelationDraft['kind'], entity: string, { columns, references }: ForeignKey): RelationDraft {
  const [own = '', other = ''] = [columns[0], references.columns[0]]
  const ends = kind === 'toOne' ? { field: own, otherField: other } : { field: other, otherField: own }
  return { kind, entity, key: own, ...ends }
}

/**
 * Names each relation after its target entity. If that is ambiguous or the name of a field, the foreign key's name is
 * appended; if that is also taken, as for relations of an entity to itself, `Record` or `List` is inserted.
 */
function withNames(drafts: readonly RelationDraft[], table: Table): ApiRelation[] {
  const targetCounts = new Map<string, number>()
  for (const { entity } of drafts) targetCounts.set(camel(entity), (targetCounts.get(camel(entity)) ?? 0) + 1)
  const usedNames = new Set(table.columns.map(({ name }) => foldName(name)))
  return drafts.map(({ key, ...relation }) => {
    const plain = camel(relation.entity)
    const byKey = `${plain}By${pascal(key)}`
    const list = `${plain}${relation.kind === 'toOne' ? 'Record' : 'List'}By${pascal(key)}`
    const candidates = [...(targetCounts.get(plain) === 1 ? [plain] : []), byKey, list]
    const name = candidates.find(one => !usedNames.has(foldName(one))) ?? numbered(list, usedNames)
    usedNames.add(foldName(name))
    return { name, ...relation }
  })
}

function numbered(name: string, usedNames: ReadonlySet<string>): string {
  let number = 2
  while (usedNames.has(foldName(`${name}${number}`))) number += 1
  return `${name}${number}`
}

function camel(name: string): string {
  const whole = pascal(name)
  const [first = ''] = whole
  return `${first.toLowerCase()}${whole.slice(first.length)}`
}

/** The words of a name in Pascal case, without separators. */
function pascal(name: string): string {
  const words = name.slice(0, 200).match(/[\p{L}\p{N}\p{M}]+/gu) ?? ['Other']
  return words
    .map(word => {
      const [first = ''] = word
      return `${first.toUpperCase()}${word.slice(first.length)}`
    })
    .join('')
}
