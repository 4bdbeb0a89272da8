import type { Closure } from '@cadmus/model/closure'
import type { DatabaseType } from '@cadmus/model/database-types'
import { namesakesOf } from '@cadmus/model/namesakes'
import type { Problem } from '@cadmus/model/problem'
import { DatabaseNotes } from './database-notes.ts'
import { dialects } from './dialects.ts'
import { findingOf } from './finding.ts'
import { KeyMemory } from './key-memory.ts'
import { newTables, type TableOptions } from './tables.ts'
import { ToldTables } from './told-tables.ts'
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
) => readonly Note[]

/**
 * Finds the notes of one manifest again and again. What was found about a table stays as long as the table and its part in the keys
 * are as they were: after an edit it looks at the tables that are otherwise by it. A note that is as before is the very same object.
 */
export function newSchemaNotes(): SchemaNotes {
  const memory = newTables()
  const keys = new KeyMemory()
  const told = new ToldTables()
  let databases = new Map<DatabaseType, DatabaseNotes>()
  return (closure, databaseTypes, options, known = []) => {
    if (namesakesOf(closure).unrelated.length > 0) return []
    const made = memory.at(closure, options)
    const tables = made.map(({ table }) => table).filter(table => table !== null)
    const keyed = keys.look(tables)
    databases = new Map(databaseTypes.map(type => [type, databases.get(type) ?? new DatabaseNotes(dialects[type])]))
    const found = Array.from(databases.values(), database => database.look(closure.root.name, keyed, keys.ties))
    // What is said of the schema itself comes last.
    const said = told.look([...tables, memory], databaseTypes, found)
    const ofTables = made.filter(({ notes }) => notes.length > 0).flatMap(({ notes }) => notes)
    return withoutKnown(ofTables.length > 0 ? [...ofTables, ...said] : said, known)
  }
}

function withoutKnown(notes: readonly Note[], known: readonly Problem[]): readonly Note[] {
  if (known.length === 0) return notes
  const codes = new Set(known.map(({ code }) => code))
  const said = new Set(known.map(findingOf))
  return notes.filter(note => !codes.has(note.code) || !said.has(findingOf(note)))
}
