import type { Closure } from '@cadmus/model/closure'
import { databaseTypeTable, type DatabaseType } from '@cadmus/model/database-types'
import { visibleText } from '@cadmus/model/visible-text'
import { compileSchema } from './compiler.ts'
import { dialects } from './dialects.ts'
import { fitted } from './fitting.ts'
import { tablesOf, type TableOptions } from './tables.ts'
import type { Note, Schema } from './tree.ts'

/** A manifest's schema for one database: tables, indexes, foreign keys, comments. The same closure gives the same bytes. */
export function databaseScript(
  closure: Closure,
  databaseType: DatabaseType,
  options: TableOptions,
): { sql: string; schema: Schema; notes: readonly Note[] } {
  const { statements, schema, notes } = databaseStatements(closure, databaseType, options)
  const title = `-- Database schema of ${oneLine(closure.root.name)} for ${databaseTypeTable[databaseType].label}\n`
  return {
    sql: `${title}\n${statements.length === 0 ? '' : `${statements.join(';\n\n')};\n`}${remarks(notes)}`,
    schema,
    notes,
  }
}

/** The notes as comments: a script never says less than the model without saying so. */
function remarks(notes: readonly Note[]): string {
  if (notes.length === 0) return ''
  const lines = notes.map(({ message, path }) => {
    const place = path.filter(step => step.kind !== 'manifest').map(({ name }) => name.slice(0, 60))
    return `-- ${remark([...(place.length === 0 ? [] : [place.join('.')]), message].join(': '))}\n`
  })
  const count = notes.length === 1 ? 'One note' : `${notes.length} notes`
  return `\n-- ${count}: what this schema says less or otherwise than the model.\n${lines.join('')}`
}

/** What no command-line tool reads as its own: no variable, no end of a statement, no line that goes on. */
function remark(text: string): string {
  return visibleText(text.slice(0, 700))
    .replace(/[^\p{L}\p{N}\p{M} _.,:'()[\]‹+›-]/gu, ' ')
    .replace(/-{2,}/g, '-')
    .trimEnd()
    .replace(/-$/, '')
}

/** The same one statement at a time, without semicolons, and the schema that they make. */
export function databaseStatements(
  closure: Closure,
  databaseType: DatabaseType,
  options: TableOptions,
): { statements: readonly string[]; schema: Schema; notes: readonly Note[] } {
  const dialect = dialects[databaseType]
  const logical = tablesOf(closure, options)
  const { schema, notes } = fitted(logical.schema, dialect)
  const { preamble, tables, indexes, foreignKeys, comments } = compileSchema(schema, dialect)
  const statements = [...preamble, ...tables, ...indexes, ...foreignKeys, ...comments].map(({ text }) => text)
  return { statements, schema, notes: [...logical.notes, ...notes] }
}

/** A name inside a comment line: it must not end the line, nor mean something to a command-line tool that reads it. */
function oneLine(name: string): string {
  return visibleText(name.slice(0, 120)).replace(/[^\p{L}\p{N}_.‹+›-]/gu, ' ')
}
