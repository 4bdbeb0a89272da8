import type { Format } from '@cadmus/model/data-types'
import { isEqual } from '@cadmus/model/equal'
import { readMoment } from '@cadmus/model/values/literal'
import { type Meaning, meaningsOf } from './checks.ts'
import { computedOf } from './computed.ts'
import { generatedType, readType, type ReadType } from './column-types.ts'
import { arrayText, type Constant, constantOf, toStoredForm } from './constant.ts'
import { tableChecks } from './table-checks.ts'
import type { Context } from './context.ts'
import type { Thing } from '@cadmus/model/import-things'
import { commentOf, hasDefault, liveParts, partitionParts, tablesOfModel, thingOf } from './declared.ts'
import { actionsOf, isImplied, mainOf, referencedColumns, targetOf } from './foreign-keys.ts'
import { type EnumerationNumbers, namedTypesOf } from './enumerations.ts'
import type { Expression } from './expression.ts'
import { withTypesOfTargets } from './further-types.ts'
import { TableGroups } from './groups.ts'
import { applyMeaning, domainsOf, type Draft, settleFixed, typeFields } from './draft.ts'
import { deleteSequence } from './other-statements.ts'
import type { RawCheck, RawColumn, RawForeignKey, RawKey, RawPart, RawTable } from './read-schema.ts'
import { namesIn } from './rename.ts'
import type { SqlCheck, SqlColumn, SqlGroup, SqlTable } from './sql-model.ts'
import { shown } from './token.ts'
import { valueText } from './value-text.ts'

/** Converts the tables to the model's terms; unsupported parts become remarks. */
export function toSqlTables(context: Context, enumerations: EnumerationNumbers): readonly SqlTable[] {
  const all = context.schema.tables.all
  const tables = tablesOfModel(context)
  const numbers = new Map(tables.map((table, index) => [table, index]))
  const targets = referencedColumns(context, all)
  for (const table of all) if (table.partitionOf) remarkPartition(context, table, table.partitionOf)
  const readers = tables.map(table => new TableReader(context, table, { numbers, targets, enumerations }))
  const read = readers.map(reader => reader.read())
  const fitted = withTypesOfTargets(context, tables, read)
  context.attend(null)
  return fitted
}

/** A table is one entity, whatever its partitions. */
function remarkPartition(context: Context, table: RawTable, parent: RawTable): void {
  context.attend(parent)
  const names = `${context.quoted(table.name)} is a partition of ${context.quoted(parent.name)}`
  context.lost(table.line, `A partition of ${context.quoted(parent.name)} is not imported as a table of its own.`, {
    name: table.name,
    of: 'table',
  })
  if (table.comment !== '') context.lost(table.line, `${names}: its comment is ignored.`, { of: 'comment' })
  for (const part of partitionParts(context, table, parent))
    context.lost(part.line, `${names}: its ${describe(context, part)} is ignored.`, { of: thingOf(part) })
}

/** A part for a remark. */
function describe(context: Context, part: RawPart): string {
  const columns = `(${part.columns.map(({ name }) => name).join(', ')})`
  switch (part.kind) {
    case 'check':
      return `check (${context.shownText(part.span)})`
    case 'other':
      return part.message
    default:
      return `${partNouns[part.kind]} ${shown(columns, 200)}`
  }
}

const partNouns = {
  primary: 'primary key',
  unique: 'unique constraint',
  index: 'index',
  foreignKey: 'foreign key',
  default: 'default value',
} as const

/** The description, and the format that the mark of an instant says. */
function meaningOfComment(
  column: RawColumn,
  { format }: ReadType,
  { dialect }: Context,
): { description: string; format: Format | null } {
  const { text, isInstant } = commentOf(column, dialect)
  return { description: text, format: isInstant ? 'instant' : format }
}

class TableReader {
  readonly #context: Context
  readonly #table: RawTable
  readonly #numbers: ReadonlyMap<RawTable, number>
  readonly #targets: ReadonlySet<RawColumn>
  readonly #drafts: Map<RawColumn, Draft>
  readonly #enumerations: EnumerationNumbers
  readonly #groups: TableGroups
  /** Those that are no property of a column. */
  readonly #checks: RawCheck[] = []

  constructor(
    context: Context,
    table: RawTable,
    {
      numbers,
      targets,
      enumerations,
    }: {
      numbers: ReadonlyMap<RawTable, number>
      targets: ReadonlySet<RawColumn>
      enumerations: EnumerationNumbers
    },
  ) {
    context.attend(table)
    this.#context = context
    this.#table = table
    this.#numbers = numbers
    this.#targets = targets
    this.#enumerations = enumerations
    this.#groups = new TableGroups(table.name)
    this.#drafts = new Map(table.liveColumns.map(raw => [raw, this.#draftOf(raw)]))
  }

  read(): SqlTable {
    this.#context.attend(this.#table)
    const parts = liveParts(this.#table, this.#context.dialect)
    // Indexes tell which of several columns is the relationship.
    const isLast = (part: RawPart) => part.kind === 'foreignKey' && part.columns.length > 1
    const several = parts.filter(isLast)
    for (const part of parts) {
      if (part.kind === 'index' && several.some(key => isImplied(part, key))) this.#context.take('index')
      else if (!isLast(part)) this.#readPart(part)
    }
    for (const part of several) this.#readPart(part)
    for (const draft of this.#drafts.values()) this.#readTypeChecks(draft)
    const columns = [...this.#drafts.values()].map(draft => this.#finish(draft))
    const { name, schema, line, comment, collation } = this.#table
    this.#remarkCollation(collation, line, name)
    this.#context.take('table')
    if (comment !== '') this.#context.take('comment')
    return {
      name,
      schema,
      line,
      description: comment,
      columns,
      groups: this.#groupsOf(columns),
      checks: this.#checksOf(columns),
    }
  }

  #readPart(part: RawPart): void {
    const [column] = part.columns
    const draft = column && this.#drafts.get(column)
    switch (part.kind) {
      case 'primary':
        for (const one of part.columns) this.#makeKey(this.#drafts.get(one))
        this.#context.take('key')
        this.#addKeyOrder(part)
        break
      case 'unique':
      case 'index':
        if (part.columns.length > 1) this.#addGroup(part)
        else if (!draft) this.#remarkPart(part)
        else if (part.kind === 'unique') this.#makeUnique(draft, part)
        else this.#makeIndexed(draft, part)
        break
      case 'check':
        this.#readCheck(part)
        break
      case 'foreignKey':
        this.#readForeignKey(part)
        break
      case 'other':
        this.#remarkPart(part)
    }
  }

  #addGroup(part: RawKey): void {
    const reason = this.#groups.add(part)
    if (reason !== undefined) return this.#remarkPart(part, reason)
    if (part.kind === 'unique' && part.columns.some(column => this.#drafts.get(column)?.nullable))
      this.#remarkNulls(part)
  }

  /** The groups whose columns can be compared. */
  #groupsOf(columns: readonly SqlColumn[]): SqlGroup[] {
    const objects = new Set(columns.flatMap(({ name, dataType }) => (dataType === 'object' ? [name] : [])))
    return this.#groups.all.flatMap(({ group, parts }) => {
      const object = group.members.find(({ name }) => objects.has(name))
      for (const part of parts) {
        if (object) this.#remarkPart(part, `: '${object.name}' is an object`)
        else if (part.kind !== 'primary') this.#context.take(part.kind)
      }
      return object ? [] : [group]
    })
  }

  /** The model does not compare rows without a value; Oracle compares those with some values. */
  #remarkNulls({ line, columns, isOneNull, onlyPresent }: RawKey): void {
    // What is referred to needs a constraint, of which our own scripts have a note.
    if (this.#context.isOwn || columns.every(column => this.#targets.has(column))) return
    if (!isOneNull && (onlyPresent || this.#context.dialect !== 'oracle')) return
    const names = columns.map(({ name }) => name).join(', ')
    this.#context.changed(line, `(${names}) are unique together: rows without a value in one of them are not compared.`)
  }

  /** The order of the key, if it is not that of the columns. */
  #addKeyOrder(part: RawKey): void {
    const inTable = this.#table.liveColumns.filter(column => part.columns.includes(column))
    if (inTable.some((column, at) => column !== part.columns[at])) this.#groups.add(part)
  }

  #draftOf(raw: RawColumn): Draft {
    const plain = readType(raw.type, this.#context)
    const type = raw.identity ? { ...plain, ...generatedType(plain) } : plain
    this.#context.countParts(type.choices.length)
    const { name, line } = raw
    if (type.note !== undefined) this.#changed(name, line, type.note)
    const domains = domainsOf(raw)
    return {
      name,
      line,
      nullable: raw.nullable && domains.every(({ column }) => column.nullable),
      ...typeFields(type),
      ...meaningOfComment(raw, type, this.#context),
      defaultValue: null,
      defaultKind: 'literal',
      unique: false,
      indexed: false,
      isKey: false,
      reference: null,
      enumeration: null,
      raw,
      default: raw.default ?? domains.find(({ column }) => column.default)?.column.default ?? null,
      choiceValues: null,
      isFull: false,
      hasChoiceCheck: false,
    }
  }

  /** Models compare texts by their characters. */
  #remarkCollation(collation: string, line: number, of: string): void {
    if (collation !== '' && !binaryCollation.test(collation))
      this.#context.changed(line, `Text is imported without its collation ${shown(collation)}.`, { name: of })
  }

  /** One line of the report for all columns with the same note. */
  #changed(column: string, line: number, note: string): void {
    const message = `${note.charAt(0).toUpperCase()}${note.slice(1)}.`
    this.#context.changed(line, message, { name: `${this.#table.name}.${column}` })
  }

  #lost(line: number, message: string, of?: Thing): void {
    this.#context.lost(line, message, { of })
  }

  #remarkPart(part: RawPart, reason = ''): void {
    this.#lost(
      part.line,
      `The ${describe(this.#context, part)} of table ${this.#context.quoted(this.#table.name)} is ignored${reason}.`,
      thingOf(part),
    )
  }

  /** Keys of exact numbers become integers of up to 64 bits. Exports refuse keys of types other than string. */
  #makeKey(draft: Draft | undefined): void {
    if (!draft) return
    Object.assign(draft, { isKey: true, nullable: false })
    this.#makeInteger(draft)
  }

  #makeInteger(draft: Draft): void {
    const { dataType, format, scale, raw } = draft
    const isWhole = dataType === 'double' && (format === 'decimal' ? raw.type.args.length === 0 : scale === 0)
    if (!isWhole || this.#context.isOwn) return
    Object.assign(draft, { dataType: 'integer', format: null, precision: null, scale: null })
    this.#changed(draft.name, draft.line, `a key of type ${raw.type.name} is imported as an integer of 64 bits`)
  }

  #makeIndexed(draft: Draft, index: RawKey): void {
    if (draft.indexed) return this.#remarkRepeated(index, 'An index')
    draft.indexed = true
    this.#context.take('index')
  }

  #remarkRepeated({ line, kind, columns }: RawKey, what: string): void {
    const name = `${this.#table.name} (${columns.map(column => column.name).join(', ')})`
    this.#context.note(line, `${what} repeats another one.`, { name, of: thingOf({ kind }) })
  }

  #makeUnique(draft: Draft, unique: RawKey): void {
    const { line, isOneNull } = unique
    if (draft.unique) return this.#remarkRepeated(unique, 'A unique constraint')
    draft.unique = true
    this.#context.take('unique')
    // SQL Server allows only one null in any unique column that a foreign key references.
    if (isOneNull && draft.nullable && !this.#targets.has(draft.raw))
      this.#context.changed(
        line,
        `'${draft.name}' allows one row without a value: it is imported as allowing any number.`,
      )
  }

  #readCheck(check: RawCheck): void {
    const draft = check.column && this.#drafts.get(check.column)
    const had = draft?.choiceValues
    if (!draft || !this.#applyCheck(draft, check)) this.#checks.push(check)
    // Whether the column can have the choices is not known yet.
    else if (draft.choiceValues !== had) draft.hasChoiceCheck = true
    else this.#context.take('check')
  }

  #checksOf(columns: readonly SqlColumn[]): SqlCheck[] {
    const { checks, taken, ignored } = tableChecks(this.#checks, this.#table.name, columns)
    for (const _ of taken) this.#context.take('check')
    for (const check of ignored) this.#remarkPart(check)
    return checks
  }

  /** The checks of the column's type. */
  #readTypeChecks(draft: Draft): void {
    const checks = domainsOf(draft.raw).flatMap(one => one.checks)
    this.#context.countParts(checks.length)
    for (const check of checks) {
      if (!this.#applyCheck(draft, check))
        this.#lost(
          draft.line,
          `The check (${this.#context.shownText(check.span)}) of the type of '${draft.name}' is ignored.`,
        )
    }
  }

  #applyCheck(draft: Draft, { expression }: RawCheck): boolean {
    const meanings = expression && meaningsOf(expression, this.#context.dialect)
    if (draft.choiceValues && meanings?.some(({ kind }) => kind === 'choices')) return false
    for (const meaning of meanings ?? []) applyMeaning(draft, meaning)
    return meanings !== null
  }

  #readForeignKey(key: RawForeignKey): void {
    const drafts = key.columns.map(column => this.#drafts.get(column))
    const main = mainOf(drafts)
    const draft = drafts[main]
    if (!draft) return
    if (key.columns.length > 1) return this.#readFurther(key, draft, main)
    if (draft.reference)
      this.#lost(key.line, `'${draft.name}' is already a foreign key: the second one is ignored.`, 'foreignKey')
    else {
      draft.reference = this.#referenceOf(key, draft.name)
      if (!draft.reference) return
      this.#context.take('foreignKey')
      this.#makeInteger(draft)
    }
  }

  /** A foreign key over several columns. `main`: the place of the column that is the relationship. */
  #readFurther(key: RawForeignKey, draft: Draft, main: number): void {
    const text = `${describe(this.#context, key)} of table ${this.#context.quoted(this.#table.name)}`
    const target = targetOf(this.#context, key)
    const number = target ? this.#numbers.get(target.table) : undefined
    const primary = target?.table.primaryKey?.columns ?? []
    const columns = key.references.length === 0 ? primary : (target?.columns ?? [])
    const pairs = key.columns.flatMap((column, at) => {
      const [own, other] = [this.#drafts.get(column), columns[at]]
      return own && other ? [{ name: own.name, target: other.name }] : []
    })
    const isWhole = pairs.length === key.columns.length && columns.length === key.columns.length
    const [first, ...further] = [pairs[main], ...pairs.toSpliced(main, 1)].filter(pair => pair !== undefined)
    if (number === undefined || !first || !isWhole || draft.reference) {
      this.#lost(key.line, `The ${text} is ignored: its columns are imported as plain attributes.`, 'foreignKey')
      return
    }
    draft.reference = { table: number, column: first.target, further, ...actionsOf(key) }
    this.#context.take('foreignKey')
    this.#makeInteger(draft)
  }

  #referenceOf(key: RawForeignKey, name: string): SqlColumn['reference'] {
    const target = targetOf(this.#context, key)
    const number = target ? this.#numbers.get(target.table) : undefined
    const primary = target?.table.primaryKey?.columns ?? []
    const column = key.references.length === 0 && primary.length === 1 ? primary[0] : target?.columns[0]
    if (number !== undefined && column && key.references.length < 2)
      return { table: number, column: column.name, further: [], ...actionsOf(key) }
    const other = this.#context.quoted([...key.path, ...key.references].join('.'))
    this.#lost(
      key.line,
      `'${name}' refers to ${other}, which is not in the script: it is imported as a plain attribute.`,
      'foreignKey',
    )
    return null
  }

  #finish(draft: Draft): SqlColumn {
    if (draft.format === 'fixed') settleFixed(draft, this.#context, this.#table.name)
    const { raw, default: _default, choiceValues, hasChoiceCheck, isFull: _isFull, ...column } = draft
    const { reference } = column
    const choiceCheck = hasChoiceCheck ? 'check' : undefined
    this.#context.take('column')
    if (column.description !== '') this.#context.take('comment')
    if (column.dataType === 'string' && column.format === null)
      this.#remarkCollation(raw.collation, raw.line, `${this.#table.name}.${raw.name}`)
    if (
      raw.identity &&
      !(column.isKey && this.#table.primaryKey?.columns.length === 1 && column.dataType === 'integer')
    ) {
      this.#lost(raw.line, `Generated values of '${raw.name}' are ignored: only a single integer key can be generated.`)
    }
    if (reference) {
      if (choiceValues ?? column.choices.length > 0)
        this.#lost(raw.line, `The choices of '${raw.name}' are ignored: it is a foreign key.`, choiceCheck)
      if (draft.default && draft.default.expression?.kind !== 'null') {
        this.#lost(
          draft.default.line,
          `The default value of '${raw.name}' is ignored: it is a foreign key.`,
          hasDefault(raw) ? 'default' : undefined,
        )
      }
      return { ...column, choices: [] }
    }
    const choices = choiceValues ? this.#choicesOf(column, choiceValues, choiceCheck) : column.choices
    const enumeration = this.#enumerationOf(raw, choices)
    return { ...column, choices, enumeration, ...this.#defaultOf({ ...column, choices }, draft) }
  }

  /** That of the column's type, unless a check of the table has other choices. */
  #enumerationOf({ name, line, type }: RawColumn, choices: readonly string[]): number | null {
    const own = namedTypesOf(type).flatMap(one => this.#enumerations.get(one) ?? [])[0]
    if (!own || isEqual(own.values, choices)) return own?.number ?? null
    if (choices.length > 0)
      this.#context.note(line, `'${name}' has choices of its own: it does not use the enumeration of its type.`)
    return null
  }

  #choicesOf(column: SqlColumn, { values }: Meaning & { kind: 'choices' }, of: Thing | undefined): string[] {
    this.#context.countParts(values.length)
    const texts = values.map(value => valueText(value, column, true))
    const choices = texts.filter(text => text !== null)
    if (choices.length === values.length) {
      if (of) this.#context.take(of)
      return [...new Set(choices)]
    }
    this.#lost(column.line, `The choices of '${column.name}' do not match its type: they are ignored.`, of)
    return []
  }

  /** MySQL converts an offset to the time zone of the session, which is not known. */
  #inUtc(constant: Constant | null, { name, dataType, format }: SqlColumn, line: number): Constant | null {
    const isDateTime = this.#context.dialect === 'mysql' && dataType === 'dateTime' && format === 'local'
    const isOffset = isDateTime && constant !== null && /:\d{2}(?:\.\d*)?[+-]\d{2}:\d{2}$/.test(String(constant.value))
    const moment = isOffset ? readMoment(String(constant.value)) : null
    if (moment === null) return constant
    this.#context.changed(line, `The default value of '${name}' has an offset: it is imported in UTC.`)
    return { kind: 'timestamp', value: moment }
  }

  #defaultOf(column: SqlColumn, { raw, default: written }: Draft): Partial<SqlColumn> {
    if (written === null || raw.identity) return {}
    const { expression, span, line } = written
    const remark = (why: string) =>
      this.#lost(
        line,
        `The default value ${this.#context.shownText(span)} of '${raw.name}' ${why}: it is ignored.`,
        hasDefault(raw) ? 'default' : undefined,
      )
    const take = () => hasDefault(raw) && this.#context.take('default')
    if (!expression) remark('is not supported')
    if (!expression || expression.kind === 'null') return {}
    if (column.isKey && isNextValue(expression)) {
      const [sequence] = expression.parts
      if (sequence?.kind === 'text') deleteSequence(this.#context, namesIn(sequence.value))
      take()
      const { note, ...generated } = generatedType(column)
      if (note !== undefined) this.#changed(raw.name, line, note)
      return generated
    }
    const computed = computedOf(expression, column, this.#context.dialect)
    if (computed) {
      take()
      if (computed.isGuid) this.#context.changed(line, `'${raw.name}' is by default a UUID: it is imported as a guid.`)
      return computed.fields
    }
    const constant = this.#inUtc(constantOf(expression), column, line)
    const isBitColumn = raw.type.name.startsWith('BIT')
    const isMysqlText = this.#context.dialect === 'mysql' && column.dataType === 'string'
    const value = constant && valueText(toStoredForm(constant, { isBitColumn, isMysqlText }), column)
    const text = raw.type.isArray ? (arrayText(expression) ?? (value === '{}' ? '[]' : value)) : value
    if (text !== null && (column.choices.length === 0 || column.choices.includes(text))) {
      take()
      return { defaultValue: text }
    }
    remark(constant ? 'does not match its type or choices' : 'is computed by the database')
    return {}
  }
}

const binaryCollation = /(?:^|_)bin2?$|^(?:c|c\.utf-?8|posix|ucs_basic|sql_text|binary)$/i

function isNextValue(expression: Expression): expression is Expression & { kind: 'call' } {
  return expression.kind === 'call' && expression.name === 'NEXTVAL'
}
