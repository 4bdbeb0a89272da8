import type { Dialect } from './dialect.ts'
import { type Notes, noteTexts } from './notes.ts'
import type { ForeignKey, Table } from './tree.ts'

/**
 * Some databases reject cycles and multiple paths of cascading deletes: there, later foreign keys reject deletion
 * instead.
 */
export function withSafeCascades(tables: readonly Table[], dialect: Dialect, notes: Notes): readonly Table[] {
  const unsafe = unsafeCascades(tables, dialect)
  if (unsafe.size === 0) return tables
  return tables.map(table => {
    if (!table.foreignKeys.some(key => unsafe.has(key))) return table
    const foreignKeys = table.foreignKeys.map((key): ForeignKey => {
      if (!unsafe.has(key)) return key
      notes.about('cascadePath', noteTexts.cascadePath(key.source.name), table.source, key.source)
      const { onUpdate: _refused, ...plain } = key
      return { ...plain, onDelete: 'noAction' }
    })
    return { ...table, foreignKeys }
  })
}

/** The foreign keys that must not cascade; earlier ones have priority. */
export function unsafeCascades(
  tables: readonly Pick<Table, 'name' | 'foreignKeys'>[],
  dialect: Dialect,
): ReadonlySet<ForeignKey> {
  const unsafe = new Set<ForeignKey>()
  if (dialect.allowsCascadePaths) return unsafe
  const paths = newPaths()
  for (const { name, foreignKeys } of tables) {
    for (const key of foreignKeys) if (cascades(key) && !paths.add(key.references.table, name)) unsafe.add(key)
  }
  return unsafe
}

export function cascades({ onDelete, onUpdate }: ForeignKey): boolean {
  return [onDelete, onUpdate].some(action => action === 'cascade' || action === 'setNull')
}

/** The cascading deletes between tables, as a forest of single paths. */
function newPaths() {
  const below = new Map<string, Set<string>>()
  const above = new Map<string, Set<string>>()
  return {
    /** Adds an edge; returns false if a table could then be reached by two paths. */
    add(from: string, to: string): boolean {
      if (from === to) return false
      // Fast path: most tables have no other cascading deletes.
      if (below.has(to) || above.has(to)) {
        const reaching = reachableFrom(reachableFrom([to], below), above)
        for (const table of reachableFrom([from], above)) if (reaching.has(table)) return false
      }
      link(below, from, to)
      link(above, to, from)
      return true
    },
  }
}

function reachableFrom(starts: Iterable<string>, steps: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const result = new Set(starts)
  for (const table of result) for (const next of steps.get(table) ?? []) result.add(next)
  return result
}

function link(steps: Map<string, Set<string>>, from: string, to: string): void {
  const targets = steps.get(from)
  if (targets) targets.add(to)
  else steps.set(from, new Set([to]))
}
