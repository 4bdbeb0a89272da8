import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { databaseTypeTable, type DatabaseType } from '@cadmus/model/database-types'
import { visibleText } from '@cadmus/model/display'
import { choiceLines, choicesHeader } from './choice-options.ts'
import { databases } from './databases.ts'
import { adaptSchema } from './adapt-schema.ts'
import type { SqlExport } from '@cadmus/model/sql-export'
import { scriptOptions } from './export-options.ts'
import { foreignKeyPart, type ScriptPart, scriptParts } from './script-layout.ts'
import { modelNameLines, modelNamesHeader } from './script-names.ts'
import { tablesOf, type TableOptions } from './tables.ts'
import type { Note, Schema } from './tree.ts'

export type ScriptSettings = TableOptions & { sqlExport?: Partial<SqlExport> | undefined }

/** One of the scripts that have to run in this order. `name`: what it is about; '' for the only one. */
export type DatabaseScript = { name: string; sql: string }

/** The schema of a manifest for one database: tables, indexes, foreign keys, comments. `sql`: all scripts. Deterministic. */
export function databaseScript(
  resolvedModel: ResolvedModel,
  databaseType: DatabaseType,
  settings: ScriptSettings,
): { sql: string; scripts: readonly DatabaseScript[]; schema: Schema; notes: readonly Note[] } {
  const script = compiledScript(resolvedModel, databaseType, settings)
  const { parts, schema, notes, optionList, modelNames, choices } = script
  const title = `-- Database schema of ${oneLine(resolvedModel.root.name)} for ${databaseTypeTable[databaseType].label}\n`
  const options = optionList.length === 0 ? '' : `-- Options: ${optionList.join(', ')}\n`
  const head = `${title}${options}\n`
  const tail = `${commentLines(modelNamesHeader, modelNames)}${commentLines(choicesHeader, choices)}${noteLines(notes)}`
  const bodies = script.isDivided ? parts : [{ name: '', statements: [parts.map(partText).join('')] }]
  const last = bodies.length - 1
  const scripts = bodies.map(({ name, statements }, at) => {
    const body = script.isDivided ? statementsText(statements) : (statements[0] ?? '')
    return { name, sql: `${head}${body}${at === last ? tail : ''}` }
  })
  return { sql: scripts.map(({ sql }) => sql).join('\n'), scripts, schema, notes }
}

function partText({ name, statements }: ScriptPart): string {
  const heading =
    name === foreignKeyPart ? '\n-- Second part: foreign keys. It can run after data were loaded.\n\n' : ''
  return `${heading}${statementsText(statements)}`
}

/** A block of Oracle has its end already. */
function statementsText(statements: readonly string[]): string {
  return statements.length === 0 ? '' : `${statements.map(endedStatement).join('\n\n')}\n`
}

function endedStatement(statement: string): string {
  return statement.endsWith(';\n/') ? statement : `${statement};`
}

/** Lines as comments, by which an import restores names and choices of the model. */
function commentLines(header: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `\n-- ${header}\n${lines.map(line => `-- ${line}\n`).join('')}`
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
  const { parts, ...script } = compiledScript(resolvedModel, databaseType, settings)
  return { ...script, statements: parts.flatMap(({ statements }) => statements) }
}

function compiledScript(resolvedModel: ResolvedModel, databaseType: DatabaseType, settings: ScriptSettings) {
  const { sqlExport = {}, ...tableOptions } = settings
  const dialect = databases[databaseType].export
  const options = scriptOptions(sqlExport, databaseType, resolvedModel)
  const model = tablesOf(resolvedModel, tableOptions)
  const adapted = adaptSchema(options.schema(model.schema, dialect.names), dialect)
  const writer = options.writer(dialect)
  const { schema, notes } = options.adapted(adapted.schema, writer)
  return {
    parts: scriptParts(schema, writer, options.layout),
    isDivided: options.layout.files === 'perTable' && schema.tables.length > 0,
    schema,
    notes: [...[...model.notes, ...adapted.notes].filter(note => !options.isMoot(note)), ...notes],
    optionList: options.list,
    modelNames: options.isRenamed ? modelNameLines(model.schema, schema) : [],
    choices: choiceLines(schema, writer),
  }
}

/** A name for a comment line, without line breaks and characters special to command-line tools. */
function oneLine(name: string): string {
  return visibleText(name.slice(0, 120)).replace(/[^\p{L}\p{N}_.‹+›-]/gu, ' ')
}
