import type { OnDelete } from '@cadmus/model/entity-attribute'
import { base64OfBytes, bytesOfHex } from '@cadmus/model/values/bytes'
import { isFault, type LiteralType, readChoice, readLiteral } from '@cadmus/model/values/literal'
import { columnOf, type Meaning, meaningsOf } from './checks.ts'
import { readType, type ReadType } from './column-types.ts'
import { bitsOf, bytesOf, type Constant, constantOf, toStoredForm } from './constant.ts'
import type { Context } from './context.ts'
import type { RawColumn, RawForeignKey, RawTable } from './read-schema.ts'
import type { SqlColumn, SqlTable } from './sql-model.ts'

/** A column under construction. */
type Draft = SqlColumn & {
  raw: RawColumn
  choiceValues: (Meaning & { kind: 'choices' }) | null
}

/** Converts the tables to the model's terms; unsupported parts become remarks. */
export function toSqlTables(context: Context): SqlTable[] {
  const { tables } = context.schema
  const numbers = new Map(tables.map((table, index) => [table, index]))
  const targets = referencedColumns(context)
  return tables.map(table => new TableReader(context, table, numbers, targets).read())
}

/** The columns referenced by name in foreign keys. */
function referencedColumns({ schema }: Context): Set<RawColumn> {
  const targets = new Set<RawColumn>()
  for (const { table, references } of schema.tables.flatMap(({ foreignKeys }) => foreignKeys)) {
    const target = schema.find(table)
    const [name] = references
    const column = target && name !== undefined ? schema.column(target, name) : undefined
    if (column) targets.add(column)
  }
  return targets
}

class TableReader {
  readonly #context: Context
  readonly #table: RawTable
  readonly #numbers: ReadonlyMap<RawTable, number>
  readonly #targets: ReadonlySet<RawColumn>
  readonly #drafts: Map<RawColumn, Draft>

  constructor(
    context: Context,
    table: RawTable,
    numbers: ReadonlyMap<RawTable, number>,
    targets: ReadonlySet<RawColumn>,
  ) {
    this.#context = context
    this.#table = table
    this.#numbers = numbers
    this.#targets = targets
    this.#drafts = new Map(table.columns.map(raw => [raw, this.#draftOf(raw)]))
  }

  read(): SqlTable {
    this.#readKeys()
    this.#readChecks()
    this.#readForeignKeys()
    const columns = [...this.#drafts.values()].map(draft => this.#finish(draft))
    const { name, schema, line, comment } = this.#table
    return { name, schema, line, description: comment, columns }
  }

  #draftOf(raw: RawColumn): Draft {
    const type = readType(raw.type, this.#context, this.#context.schema.enumerations)
    if (type.note !== undefined) this.#context.changed(raw.line, `'${raw.name}': ${type.note}.`)
    const { name, line, comment, nullable } = raw
    return {
      name,
      line,
      description: comment,
      nullable,
      ...typeFields(type),
      defaultValue: null,
      unique: false,
      indexed: false,
      isKey: false,
      reference: null,
      raw,
      choiceValues: null,
    }
  }

  #lost(line: number, message: string): void {
    this.#context.lost(line, message)
  }

  #find(name: string, line: number): Draft | undefined {
    const raw = this.#context.schema.column(this.#table, name)
    const draft = raw && this.#drafts.get(raw)
    if (!draft) this.#lost(line, `Table '${this.#table.name}' has no column ${this.#context.quoted(name)}.`)
    return draft
  }

  #readKeys(): void {
    const { primaryKey, uniques, indexes, line } = this.#table
    for (const name of primaryKey ?? []) {
      const draft = this.#find(name, line)
      if (draft) Object.assign(draft, { isKey: true, nullable: false })
    }
    for (const unique of uniques) {
      if (unique.columns.length > 1) this.#lost(unique.line, 'A unique constraint over several columns is ignored.')
      else for (const name of unique.columns) this.#makeUnique(name, unique)
    }
    for (const index of indexes) {
      if (index.columns.length > 1) this.#lost(index.line, 'An index over several columns is ignored.')
      else {
        for (const name of index.columns) {
          const draft = this.#find(name, index.line)
          if (draft) draft.indexed = true
        }
      }
    }
  }

  #makeUnique(name: string, { line, isOneNull }: { line: number; isOneNull: boolean }): void {
    const draft = this.#find(name, line)
    if (!draft) return
    draft.unique = true
    // SQL Server allows only one null in any unique column that a foreign key references.
    if (isOneNull && draft.nullable && !this.#targets.has(draft.raw))
      this.#context.changed(line, `'${name}' allows one row without a value: it is imported as allowing any number.`)
  }

  #readChecks(): void {
    for (const { expression, line } of this.#table.checks) {
      const name = expression && columnOf(expression)
      const draft = name === null ? undefined : this.#find(name, line)
      const meanings = expression && draft ? meaningsOf(expression, this.#context.dialect) : null
      if (draft && meanings) for (const meaning of meanings) this.#apply(draft, meaning)
      else this.#lost(line, 'A check constraint of this form is ignored.')
    }
  }

  #apply(draft: Draft, meaning: Meaning): void {
    switch (meaning.kind) {
      case 'choices':
        if (!isBooleanCheck(draft, meaning)) draft.choiceValues = meaning
        break
      case 'length':
        if (draft.dataType === 'string') draft.maxLength = Math.min(draft.maxLength ?? meaning.length, meaning.length)
        break
      case 'guid':
        if (draft.dataType === 'string') Object.assign(draft, { format: 'guid', maxLength: null })
        break
      case 'json':
        if (draft.dataType === 'string') Object.assign(draft, { dataType: 'object', maxLength: null })
        break
      case 'required':
        draft.nullable = false
    }
  }

  #readForeignKeys(): void {
    for (const key of this.#table.foreignKeys) {
      const [name] = key.columns
      if (key.columns.length !== 1 || name === undefined) {
        this.#lost(
          key.line,
          'A foreign key over several columns is ignored: its columns are imported as plain attributes.',
        )
        continue
      }
      const draft = this.#find(name, key.line)
      if (draft?.reference) this.#lost(key.line, `'${name}' is already a foreign key: the second one is ignored.`)
      else if (draft) draft.reference = this.#referenceOf(key, name)
    }
  }

  #referenceOf({ table, references, onDelete, line }: RawForeignKey, name: string): SqlColumn['reference'] {
    const { schema } = this.#context
    const target = schema.find(table)
    const number = target && this.#numbers.get(target)
    const targetName = references[0] ?? (target?.primaryKey?.length === 1 ? target.primaryKey[0] : undefined)
    const column = target && targetName !== undefined ? schema.column(target, targetName) : undefined
    if (number !== undefined && column && references.length < 2) {
      return { table: number, column: column.name, onDelete: deletions[onDelete] ?? 'restrict' }
    }
    const other = this.#context.quoted([...table, ...references].join('.'))
    this.#lost(line, `'${name}' refers to ${other}, which is not in the script: it is imported as a plain attribute.`)
    return null
  }

  #finish(draft: Draft): SqlColumn {
    const { raw, choiceValues, ...column } = draft
    const { reference } = column
    if (raw.identity && !(column.isKey && this.#table.primaryKey?.length === 1 && column.dataType === 'integer')) {
      this.#lost(raw.line, `Generated values of '${raw.name}' are ignored: only a single integer key can be generated.`)
    }
    if (reference) {
      if (choiceValues) this.#lost(raw.line, `The choices of '${raw.name}' are ignored: it is a foreign key.`)
      if (raw.default && raw.default.kind !== 'null') {
        this.#lost(raw.line, `The default value of '${raw.name}' is ignored: it is a foreign key.`)
      }
      return column
    }
    const choices = choiceValues ? this.#choicesOf(column, choiceValues) : column.choices
    return { ...column, choices, defaultValue: this.#defaultOf({ ...column, choices }, raw) }
  }

  #choicesOf(column: SqlColumn, { values }: Meaning & { kind: 'choices' }): string[] {
    const texts = values.map(value => valueText(value, column, true))
    const choices = texts.filter(text => text !== null)
    if (choices.length === values.length) return [...new Set(choices)]
    this.#lost(column.line, `The choices of '${column.name}' do not match its type: they are ignored.`)
    return []
  }

  #defaultOf(column: SqlColumn, raw: RawColumn): string | null {
    const { name, default: expression } = raw
    if (expression === null || expression.kind === 'null' || raw.identity) return null
    const isSequence = expression.kind === 'call' && expression.name === 'NEXTVAL'
    if (isSequence && column.isKey) return null
    const constant = constantOf(expression)
    const isBitColumn = raw.type.name.startsWith('BIT')
    const isMysqlText = this.#context.dialect === 'mysql' && column.dataType === 'string'
    const text = constant && valueText(toStoredForm(constant, { isBitColumn, isMysqlText }), column)
    if (text !== null && (column.choices.length === 0 || column.choices.includes(text))) return text
    const why = constant ? 'does not match its type or choices' : 'is computed by the database'
    this.#lost(raw.line, `The default value of '${name}' ${why}: it is ignored.`)
    return null
  }
}

function typeFields({ dataType, format, maxLength, precision, scale, choices }: ReadType) {
  return { dataType, format, maxLength, precision, scale, choices: [...choices] }
}

const deletions: Readonly<Record<RawForeignKey['onDelete'], OnDelete>> = {
  noAction: 'restrict',
  restrict: 'restrict',
  cascade: 'cascade',
  setNull: 'setNull',
}

/** Databases without booleans use a one-digit number with a check of both values: such a column becomes boolean. */
function isBooleanCheck(draft: Draft, { values }: Meaning & { kind: 'choices' }): boolean {
  const [zero, one] = values
  const isBoth = values.length === 2 && zero?.value === '0' && one?.value === '1'
  if (!isBoth || (zero.kind !== 'number' && zero.kind !== 'bits')) return false
  const { name, args } = draft.raw.type
  if (name === 'NUMBER' && args.length === 1 && args[0] === '1')
    Object.assign(draft, { dataType: 'boolean', format: null })
  return draft.dataType === 'boolean'
}

/** The constant as the text of an attribute value; null if it does not fit the type. */
function valueText(constant: Constant, type: LiteralType, isChoice = false): string | null {
  const text = toText(constant, type)
  if (text === null) return null
  const read = isChoice ? readChoice(text, type) : readLiteral(text, { ...type, maxLength: null })
  if (isFault(read)) return null
  // Bytes, texts and JSON keep their notation; other values are normalized.
  return read.kind === 'bytes' || read.kind === 'text' || read.kind === 'json' ? text : String(read.value)
}

function toText({ kind, value }: Constant, { dataType, format }: LiteralType): string | null {
  if (kind === 'bits' || kind === 'bytes') return bitsText(kind, value, dataType, format)
  if (kind === 'boolean') return dataType === 'integer' || dataType === 'double' ? (value ? '1' : '0') : String(value)
  switch (dataType) {
    case 'boolean':
      return booleanTexts[value.toLowerCase()] ?? value
    case 'dateTime':
      if (format === 'date') return value.slice(0, 10)
      return format === 'time' ? value.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : moment(value)
    case 'object':
      return format === 'binary' ? base64OfBytes(bytesOfHex(value.replace(/^\\x/, ''))) : value
    case 'double':
    case 'float':
      return value.replace(/\.(?=$|e)/i, '')
    default:
      return value
  }
}

/** A number has at most 64 bits. Bytes are not a text, because their encoding is unknown. */
function bitsText(
  kind: 'bits' | 'bytes',
  value: string,
  dataType: LiteralType['dataType'],
  format: LiteralType['format'],
): string | null {
  const bits = kind === 'bits' ? value : bitsOf(value)
  if (dataType === 'string') return kind === 'bits' ? value : null
  if (dataType === 'object')
    return format === 'binary' ? base64OfBytes(bytesOfHex(kind === 'bits' ? bytesOf(bits) : value)) : null
  if (dataType === 'dateTime' || bits.length === 0 || bits.length > 64) return null
  const number = String(BigInt(`0b${bits}`))
  return dataType === 'boolean' ? (booleanTexts[number] ?? null) : number
}

const booleanTexts: Readonly<Record<string, string>> = {
  1: 'true',
  0: 'false',
  t: 'true',
  f: 'false',
  true: 'true',
  false: 'false',
}

function moment(value: string): string {
  const [day = '', time = '00:00:00'] = value.split(/[ T]/)
  const parts = /^(\d{2}:\d{2}(?::\d{2})?)(?:\.(\d*?)0*)?$/.exec(time)
  if (!parts) return `${day}T${time}`
  return `${day}T${parts[1]}${parts[2] ? `.${parts[2]}` : ''}`
}
