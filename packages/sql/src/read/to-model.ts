import type { OnDelete } from '@cadmus/model/entity-attribute'
import { columnOf, meaningsOf, type Meaning } from './checks.ts'
import { readType, type ReadType } from './column-types.ts'
import { asHeld, constantOf } from './constant.ts'
import type { Context } from './context.ts'
import type { RawColumn, RawForeignKey, RawTable } from './read-schema.ts'
import type { SqlColumn, SqlTable } from './sql-model.ts'
import { valueText } from './values.ts'

/** A column on its way to the model's words. */
type Draft = SqlColumn & {
  raw: RawColumn
  choiceValues: (Meaning & { kind: 'choices' }) | null
}

/** The tables in the model's words; what those have no word for is told. */
export function toSqlTables(context: Context): SqlTable[] {
  const { tables } = context.schema
  const numbers = new Map(tables.map((table, index) => [table, index]))
  const targets = referredTo(context)
  return tables.map(table => new TableReader(context, table, numbers, targets).read())
}

/** The columns that a foreign key refers to by name. */
function referredTo({ schema }: Context): Set<RawColumn> {
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
    const columns = [...this.#drafts.values()].map(draft => this.#finished(draft))
    const { name, schema, line, comment } = this.#table
    return { name, schema, line, description: comment, columns }
  }

  #draftOf(raw: RawColumn): Draft {
    const type = readType(raw.type, this.#context, this.#context.schema.enumerations)
    if (type.told !== undefined) this.#remark(raw.line, `'${raw.name}': ${type.told}.`)
    const { name, line, comment, nullable } = raw
    return {
      name,
      line,
      description: comment,
      nullable,
      ...spoken(type),
      defaultValue: null,
      unique: false,
      indexed: false,
      isKey: false,
      reference: null,
      raw,
      choiceValues: null,
    }
  }

  #remark(line: number, message: string): void {
    this.#context.remark(line, message)
  }

  #find(name: string, line: number): Draft | undefined {
    const raw = this.#context.schema.column(this.#table, name)
    const draft = raw && this.#drafts.get(raw)
    if (!draft) this.#remark(line, `The table '${this.#table.name}' has no column ${this.#context.quoted(name)}.`)
    return draft
  }

  #readKeys(): void {
    const { primaryKey, uniques, indexes, line } = this.#table
    for (const name of primaryKey ?? []) {
      const draft = this.#find(name, line)
      if (draft) Object.assign(draft, { isKey: true, nullable: false })
    }
    for (const unique of uniques) {
      if (unique.columns.length > 1) this.#remark(unique.line, 'No model has several columns that are unique together.')
      else for (const name of unique.columns) this.#makeUnique(name, unique)
    }
    for (const index of indexes) {
      if (index.columns.length > 1) this.#remark(index.line, 'No model has an index of several columns.')
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
    // What a foreign key refers to can be unique in no other way in SQL Server.
    if (isOneNull && draft.nullable && !this.#targets.has(draft.raw))
      this.#remark(line, `Of the rows without a value of '${name}' the database takes one only, the model any number.`)
  }

  #readChecks(): void {
    for (const { expression, line } of this.#table.checks) {
      const name = expression && columnOf(expression)
      const draft = name === null ? undefined : this.#find(name, line)
      const meanings = expression && draft ? meaningsOf(expression, this.#context.dialect) : null
      if (draft && meanings) for (const meaning of meanings) this.#apply(draft, meaning)
      else this.#remark(line, 'No model has a check like this one: it is left out.')
    }
  }

  #apply(draft: Draft, meaning: Meaning): void {
    switch (meaning.kind) {
      case 'choices':
        if (!isOfBoolean(draft, meaning)) draft.choiceValues = meaning
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
        this.#remark(key.line, 'No model has a foreign key of several columns: they are plain attributes.')
        continue
      }
      const draft = this.#find(name, key.line)
      if (draft?.reference) this.#remark(key.line, `'${name}' is a foreign key already: a second one is left out.`)
      else if (draft) draft.reference = this.#referenceOf(key, name)
    }
  }

  #referenceOf({ table, references, onDelete, line }: RawForeignKey, name: string): SqlColumn['reference'] {
    const { schema } = this.#context
    const target = schema.find(table)
    const number = target && this.#numbers.get(target)
    const wanted = references[0] ?? (target?.primaryKey?.length === 1 ? target.primaryKey[0] : undefined)
    const column = target && wanted !== undefined ? schema.column(target, wanted) : undefined
    if (number !== undefined && column && references.length < 2) {
      return { table: number, column: column.name, onDelete: deletions[onDelete] ?? 'restrict' }
    }
    const other = this.#context.quoted([...table, ...references].join('.'))
    this.#remark(line, `'${name}' refers to ${other}, which is not in the script: it is a plain attribute.`)
    return null
  }

  #finished(draft: Draft): SqlColumn {
    const { raw, choiceValues, ...column } = draft
    const { reference } = column
    if (raw.identity && !(column.isKey && this.#table.primaryKey?.length === 1 && column.dataType === 'integer')) {
      this.#remark(
        raw.line,
        `The database makes the values of '${raw.name}', which it does for a key of one integer only.`,
      )
    }
    if (reference) {
      if (choiceValues) this.#remark(raw.line, `The choices of '${raw.name}' are left out, as it is a foreign key.`)
      if (raw.default && raw.default.kind !== 'null') {
        this.#remark(raw.line, `The default value of '${raw.name}' is left out, as it is a foreign key.`)
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
    this.#remark(column.line, `The choices of '${column.name}' are no values of its type: they are left out.`)
    return []
  }

  #defaultOf(column: SqlColumn, raw: RawColumn): string | null {
    const { name, default: given } = raw
    if (given === null || given.kind === 'null' || raw.identity) return null
    const isSequence = given.kind === 'call' && given.name === 'NEXTVAL'
    if (isSequence && column.isKey) return null
    const constant = constantOf(given)
    const isOfBits = raw.type.name.startsWith('BIT')
    const isOfTexts = this.#context.dialect === 'mysql' && column.dataType === 'string'
    const text = constant && valueText(asHeld(constant, { isOfBits, isOfTexts }), column)
    if (text !== null && (column.choices.length === 0 || column.choices.includes(text))) return text
    const why = constant ? 'is no value of its type or choices' : 'is reckoned by the database'
    this.#remark(raw.line, `The default value of '${name}' ${why}: it is left out.`)
    return null
  }
}

function spoken({ dataType, format, maxLength, precision, scale, choices }: ReadType) {
  return { dataType, format, maxLength, precision, scale, choices: [...choices] }
}

const deletions: Readonly<Record<RawForeignKey['onDelete'], OnDelete>> = {
  noAction: 'restrict',
  restrict: 'restrict',
  cascade: 'cascade',
  setNull: 'setNull',
}

/** Databases without booleans have numbers of one digit, and a check of the two that there are; the column becomes what it is. */
function isOfBoolean(draft: Draft, { values }: Meaning & { kind: 'choices' }): boolean {
  const [zero, one] = values
  const isBoth = values.length === 2 && zero?.value === '0' && one?.value === '1'
  if (!isBoth || (zero.kind !== 'number' && zero.kind !== 'bits')) return false
  const { name, args } = draft.raw.type
  if (name === 'NUMBER' && args.length === 1 && args[0] === '1')
    Object.assign(draft, { dataType: 'boolean', format: null })
  return draft.dataType === 'boolean'
}
