import { type DatabaseType, databaseTypeTable } from '@cadmus/model/database-types'
import { pathStem } from './play-order.ts'

/** Words for databases in names of files and folders; null for those that cannot be chosen. */
const words: ReadonlyMap<string, DatabaseType | null> = new Map<string, DatabaseType | null>([
  ...named('postgresql', 'postgresql postgres pgsql psql pg'),
  ...named('mysql', 'mysql mariadb mysql5 mysql8'),
  ...named('mssql', 'mssql sqlserver'),
  ...named('oracle', 'oracle'),
  ...named('hsql', 'hsql hsqldb'),
  ...named(null, 'sqlite sqlite3 h2 db2 derby cockroach cockroachdb sybase firebird informix yugabytedb'),
])

function named(database: DatabaseType | null, text: string): [string, DatabaseType | null][] {
  return text.split(' ').map(word => [word, database])
}

/** The parts of a path that are words for a database, and the path without them, under which the others are. */
function databaseIn(path: string): { database: DatabaseType | null; common: string } | undefined {
  const parts = pathStem(path).split(/([/._-])/)
  const at = parts.findLastIndex(part => words.has(part.toLowerCase()))
  if (at < 0) return undefined
  return { database: words.get(parts[at]?.toLowerCase() ?? '') ?? null, common: parts.toSpliced(at, 2).join('') }
}

/**
 * Leaves out scripts for other databases where the same script is there for several, or belongs to such a script. `chosen`: the database
 * that was chosen; otherwise the one with most scripts is read.
 */
export function forOneDatabase(
  paths: readonly string[],
  chosen: DatabaseType | undefined,
): { paths: readonly string[]; leftOut: readonly { path: string; reason: string }[] } {
  const places = new Map(paths.map(path => [path, databaseIn(path)]))
  const counts = new Map<DatabaseType, number>()
  const common = new Map<string, Set<DatabaseType | null>>()
  for (const place of places.values()) {
    if (!place) continue
    common.set(place.common, (common.get(place.common) ?? new Set()).add(place.database))
    if (place.database !== null) counts.set(place.database, (counts.get(place.database) ?? 0) + 1)
  }
  const areSeveral = [...common.values()].some(databases => databases.size > 1)
  const [most] = [...counts].toSorted(([, a], [, b]) => b - a)
  const database = chosen ?? most?.[0]
  if (!areSeveral || database === undefined || !counts.has(database)) return { paths, leftOut: [] }
  const isOther = (path: string) => {
    const place = places.get(path)
    // A script for all databases is replaced by one for this database.
    return place ? place.database !== database : common.get(pathStem(path))?.has(database) === true
  }
  const reason = `it is for another database than ${databaseTypeTable[database].label}, which can be chosen`
  return {
    paths: paths.filter(path => !isOther(path)),
    leftOut: paths.filter(isOther).map(path => ({ path, reason })),
  }
}
