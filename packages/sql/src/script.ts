import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { databaseTypeTable, type DatabaseType } from '@cadmus/model/database-types'
import { visibleText } from '@cadmus/model/display'
import { compileSchema } from './compiler.ts'
import { databases } from './databases.ts'
import { adaptSchema } from './adapt-schema.ts'
import type { SqlExport } from '@cadmus/model/sql-export'
import { scriptOptions } from './export-options.ts'
import { modelNameLines, modelNamesHeader } from './script-names.ts'
import { tablesOf, type TableOptions } from './tables.ts'
import type { Note, Schema } from './tree.ts'

export type ScriptSettings = TableOptions & { sqlExport?: Partial<SqlExport> | undefined }

/** The schema of a manifest for one database: tables, indexes, foreign keys, comments. Deterministic. */
export function databaseScript(
  resolvedModel: ResolvedModel,
  databaseType: DatabaseType,
  settings: ScriptSettings,
): { sql: string; schema: Schema; notes: readonly Note[] } {
  const { statements, schema, notes, optionList, modelNames } = scriptParts(resolvedModel, databaseType, settings)
  const title = `-- Database schema of ${oneLine(resolvedModel.root.name)} for ${databaseTypeTable[databaseType].label}\n`
  const options = optionList.length === 0 ? '' : `-- Options: ${optionList.join(', ')}\n`
  const body = statements.length === 0 ? '' : `${statements.join(';\n\n')};\n`
  return { sql: `${title}${options}\n${body}${nameLines(modelNames)}${noteLines(notes)}`, schema, notes }
}

/** The names of the model as comments, by which an import restores them. */
function nameLines(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n-- ${modelNamesHeader}\n${lines.map(line => `-- ${line}\n`).join('')}`
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
  settings: ScriptSettings,
): { statements: readonly string[]; schema: Schema; notes: readonly Note[] } {
  return scriptParts(resolvedModel, databaseType, settings)
}

function scriptParts(resolvedModel: ResolvedModel, databaseType: DatabaseType, settings: ScriptSettings) {
  const { sqlExport = {}, ...tableOptions } = settings
  const dialect = databases[databaseType].export
  const options = scriptOptions(sqlExport, databaseType)
  const model = tablesOf(resolvedModel, tableOptions)
  const adapted = adaptSchema(options.schema(model.schema, dialect.names), dialect)
  const schema = options.adapted(adapted.schema, dialect)
  const { preamble, tables, indexes, foreignKeys, comments } = compileSchema(schema, options.writer(dialect))
  return {
    statements: preamble.concat(tables, indexes, foreignKeys, comments),
    schema,
    notes: [...model.notes, ...adapted.notes].filter(note => !options.isMoot(note)),
    optionList: options.list,
    modelNames: options.isRenamed ? modelNameLines(model.schema, schema) : [],
  }
}

/** A name for a comment line, without line breaks and characters special to command-line tools. */
function oneLine(name: string): string {
  return visibleText(name.slice(0, 120)).replace(/[^\p{L}\p{N}_.‹+›-]/gu, ' ')
}
