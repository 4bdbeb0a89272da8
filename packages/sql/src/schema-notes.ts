import type { DatabaseType } from '@cadmus/model/database-types'
import { nameConflictsOf } from '@cadmus/model/name-conflicts'
import type { Problem } from '@cadmus/model/problem'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { DatabaseNotes, KeyCache, type TableNotes } from './database-notes.ts'
import { databases as kinds } from './databases.ts'
import { newTables, type TableOptions } from './tables.ts'
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

/** The merged notes on one table: a list per database and group, without notes that an earlier database has. */
type MergedNotes = {
  subject: object
  types: string
  basis: readonly (TableNotes | undefined)[]
  lists: readonly (readonly Note[])[]
}
/** Notes of adjacent tables, concatenated by group. */
type Run = { merged: readonly MergedNotes[]; lists: readonly (readonly Note[])[] }

const runLength = 8

/**
 * Merges the notes of several databases over successive states of a schema. Unchanged notes are the same objects, and
 * only runs with a changed table are concatenated again.
 */
class NoteCache {
  #merged: readonly MergedNotes[] = []
  #runs: readonly Run[] = []

  /** Returns the notes by database and group: names, tables, cascades. */
  update(
    subjects: readonly object[],
    types: readonly DatabaseType[],
    perDatabase: readonly (readonly TableNotes[])[],
  ): readonly Note[] {
    const merged = this.#mergedOf(subjects, types, perDatabase)
    const runs = this.#runsOf(merged)
    this.#merged = merged
    this.#runs = runs
    const lists: (readonly Note[])[] = []
    for (const part of merged[0]?.lists.keys() ?? []) {
      for (const run of runs) {
        const list = run.lists[part]
        if (list && list.length > 0) lists.push(list)
      }
    }
    return lists.flat()
  }

  /** Plain loops for speed: most of the work after an edit is comparing. */
  #mergedOf(
    subjects: readonly object[],
    types: readonly DatabaseType[],
    perDatabase: readonly (readonly TableNotes[])[],
  ): readonly MergedNotes[] {
    const key = types.join()
    const before = this.#merged
    let byTable: Map<object, MergedNotes> | undefined
    const merged: MergedNotes[] = []
    for (const [index, subject] of subjects.entries()) {
      const candidate = before[index]
      byTable ??= candidate?.subject === subject ? undefined : new Map(before.map(one => [one.subject, one]))
      const previous = candidate?.subject === subject ? candidate : byTable?.get(subject)
      const isSame = previous?.types === key && isBasis(previous.basis, perDatabase, index)
      merged.push(isSame ? previous : newMerged(subject, key, types, perDatabase, index))
    }
    return merged
  }

  #runsOf(merged: readonly MergedNotes[]): readonly Run[] {
    const runs: Run[] = []
    for (let start = 0; start < merged.length; start += runLength) {
      const before = this.#runs[runs.length]
      runs.push(before && isRun(before, merged, start) ? before : newRun(merged.slice(start, start + runLength)))
    }
    return runs
  }
}

function isBasis(basis: MergedNotes['basis'], perDatabase: readonly (readonly TableNotes[])[], index: number): boolean {
  for (let at = 0; at < perDatabase.length; at += 1) if (perDatabase[at]?.[index] !== basis[at]) return false
  return true
}

function isRun({ merged: before }: Run, merged: readonly MergedNotes[], start: number): boolean {
  if (before.length !== Math.min(runLength, merged.length - start)) return false
  for (let at = 0; at < before.length; at += 1) if (before[at] !== merged[start + at]) return false
  return true
}

function newRun(merged: readonly MergedNotes[]): Run {
  const parts = Array.from(merged[0]?.lists ?? [], (_, part) => merged.flatMap(({ lists }) => lists[part] ?? []))
  return { merged, lists: parts }
}

function newMerged(
  subject: object,
  key: string,
  types: readonly DatabaseType[],
  perDatabase: readonly (readonly TableNotes[])[],
  index: number,
): MergedNotes {
  const basis = perDatabase.map(notes => notes[index])
  return { subject, types: key, basis, lists: listsOf(basis, types) }
}

function listsOf(basis: MergedNotes['basis'], types: readonly DatabaseType[]): MergedNotes['lists'] {
  const byFinding = new Map<string, Note & { databases: DatabaseType[] }>()
  return basis.flatMap((parts, index) =>
    Array.from(parts ?? [], part => {
      const type = types[index]
      return part.flatMap(note => {
        const key = `${findingOf(note)}\0${note.message}`
        const before = byFinding.get(key)
        const databases = type ? [type] : []
        before?.databases.push(...databases)
        if (before) return []
        const first = { ...note, databases }
        byFinding.set(key, first)
        return [first]
      })
    }),
  )
}

/** Identifies a problem: an inherited attribute counts once for all its tables. */
function findingOf({ code, path }: Problem): string {
  const last = path.at(-1)
  return `${code}\0${last?.uid ?? (last && 'id' in last ? last.id : '')}`
}
