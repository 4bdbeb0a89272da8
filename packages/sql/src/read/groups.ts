import { limits } from '@cadmus/model/limits'
import { foldName } from '@cadmus/model/paths'
import { automaticGroupName } from '../group-constraints.ts'
import type { RawKey } from './read-schema.ts'
import type { SqlGroup } from './sql-model.ts'

const kinds = { unique: 'unique', index: 'index', primary: 'key' } as const

/** The groups of a table under construction. */
export class TableGroups {
  readonly #table: string
  readonly #all = new Map<string, { group: SqlGroup; parts: RawKey[] }>()

  constructor(table: string) {
    this.#table = table
  }

  /** Each group with the parts of the table that declare it. */
  get all(): { group: SqlGroup; parts: readonly RawKey[] }[] {
    return [...this.#all.values()]
  }

  /** Adds a key or index of several columns; returns why it is left out, to follow 'is ignored'. */
  add(part: RawKey): string | undefined {
    const { stated, line, columns, descending = [] } = part
    const kind = kinds[part.kind]
    const names = columns.map(({ name }) => name)
    if (new Set(names).size < names.length) return ': a column is in it twice'
    if (names.length > limits.groups.members) return `: a group has at most ${limits.groups.members} attributes`
    if (this.#all.size >= limits.groups.max) return `: an entity has at most ${limits.groups.max} groups`
    const members = columns.map(column => ({
      name: column.name,
      descending: kind === 'index' && descending.includes(column),
    }))
    const name = stated.length > limits.groups.name || /\p{Cc}/u.test(stated) ? '' : stated
    const isAutomatic = kind === 'key' || foldName(name) === foldName(automaticGroupName(kind, this.#table, names))
    const group: SqlGroup = { kind, name: isAutomatic ? '' : name, line, members }
    const id = JSON.stringify([kind, kind === 'index' ? members : names.toSorted()])
    const known = this.#all.get(id)
    if (known) known.parts.push(part)
    else this.#all.set(id, { group, parts: [part] })
    return undefined
  }
}
