import { FreeNames } from '@cadmus/model/free-names'
import { visibleText } from '@cadmus/model/visible-text'
import { tablesOf } from '@cadmus/sql/tables'
import type { Check, Column, ColumnType, ForeignKey, Note, Schema, Table } from '@cadmus/sql/tree'
import type { ExportWriter } from '../export-writer.ts'
import { fileStem } from '../file-stem.ts'
import { noteComments } from '../note-comments.ts'

/** The tables of a manifest in the Database Markup Language, under the names of the model. */
export const dbmlWriter: ExportWriter<'dbml'> = {
  write({ resolvedModel }, options) {
    const { schema, notes } = tablesOf(resolvedModel, options)
    const { text, lost } = new DbmlText(schema)
    const all = [...notes, ...lost]
    const file = `${projectOf(schema.name, resolvedModel.root.description)}${text}\n${noteComments(all)}`
    const files = new Map([[`${fileStem(schema.name, 'manifest')}.dbml`, file]])
    return { files, notes: all.length, suffix: 'dbml', preview: () => file }
  },
}

class DbmlText {
  readonly text: string
  readonly lost: Note[] = []
  readonly #enumNames = new FreeNames({ join: '_' })
  /** Pairs of columns that have a reference; the language allows one for each. */
  readonly #pairs = new Set<string>()

  constructor({ tables }: Schema) {
    const blocks = tables.flatMap(table => this.#tableBlocks(table))
    const references = tables.flatMap(table => table.foreignKeys.flatMap(key => this.#reference(table, key)))
    this.text = [...blocks, ...references].join('\n')
  }

  /** A table, preceded by the enums of its columns. */
  #tableBlocks(table: Table): string[] {
    const enums = new Map<string, string>()
    const blocks = table.checks.flatMap(check => {
      const values = this.#enumValues(table, check)
      if (values.length === 0) return []
      const name = this.#enumNames.take(`${table.name}_${check.column}`)
      enums.set(check.column, name)
      return [block(`Enum ${quoted(name)}`, values.map(quoted))]
    })
    const columns = table.columns.map(column => columnLine(column, enums.get(column.name), table))
    const key = table.primaryKey?.columns ?? []
    const indexes = [
      ...(key.length > 1 ? [`(${key.map(quoted).join(', ')}) [pk]`] : []),
      ...table.indexes.map(index => `(${index.columns.map(quoted).join(', ')}) [name: ${string(index.name)}]`),
    ]
    const lines = [
      ...columns,
      ...(indexes.length === 0 ? [] : ['', 'indexes {', ...indexes.map(line => `  ${line}`), '}']),
      ...(table.comment === '' ? [] : ['', `Note: ${string(table.comment)}`]),
    ]
    return [...blocks, block(`Table ${quoted(table.name)}`, lines)]
  }

  /** Texts of an enum; none, with a note, where the choices are not texts or one is empty. */
  #enumValues(table: Table, { column, values, source }: Check): string[] {
    const texts = values.flatMap(({ kind, value }) => (kind === 'text' && value !== '' ? [String(value)] : []))
    if (texts.length === values.length) return texts
    this.#lose(table, source, `Not written of '${column}': its choices, which are no enum.`)
    return []
  }

  #reference(table: Table, { columns, references, onDelete, source }: ForeignKey): string[] {
    const from = endpoint(table.name, columns)
    const to = endpoint(references.table, references.columns)
    const pair = [from, to].toSorted().join(' ')
    if (from === to || this.#pairs.has(pair)) {
      this.#lose(table, source, `Not written of '${source.name}': its reference, which has an opposite one.`)
      return []
    }
    this.#pairs.add(pair)
    const isOne = table.uniques.some(unique => unique.columns.join() === columns.join())
    return [`Ref: ${from} ${isOne ? '-' : '>'} ${to} [delete: ${actions[onDelete]}]\n`]
  }

  #lose(table: Table, source: Check['source'], message: string): void {
    const path = [...table.source.place, source]
    this.lost.push({ severity: 'warning', code: 'lost', message: visibleText(message.slice(0, 500)), path })
  }
}

function projectOf(name: string, description: string): string {
  const note = description.trim() === '' ? [] : [`Note: ${string(description.trim())}`]
  return `${block(`Project ${quoted(name)}`, note)}\n`
}

function columnLine(column: Column, enumName: string | undefined, { primaryKey, uniques }: Table): string {
  const { name, type, nullable, identity, comment } = column
  const isAlone = (keys: readonly (readonly string[])[]) => keys.some(key => key.length === 1 && key[0] === name)
  const settings = [
    ...(primaryKey && isAlone([primaryKey.columns]) ? ['pk'] : []),
    ...(identity ? ['increment'] : []),
    ...(nullable ? [] : ['not null']),
    ...(isAlone(uniques.map(({ columns }) => columns)) ? ['unique'] : []),
    ...(column.default === null ? [] : [`default: ${literal(column.default)}`]),
    ...(comment === '' ? [] : [`note: ${string(comment)}`]),
  ]
  const written = enumName === undefined ? typeOf(type) : quoted(enumName)
  return `${quoted(name)} ${written}${settings.length === 0 ? '' : ` [${settings.join(', ')}]`}`
}

function typeOf(type: ColumnType): string {
  switch (type.kind) {
    case 'varchar':
      return `varchar(${type.length})`
    case 'integer':
      return { 16: 'smallint', 32: 'int', 64: 'bigint' }[type.bits]
    case 'decimal':
      return type.precision === null ? 'decimal' : `decimal(${type.precision},${type.scale})`
    case 'guid':
      return 'uuid'
    case 'binary':
      return 'blob'
    default:
      return type.kind
  }
}

function literal({ kind, value }: NonNullable<Column['default']>): string {
  if (kind === 'boolean') return String(value)
  // Numbers are expressions, because parsers read plain ones as doubles.
  return kind === 'number' ? `\`${value}\`` : string(String(value))
}

const actions = { noAction: 'no action', restrict: 'restrict', cascade: 'cascade', setNull: 'set null' } as const

function endpoint(table: string, columns: readonly string[]): string {
  const [first = '', ...others] = columns.map(quoted)
  return `${quoted(table)}.${others.length === 0 ? first : `(${[first, ...others].join(', ')})`}`
}

function block(head: string, lines: readonly string[]): string {
  return `${head} {\n${lines.map(line => (line === '' ? '\n' : `  ${line}\n`)).join('')}}\n`
}

function quoted(name: string): string {
  return `"${escaped(name, '"')}"`
}

function string(text: string): string {
  return `'${escaped(text, "'")}'`
}

/** Escapes the quote, backslashes and control characters. */
function escaped(text: string, quote: string): string {
  return text.replaceAll(/["'\\\p{Cc}\u2028\u2029]/gu, character => {
    if (character === '\\' || character === quote) return `\\${character}`
    if (character === '"' || character === "'") return character
    return character === '\n' ? '\\n' : `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  })
}
