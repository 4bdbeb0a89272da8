import type { Closure } from '@cadmus/model/closure'
import type { DatabaseType } from '@cadmus/model/database-types'
import { namesakesOf } from '@cadmus/model/namesakes'
import type { Problem } from '@cadmus/model/problem'
import { dialects } from './dialects.ts'
import { fitted } from './fitting.ts'
import { tablesOf, type TableOptions } from './tables.ts'
import type { Note } from './tree.ts'

/**
 * What the schema of a manifest says less or otherwise than the model, for each of the databases: what all of them share names
 * none, and databases of one sentence are named together. `known` problems are not repeated. Nothing where two unrelated
 * entities have one name, as there is no schema then.
 */
export function schemaNotes(
  closure: Closure,
  databaseTypes: readonly DatabaseType[],
  options: TableOptions,
  known: readonly Problem[] = [],
): Note[] {
  if (namesakesOf(closure).unrelated.length > 0) return []
  const said = new Set(known.map(findingOf))
  const { schema, notes } = tablesOf(closure, options)
  const found = new Map<string, { note: Note; databases: DatabaseType[] }>()
  for (const databaseType of databaseTypes) {
    for (const note of fitted(schema, dialects[databaseType]).notes) {
      const key = `${findingOf(note)}\0${note.message}\0${entityOf(note)}`
      const before = found.get(key)
      if (before) before.databases.push(databaseType)
      else found.set(key, { note, databases: [databaseType] })
    }
  }
  return [
    ...notes.filter(note => !said.has(findingOf(note))),
    ...Array.from(found.values(), ({ note, databases }) => ({ ...note, databases })).filter(
      note => !said.has(findingOf(note)),
    ),
  ]
}

/** What is said and what about: an inherited attribute is the same in each of its tables. */
function findingOf({ code, path }: Problem): string {
  const last = path.at(-1)
  return `${code}\0${last?.uid ?? (last && 'id' in last ? last.id : '')}`
}

function entityOf({ path }: Problem): string {
  return path.map(step => ('id' in step ? step.id : '')).join('/')
}
