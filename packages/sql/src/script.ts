import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { databaseTypeTable, type DatabaseType } from '@cadmus/model/database-types'
import { visibleText } from '@cadmus/model/display'
import { compileSchema } from './compiler.ts'
import { databases } from './databases.ts'
import { adaptSchema } from './adapt-schema.ts'
import { tablesOf, type TableOptions } from './tables.ts'
import type { Note, Schema } from './tree.ts'

/** The schema of a manifest for one database: tables, indexes, foreign keys, comments. Deterministic. */
export function databaseScript(
  resolvedModel: ResolvedModel,
  databaseType: DatabaseType,
  options: TableOptions,
): { sql: string; schema: Schema; notes: readonly Note[] } {
  const { statements, schema, notes } = databaseStatements(resolvedModel, databaseType, options)
  const title = `-- Database schema of ${oneLine(resolvedModel.root.name)} for ${databaseTypeTable[databaseType].label}\n`
  return {
    sql: `${title}\n${statements.length === 0 ? '' : `${statements.join(';\n\n')};\n`}${noteLines(notes)}`,
    schema,
    notes,
  }
}

/** The notes as comments, so that every difference from the model is documented in the script. */
function noteLines(notes: readonly Note[]): string {
  if (notes.length === 0) return ''
  const lines = notes.map(({ message, path }) => {
    const location = path.filter(step => step.kind !== 'manifest').map(({ name }) => name.slice(0, 60))
    return `-- ${remark(location.length === 0 ? message : `${location.join('.')}: ${message}`)}\n`
  })
  const count = notes.length === 1 ? 'One note' : `${notes.length} notes`
  return `\n-- ${count}: differences of this schema from the model.\n${lines.join('')}`
}

/** Fast path: most remarks need no change. */
const harmless = /^(?:[\w .,:'()[\]+]|-(?!-))*[\w.,:'()[\]+]$/

/** Removes everything that a command-line tool might interpret: variables, ends of statements, line continuations. */
export function remark(text: string): string {
  if (text.length <= 700 && harmless.test(text)) return text
  return visibleText(text.slice(0, 700))
    .replace(/[^\p{L}\p{N}\p{M} _.,:'()[\]‹+›-]/gu, ' ')
    .replace(/-{2,}/g, '-')
    .trimEnd()
    .replace(/-$/, '')
}

/** The statements of the script without semicolons, and the schema that they create. */
export function databaseStatements(
  resolvedModel: ResolvedModel,
  databaseType: DatabaseType,
  options: TableOptions,
): { statements: readonly string[]; schema: Schema; notes: readonly Note[] } {
  const dialect = databases[databaseType].export
  const logical = tablesOf(resolvedModel, options)
  const { schema, notes } = adaptSchema(logical.schema, dialect)
  const { preamble, tables, indexes, foreignKeys, comments } = compileSchema(schema, dialect)
  const statements = preamble.concat(tables, indexes, foreignKeys, comments)
  return { statements, schema, notes: [...logical.notes, ...notes] }
}

/** A name for a comment line, without line breaks and characters special to command-line tools. */
function oneLine(name: string): string {
  return visibleText(name.slice(0, 120)).replace(/[^\p{L}\p{N}_.‹+›-]/gu, ' ')
}
