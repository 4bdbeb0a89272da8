import { databaseTypeTable } from '@cadmus/model/database-types'
import type { ScriptDialect } from '../database-kind.ts'
import { databases, scriptDatabases, type ScriptDatabase } from '../databases.ts'

/** Number of characters examined to detect the dialect. */
const head = 200_000

const marks = scriptDatabases
  .flatMap(type => databases[type].read.marks.map(([order, pattern]) => ({ type, order, pattern })))
  .toSorted((a, b) => a.order - b.order)

/** The dialect of a script: by the title of a generated script, else by its marks. */
export function dialectOf(script: string): ScriptDatabase {
  const start = script.slice(0, head)
  return ownDialectOf(script) ?? marks.find(({ pattern }) => pattern.test(start))?.type ?? 'postgresql'
}

/** The dialect named in the title of a generated script. */
export function ownDialectOf(script: string): ScriptDatabase | undefined {
  const label = /^-- Database schema of .{0,200} for (.{1,40})$/m.exec(script.slice(0, 1000))?.[1]
  return scriptDatabases.find(type => databaseTypeTable[type].label === label)
}

/** Whether every line is a statement, as in the schema files of HSQLDB, which begin with the database name. */
export function isByLines(script: string, dialect: ScriptDatabase): boolean {
  const { byLines }: ScriptDialect = databases[dialect].read
  return byLines?.test(script.slice(0, 1000)) ?? false
}
