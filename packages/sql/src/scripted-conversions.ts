import { isText } from './column-types.ts'
import { databases, type RunDatabase } from './databases.ts'
import type { Dialect } from './dialect.ts'
import type { ColumnType } from './tree.ts'

/** Databases whose tables a person alters, by a script. */
export const scripted = ['mysql', 'hsql', 'oracle', 'mssql'] as const satisfies readonly RunDatabase[]
export type ScriptedDatabase = (typeof scripted)[number]

export function scriptedOf(dialect: Dialect): ScriptedDatabase | undefined {
  return scripted.find(name => databases[name].run.dialect === dialect)
}

/** The value of a column as one of another type, where that is possible by value. One that does not fit is refused by the database, or rounded. */
export function scriptedValue(value: string, from: ColumnType, to: ColumnType, database: ScriptedDatabase): string {
  const { dialect, queries } = databases[database].run
  if (isText(to)) return queries.bind(writtenText(value, from, database), to)
  if (to.kind === 'boolean') {
    const literal = (flag: boolean) => dialect.literal({ kind: 'boolean', value: flag })
    return `CASE ${queries.ordered(value, from)} WHEN 'true' THEN ${literal(true)} WHEN 'false' THEN ${literal(false)} END`
  }
  const { inUtc, instantOf } = instants[database]
  if (to.kind === 'instant' && !isText(from))
    return instantOf(from.kind === 'date' ? `CAST(${value} AS ${dialect.typeName({ kind: 'timestamp' })})` : value)
  if ((to.kind === 'timestamp' || to.kind === 'date') && !isText(from)) {
    const moment = from.kind === 'instant' ? inUtc(value) : value
    if (to.kind === 'timestamp' && from.kind === 'instant') return moment
    return database === 'oracle' && to.kind === 'date'
      ? `TRUNC(${moment})`
      : `CAST(${moment} AS ${dialect.typeName(to)})`
  }
  const text = to.kind === 'instant' && database !== 'mssql' ? `TRIM(TRAILING 'Z' FROM ${value})` : value
  // HSQLDB reads no T between date and time.
  const spaced =
    database === 'hsql' && (to.kind === 'timestamp' || to.kind === 'instant') ? `REPLACE(${text}, 'T', ' ')` : text
  return queries.bind(database === 'hsql' && to.kind === 'instant' ? `${spaced} || '+0:00'` : spaced, to)
}

type InstantConversions = {
  /** The timestamp in UTC. */
  readonly inUtc: (instant: string) => string
  readonly instantOf: (timestamp: string) => string
}

/** Other casts take the time zone of the session or the stored offset. */
const instants: Readonly<Record<ScriptedDatabase, InstantConversions>> = {
  mysql: { inUtc: instant => instant, instantOf: timestamp => timestamp },
  hsql: {
    inUtc: instant => `CAST(${instant} AT TIME ZONE INTERVAL '0:00' HOUR TO MINUTE AS TIMESTAMP(6))`,
    instantOf: timestamp => `CAST(CAST(${timestamp} AS VARCHAR(40)) || '+0:00' AS TIMESTAMP(6) WITH TIME ZONE)`,
  },
  oracle: {
    inUtc: instant => `SYS_EXTRACT_UTC(${instant})`,
    instantOf: timestamp => `FROM_TZ(${timestamp}, 'UTC')`,
  },
  mssql: {
    inUtc: instant => `CAST(SWITCHOFFSET(${instant}, '+00:00') AS DATETIME2(6))`,
    instantOf: timestamp => `TODATETIMEOFFSET(${timestamp}, '+00:00')`,
  },
}

/** A value in the form of the API. */
function writtenText(value: string, from: ColumnType, database: ScriptedDatabase): string {
  const { dialect, queries } = databases[database].run
  const written = queries.read(value, from)
  switch (from.kind) {
    case 'boolean': {
      const literal = (flag: boolean) => dialect.literal({ kind: 'boolean', value: flag })
      // HSQLDB would pad the shorter text.
      const text = (word: string) => queries.bind(`'${word}'`, { kind: 'varchar', length: 5 })
      return `CASE WHEN ${value} = ${literal(true)} THEN ${text('true')} WHEN ${value} = ${literal(false)} THEN ${text('false')} END`
    }
    case 'timestamp':
    case 'instant': {
      const text = database === 'mysql' || database === 'hsql' ? `REPLACE(${written}, ' ', 'T')` : written
      if (from.kind === 'timestamp') return text
      return database === 'mysql' ? `CONCAT(${text}, 'Z')` : `${text} ${database === 'mssql' ? '+' : '||'} 'Z'`
    }
    case 'guid':
      // The column has only ASCII, which other texts cannot be compared with.
      return database === 'mysql' ? `CONVERT(${written} USING utf8mb4)` : written
    case 'double':
      // Implicitly, SQL Server writes six digits.
      return database === 'mssql' ? `CONVERT(VARCHAR(50), ${value}, 3)` : written
    default:
      // A number as a text would have the collation of the session.
      return database === 'mysql' && !isText(from) ? `CONVERT(${written} USING utf8mb4) ${dialect.collation}` : written
  }
}
