import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { DatabaseType } from '@cadmus/model/database-types'
import { nameConflictsOf } from '@cadmus/model/name-conflicts'
import type { Problem } from '@cadmus/model/problem'
import { DatabaseNotes } from './database-notes.ts'
import { databases as kinds } from './databases.ts'
import { findingOf } from './finding.ts'
import { KeyCache } from './key-cache.ts'
import { newTables, type TableOptions } from './tables.ts'
import { NoteCache } from './note-cache.ts'
import type { Note } from './tree.ts'

/**
 * The differences of a manifest's schema from the model for each of the databases. Notes shared by all databases name
 * none; equal notes of some databases are merged. `known` problems are not repeated. Empty if two unrelated entities
 * have the same name, as there is no schema then.
 */
export type SchemaNotes = (
  resolvedModel: ResolvedModel,
  databaseTypes: readonly DatabaseType[],
  options: TableOptions,
  known?: readonly Problem[],
) => readonly Note[]

/**
 * Computes the notes of one manifest incrementally: after an edit only affected tables are examined again. Unchanged
 * notes are the same objects.
 */
export function newSchemaNotes(): SchemaNotes {
  const cache = newTables()
  const keys = new KeyCache()
  const noteCache = new NoteCache()
  let databases = new Map<DatabaseType, DatabaseNotes>()
  return (resolvedModel, databaseTypes, options, known = []) => {
    if (nameConflictsOf(resolvedModel).unrelated.length > 0) return []
    const tableResults = cache.at(resolvedModel, options)
    const tables = tableResults.map(({ table }) => table).filter(table => table !== null)
    const keyed = keys.update(tables)
    databases = new Map(databaseTypes.map(type => [type, databases.get(type) ?? new DatabaseNotes(kinds[type].export)]))
    const perDatabase = Array.from(databases.values(), database =>
      database.update(resolvedModel.root.name, keyed, keys.graph),
    )
    // Notes on the schema itself come last.
    const merged = noteCache.update([...tables, cache], databaseTypes, perDatabase)
    const ofTables = tableResults.filter(({ notes }) => notes.length > 0).flatMap(({ notes }) => notes)
    return withoutKnown(ofTables.length > 0 ? [...ofTables, ...merged] : merged, known)
  }
}

function withoutKnown(notes: readonly Note[], known: readonly Problem[]): readonly Note[] {
  if (known.length === 0) return notes
  const codes = new Set(known.map(({ code }) => code))
  const findings = new Set(known.map(findingOf))
  return notes.filter(note => !codes.has(note.code) || !findings.has(findingOf(note)))
}
