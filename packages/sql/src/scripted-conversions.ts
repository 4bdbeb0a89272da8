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
  const isMoment = to.kind === 'timestamp' || to.kind === 'date'
  if (isMoment && !isText(from))
    return database === 'oracle' && to.kind === 'date' ? `TRUNC(${value})` : `CAST(${value} AS ${dialect.typeName(to)})`
  // HSQLDB reads no T between date and time.
  const text = database === 'hsql' && to.kind === 'timestamp' ? `REPLACE(${value}, 'T', ' ')` : value
  return queries.bind(text, to)
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
      return database === 'mysql' || database === 'hsql' ? `REPLACE(${written}, ' ', 'T')` : written
    case 'double':
      // Implicitly, SQL Server writes six digits.
      return database === 'mssql' ? `CONVERT(VARCHAR(50), ${value}, 3)` : written
    default:
      return written
  }
}
