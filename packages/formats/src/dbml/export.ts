import { type Enumeration, valuesOf } from '@cadmus/model/enumeration'
import { isEqual } from '@cadmus/model/equal'
import { FreeNames } from '@cadmus/model/free-names'
import { visibleText } from '@cadmus/model/display'
import { checkLine, unwritable } from '@cadmus/model/text/text-checks'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { expressionOf } from '@cadmus/model/values/computed'
import { literalText } from '@cadmus/model/values/literal'
import { shortLiteral } from '@cadmus/sql/dialect'
import { tablesOf } from '@cadmus/sql/tables'
import type { Check, Column, ColumnType, ForeignKey, Index, Note, Schema, Table } from '@cadmus/sql/tree'
import { type ExportWriter, fileStem, noteComments } from '../export-writer.ts'

/** The tables of a manifest in the Database Markup Language, under the names of the model. */
export const dbmlWriter: ExportWriter<'dbml'> = {
  write({ resolvedModel }, options) {
    const { schema, notes } = tablesOf(resolvedModel, options)
    const { text, lost } = new DbmlText(schema, enumerationsOf(resolvedModel))
    const all = [...notes, ...lost]
    const file = `${projectOf(schema.name, resolvedModel.root.description)}${text}\n${noteComments(all)}`
    const files = new Map([[`${fileStem(schema.name, 'manifest')}.dbml`, file]])
    return { files, notes: all.length, suffix: 'dbml', preview: () => file }
  },
}

class DbmlText {
  readonly text: string
  readonly lost: Note[] = []
  readonly #tables: ReadonlyMap<string, Table>
  /** Names of enums by column; null: none. */
  readonly #enums = new Map<Column, string | null>()
  /** By uid of the attribute. */
  readonly #enumerations: ReadonlyMap<string, Enumeration>
  /** Names of written enums by uid of the enumeration. */
  readonly #named = new Map<string, string>()
  /** Pairs of columns that have a reference; the language allows one for each. */
  readonly #pairs = new Set<string>()

  constructor({ tables }: Schema, enumerations: ReadonlyMap<string, Enumeration>) {
    this.#enumerations = enumerations
    this.#tables = new Map(tables.map(table => [table.name, table]))
    // Databases may have one namespace for enums and tables.
    const names = new FreeNames({ join: '_', taken: this.#tables.keys() })
    const enums = new Map(tables.map(table => [table, table.checks.flatMap(check => this.#enum(table, check, names))]))
    const blocks = tables.flatMap(table => [...(enums.get(table) ?? []), this.#tableBlock(table)])
    const references = tables.flatMap(table => table.foreignKeys.flatMap(key => this.#reference(table, key)))
    this.text = [...blocks, ...references].join('\n')
  }

  /** An enum; none, with a note, where the choices are not texts or one is empty. */
  #enum(table: Table, { column: name, values, source }: Check, names: FreeNames): string[] {
    const column = table.columns.find(one => one.name === name)
    const texts = values.flatMap(({ kind, value }) => (kind === 'text' && value !== '' ? [String(value)] : []))
    if (!column || texts.length < values.length) {
      this.#lose(table, source, `Not written of '${name}': its choices, because an enum has only texts.`)
      return []
    }
    const enumeration = this.#enumerations.get(source.uid)
    const shared = enumeration && isEqual(valuesOf(enumeration), texts) ? enumeration : undefined
    const written = shared && this.#named.get(shared.uid)
    const enumName = written ?? names.take(shared?.name ?? `${table.name}_${name}`)
    this.#enums.set(column, enumName)
    if (written !== undefined) return []
    if (shared) this.#named.set(shared.uid, enumName)
    return [block(`Enum ${quoted(enumName)}`, shared ? shared.values.map(valueLine) : texts.map(quoted))]
  }

  /** The enum of a column, or of the column whose type it has. */
  #enumOf(column: Column): string | null {
    const path = new Set<Column>()
    let last: Column | undefined = column
    while (last && !this.#enums.has(last) && !path.has(last)) {
      path.add(last)
      const { follows }: Column = last
      last = this.#tables.get(follows?.table ?? '')?.columns.find(({ name }) => name === follows?.column)
    }
    const name = (last && this.#enums.get(last)) ?? null
    for (const one of path) this.#enums.set(one, name)
    return name
  }

  #tableBlock(table: Table): string {
    const columns = table.columns.map(column => columnLine(column, this.#enumOf(column), table))
    const key = table.primaryKey?.columns ?? []
    const indexes = [
      ...(key.length > 1 ? [`(${key.map(quoted).join(', ')}) [pk]`] : []),
      ...table.uniques.flatMap(unique => (unique.columns.length > 1 ? [indexLine(unique, ['unique'])] : [])),
      ...table.indexes.map(index => indexLine(index, [])),
    ]
    const checks = this.#checkLines(table)
    const lines = [
      ...columns,
      ...(indexes.length === 0 ? [] : ['', 'indexes {', ...indexes.map(line => `  ${line}`), '}']),
      ...(checks.length === 0 ? [] : ['', 'checks {', ...checks.map(line => `  ${line}`), '}']),
      ...(table.comment === '' ? [] : ['', `Note: ${string(table.comment)}`]),
    ]
    return block(`Table ${quoted(table.name)}`, lines)
  }

  #checkLines(table: Table): string[] {
    return (table.conditions ?? []).flatMap(check => {
      if (!unwritable.test(check.text)) return [checkLine(check)]
      this.#lose(table, null, `Not written of '${table.name}': its check '${check.name}', because of its characters.`)
      return []
    })
  }

  #reference(table: Table, { columns, references, onDelete, onUpdate, source }: ForeignKey): string[] {
    const from = endpoint(table.name, columns)
    const to = endpoint(references.table, references.columns)
    const pair = [from, to].toSorted().join(' ')
    if (from === to || this.#pairs.has(pair)) {
      const reason = from === to ? 'its column refers to itself' : 'its columns have another one'
      this.#lose(table, source, `Not written of '${source.name}': its reference, because ${reason}.`)
      return []
    }
    this.#pairs.add(pair)
    const isOne = [table.primaryKey, ...table.uniques].some(key => isEqual(key?.columns, columns))
    // Readers take the second end of a one-to-one reference for the foreign key.
    const ends = isOne ? `${to} - ${from}` : `${from} > ${to}`
    const update = onUpdate === undefined ? '' : `, update: ${actions[onUpdate]}`
    return [`Ref: ${ends} [delete: ${actions[onDelete]}${update}]\n`]
  }

  #lose(table: Table, source: Check['source'] | null, message: string): void {
    const path = [...table.source.place, ...(source ? [source] : [])]
    this.lost.push({ severity: 'warning', code: 'lost', message: visibleText(message.slice(0, 500)), path })
  }
}

/** The enumerations of attributes, by uid of the attribute. */
function enumerationsOf({ manifests, byId }: ResolvedModel): ReadonlyMap<string, Enumeration> {
  const all = new Map(manifests.flatMap(({ enumerations }) => enumerations.map(one => [one.uid, one] as const)))
  const attributes = [...byId.values()].flatMap(({ typeAttributes }) => typeAttributes)
  return new Map(
    attributes.flatMap(({ uid, enumeration }) => {
      const one = all.get(enumeration?.uid ?? '')
      return one ? [[uid, one] as const] : []
    }),
  )
}

function valueLine({ value, label }: Enumeration['values'][number]): string {
  return label === '' ? quoted(value) : `${quoted(value)} [note: ${string(label)}]`
}

function indexLine({ name, columns }: Pick<Index, 'name' | 'columns'>, settings: readonly string[]): string {
  return `(${columns.map(quoted).join(', ')}) [${[...settings, `name: ${string(name)}`].join(', ')}]`
}

function projectOf(name: string, description: string): string {
  const note = description.trim() === '' ? [] : [`Note: ${string(description.trim())}`]
  return `${block(`Project ${quoted(name)}`, note)}\n`
}

function columnLine(column: Column, enumName: string | null, { primaryKey, uniques }: Table): string {
  const { name, type, nullable, identity, comment } = column
  const isAlone = (keys: readonly (readonly string[])[]) => keys.some(key => key.length === 1 && key[0] === name)
  const settings = [
    ...(primaryKey && isAlone([primaryKey.columns]) ? ['pk'] : []),
    ...(identity ? ['increment'] : []),
    ...(nullable ? [] : ['not null']),
    ...(isAlone(uniques.map(({ columns }) => columns)) ? ['unique'] : []),
    ...(column.default === null ? [] : [`default: ${literal(column.default, type)}`]),
    ...(comment === '' ? [] : [`note: ${string(comment)}`]),
  ]
  const written = enumName === null ? typeOf(type) : quoted(enumName)
  return `${quoted(name)} ${written}${settings.length === 0 ? '' : ` [${settings.join(', ')}]`}`
}

function typeOf(type: ColumnType): string {
  switch (type.kind) {
    case 'varchar':
      return `${type.isFixed ? 'char' : 'varchar'}(${type.length})`
    case 'double':
      return type.isSingle ? 'real' : type.kind
    case 'integer':
      if (type.digits !== undefined) return `numeric(${type.digits})`
      return { 16: 'smallint', 32: 'int', 64: 'bigint' }[type.bits]
    case 'decimal':
      if (type.isWhole) return `numeric(${type.precision})`
      return type.precision === null ? 'decimal' : `decimal(${type.precision},${type.scale})`
    case 'guid':
      return 'uuid'
    case 'binary':
      return 'blob'
    case 'instant':
      return 'timestamptz'
    default:
      return type.kind
  }
}

function literal(value: NonNullable<Column['default']>, type: ColumnType): string {
  if (value.kind === 'computed') return `\`${expressionOf(value)}\``
  const text = literalText(shortLiteral(value, type))
  if (value.kind === 'boolean') return text
  // Numbers are expressions, because parsers read plain ones as doubles.
  return value.kind === 'number' ? `\`${text}\`` : string(text)
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
