import type { Closure } from '@cadmus/model/closure'
import type { DatabaseType } from '@cadmus/model/database-types'
import { namesakesOf } from '@cadmus/model/namesakes'
import type { Problem } from '@cadmus/model/problem'
import { DatabaseNotes, type TableNotes } from './database-notes.ts'
import { dialects } from './dialects.ts'
import { KeyMemory } from './key-memory.ts'
import { newTables, type TableOptions } from './tables.ts'
import type { Note } from './tree.ts'

/**
 * What the schema of a manifest says less or otherwise than the model, for each of the databases: what all of them share names
 * none, and databases of one sentence are named together. `known` problems are not repeated. Nothing where two unrelated
 * entities have one name, as there is no schema then.
 */
export type SchemaNotes = (
  closure: Closure,
  databaseTypes: readonly DatabaseType[],
  options: TableOptions,
  known?: readonly Problem[],
) => Note[]

/**
 * Finds the notes of one manifest again and again. What was found about a table stays as long as the table and its part in the keys
 * are as they were: after an edit it looks at the tables that are otherwise by it. A note that is as before is the very same object.
 */
export function newSchemaNotes(): SchemaNotes {
  const memory = newTables()
  const keys = new KeyMemory()
  const told = new WeakMap<object, Told>()
  let databases = new Map<DatabaseType, DatabaseNotes>()
  return (closure, databaseTypes, options, known = []) => {
    if (namesakesOf(closure).unrelated.length > 0) return []
    const made = memory.at(closure, options)
    const tables = made.flatMap(({ table }) => table ?? [])
    const keyed = keys.look(tables)
    const types = databaseTypes.join()
    databases = new Map(databaseTypes.map(type => [type, databases.get(type) ?? new DatabaseNotes(dialects[type])]))
    const found = Array.from(databases.values(), database => database.look(closure.root.name, keyed, keys.ties))
    // What is said of the schema itself comes last.
    const all = [...tables, memory].map((about, index) => {
      const before = told.get(about)
      const isSame = before?.types === types && found.every((notes, place) => notes[index] === before.basis[place])
      if (isSame) return before.lists
      const basis = found.flatMap(notes => (notes[index] ? [notes[index]] : []))
      const lists = toldOf(basis, databaseTypes)
      told.set(about, { types, basis, lists })
      return lists
    })
    return withoutKnown([...made.flatMap(({ notes }) => notes), ...inOrder(all)], known)
  }
}

/** The notes on one table: a list for each part of what each database says, with those that no database said before. */
type Told = { types: string; basis: readonly TableNotes[]; lists: readonly (readonly Note[])[] }

function toldOf(ofDatabases: readonly TableNotes[], types: readonly DatabaseType[]): Told['lists'] {
  const found = new Map<string, Note & { databases: DatabaseType[] }>()
  return ofDatabases.flatMap((parts, index) =>
    parts.map(part => {
      const type = types[index]
      return part.flatMap(note => {
        const key = `${findingOf(note)}\0${note.message}`
        const before = found.get(key)
        const databases = type ? [type] : []
        before?.databases.push(...databases)
        if (before) return []
        const first = { ...note, databases }
        found.set(key, first)
        return [first]
      })
    }),
  )
}

/** A database after the other, of each first all names, then what it says of the tables, then what is between them. */
function inOrder(tables: readonly Told['lists'][]): Note[] {
  const notes: Note[] = []
  for (const part of tables[0]?.keys() ?? []) {
    for (const lists of tables) {
      const list = lists[part]
      if (list && list.length > 0) notes.push(...list)
    }
  }
  return notes
}

function withoutKnown(notes: readonly Note[], known: readonly Problem[]): Note[] {
  const codes = new Set(known.map(({ code }) => code))
  const said = new Set(known.map(findingOf))
  return notes.filter(note => !codes.has(note.code) || !said.has(findingOf(note)))
}

/** What is said and what about: an inherited attribute is the same in each of its tables. */
function findingOf({ code, path }: Problem): string {
  const last = path.at(-1)
  return `${code}\0${last?.uid ?? (last && 'id' in last ? last.id : '')}`
}
