import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { DatabaseType } from '@cadmus/model/database-types'
import { type Dialect, tableName } from './dialect.ts'
import { bytesOf, type NameGiver, newNameGiver } from './names.ts'
import { encodedName, type Spelling } from './script-names.ts'
import type { Check, ChoiceType, Column, Note, Schema, Table } from './tree.ts'

/** The enumeration of an attribute, with the labels of its values. */
export type ChosenEnumeration = { uid: string; name: string; labels: ReadonlyMap<string, string> }

/** The enumerations by the uids of the attributes that have them. */
export function enumerationsOf({ byId, manifests }: ResolvedModel): ReadonlyMap<string, ChosenEnumeration> {
  const labels = new Map(
    manifests.flatMap(({ enumerations }) =>
      enumerations.map(({ uid, values }) => [uid, new Map(values.map(({ value, label }) => [value, label]))] as const),
    ),
  )
  const chosen = new Map<string, ChosenEnumeration>()
  for (const { typeAttributes } of byId.values()) {
    for (const { uid, enumeration } of typeAttributes) {
      if (enumeration) chosen.set(uid, { ...enumeration, labels: labels.get(enumeration.uid) ?? new Map() })
    }
  }
  return chosen
}

export type ChoiceSetting = {
  database: DatabaseType
  enumerations: ReadonlyMap<string, ChosenEnumeration>
  /** How names that are in no model are written. */
  spelling: Pick<Spelling, 'table' | 'column'>
  /** Whether texts that differ in case may be equal. */
  foldsTexts: boolean
  hasForeignKeys: boolean
}

type Result = { schema: Schema; notes: Note[] }

/** Why choices remain a check, in words after 'because'. */
type Reason = string | null

/** Types of the database in the place of checks of choices; a note for each that has to stay. */
export function withChoiceTypes(schema: Schema, dialect: Dialect, setting: ChoiceSetting): Result {
  const { database } = setting
  if (database !== 'postgresql' && database !== 'mysql') {
    const [first] = schema.tables.filter(({ checks }) => checks.length > 0)
    return { schema, notes: first ? [note('This database has no types of choices: they are checked.', first)] : [] }
  }
  const names = newNameGiver(dialect.names, usedNames(schema))
  const tied = tiedColumns(schema)
  const types = new Map<string, ChoiceType>()
  const changed = withChoices(schema, (check, column, table) => {
    const reason = tied.has(keyOf(table, column.name))
      ? 'its column is part of a foreign key or of another check'
      : typeFault(check, column, setting)
    if (reason !== null) return reason
    const enumeration = setting.enumerations.get(check.source.uid)
    const key = enumeration ? JSON.stringify([enumeration.uid, check.values]) : keyOf(table, column.name)
    const name = () => (database === 'mysql' ? null : names.give(nameOf(check, table, setting), 'table'))
    const type = types.get(key) ?? { name: name(), values: check.values }
    types.set(key, type)
    return { ...column, choices: type }
  })
  const own = [...types.values()].filter(({ name }) => name !== null)
  const [first] = changed.schema.tables.filter(({ columns }) => columns.some(({ choices }) => choices?.name === null))
  if (first) changed.notes.push(note(lenientEnum, first))
  return { ...changed, schema: own.length === 0 ? changed.schema : { ...changed.schema, types: own } }
}

const lenientEnum =
  'A server that is not in strict mode stores an empty text in the place of a value that is no choice, instead of refusing it.'

function typeFault({ values }: Check, { type }: Column, { database, foldsTexts }: ChoiceSetting): Reason {
  const texts = values.flatMap(value => (value.kind === 'text' ? [value.value] : []))
  if (type.kind !== 'varchar' || type.isFixed || texts.length < values.length)
    return 'only texts without a fixed length have such a type'
  if (database === 'postgresql')
    return texts.some(text => bytesOf(text) > 63) ? 'a value is longer than 63 bytes' : null
  if (texts.some(text => text === '' || /\s$|[\\\0]/.test(text) || bytesOf(text) > 255))
    return 'a value is empty, longer than 255 bytes, ends with a space, or has a backslash'
  const folded = new Set(texts.map(text => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()))
  if (foldsTexts && folded.size < texts.length) return 'values differ only in case or accents'
  return texts.reduce((sum, text) => sum + bytesOf(text), 0) > 30_000 ? 'its values are too long together' : null
}

/** A value must fit a line at the end of the script, from which an import restores the choices. */
const longestLiteral = 700
/** What MySQL's own keys and foreign keys leave. */
const keysBeside = 8

/** Tables of code, label and position, to which foreign keys refer, in the place of checks of choices. */
export function withChoiceTables(schema: Schema, dialect: Dialect, setting: ChoiceSetting): Result {
  const names = newNameGiver(dialect.names, usedNames(schema))
  const tables = new Map<string, Table>()
  const added = new Map<string, number>()
  const changed = withChoices(schema, (check, column, table) => {
    const reason = setting.hasForeignKeys
      ? tableFault(check, column, table, { dialect, count: added.get(table.name) ?? 0 })
      : 'the script has no foreign keys'
    if (reason !== null) return reason
    added.set(table.name, (added.get(table.name) ?? 0) + 1)
    const enumeration = setting.enumerations.get(check.source.uid)
    const key = enumeration
      ? JSON.stringify([enumeration.uid, check.values, column.type, column.unchecked ?? false])
      : keyOf(table, column.name)
    const target = tables.get(key) ?? choiceTable(check, column, table, { dialect, setting, names })
    tables.set(key, target)
    return {
      name: names.give(`fk_${table.name}_${column.name}_choice`, 'constraint'),
      columns: [column.name],
      references: { table: target.name, columns: [target.columns[0]?.name ?? ''] },
      onDelete: dialect.actions.includes('restrict') ? ('restrict' as const) : ('noAction' as const),
      source: check.source,
    }
  })
  return { ...changed, schema: { ...changed.schema, tables: [...tables.values(), ...changed.schema.tables] } }
}

function tableFault(
  { values }: Check,
  { type }: Column,
  { primaryKey, uniques, indexes, foreignKeys }: Table,
  { dialect, count }: { dialect: Dialect; count: number },
): Reason {
  const { key, keys } = dialect.limits
  if (type.kind === 'text' || (type.kind === 'varchar' && key !== null && type.length > key))
    return 'its column is too long for a key'
  const isTooLong = ({ kind, value }: Check['values'][number]) =>
    type.kind === 'varchar' && kind === 'text' && dialect.textSize(value) > type.length
  if (values.some(isTooLong)) return 'a value is longer than its column'
  if (values.some(value => encodedName(dialect.literal(value)).length > longestLiteral)) return 'a value is too long'
  const all = (primaryKey ? 1 : 0) + uniques.length + indexes.length + foreignKeys.length + count
  return keys !== null && all >= keys - keysBeside ? 'its table has too many keys' : null
}

function choiceTable(
  check: Check,
  { type, unchecked }: Column,
  table: Table,
  { dialect, setting, names }: { dialect: Dialect; setting: ChoiceSetting; names: NameGiver },
): Table {
  const labels = setting.enumerations.get(check.source.uid)?.labels
  const choices = check.values.map(value => {
    const text = String(value.value)
    return { value, label: labels?.get(text) || text || '-' }
  })
  const name = names.give(nameOf(check, table, setting), 'table')
  const longest = choices.reduce((length, { label }) => Math.max(length, dialect.textSize(label)), 1)
  const column = (of: string, given: Column['type']): Column => {
    const spelled = setting.spelling.column(of)
    const source = { kind: 'typeAttribute', uid: `${name} ${of}`, name: spelled } as const
    return { name: spelled, type: given, nullable: false, default: null, identity: false, comment: '', source }
  }
  const code = { ...column('code', type), ...(unchecked ? { unchecked } : {}) }
  const isLong = longest > (dialect.limits.varchar ?? Infinity)
  return {
    name,
    comment: '',
    source: { id: -1, uid: `choices ${name}`, name, path: '', place: table.source.place.slice(0, 1) },
    columns: [
      code,
      column('label', isLong ? { kind: 'text' } : { kind: 'varchar', length: longest }),
      column('position', { kind: 'integer', bits: 32 }),
    ],
    primaryKey: { name: names.give(`pk_${name}`, 'constraint'), columns: [code.name], sources: [code.source] },
    uniques: [],
    checks: [],
    indexes: [],
    foreignKeys: [],
    choices,
  }
}

/** An enumeration's name, or those of the table and the column. */
function nameOf({ source, column }: Check, table: Table, { enumerations, spelling }: ChoiceSetting): string {
  const enumeration = enumerations.get(source.uid)
  return enumeration ? spelling.table(enumeration.name) : `${table.name}_${column}`
}

/** Gives each column with choices its type or foreign key; the check stays with a note for the reason. */
function withChoices(
  schema: Schema,
  choose: (check: Check, column: Column, table: Table) => Column | Table['foreignKeys'][number] | string,
): Result {
  const notes: Note[] = []
  const tables = schema.tables.map(table => {
    if (table.checks.length === 0) return table
    const columns = new Map(table.columns.map(column => [column.name, column]))
    const [checks, foreignKeys]: [Check[], Table['foreignKeys'][number][]] = [[], []]
    for (const check of table.checks) {
      const column = columns.get(check.column)
      const chosen = column ? choose(check, column, table) : 'its column does not exist'
      if (typeof chosen === 'string') {
        checks.push(check)
        notes.push(note(`The choices of '${check.source.name}' are checked: ${chosen}.`, table, check))
      } else if ('references' in chosen) foreignKeys.push(chosen)
      else columns.set(check.column, chosen)
    }
    const all = foreignKeys.length === 0 ? table.foreignKeys : [...table.foreignKeys, ...foreignKeys]
    return { ...table, columns: [...columns.values()], checks, foreignKeys: all }
  })
  return { schema: { ...schema, tables }, notes }
}

function note(message: string, { source }: Table, check?: Check): Note {
  const path = check ? [...source.place, check.source] : source.place.slice(0, 1)
  return { severity: 'note', code: 'choicesChecked', message, path }
}

/** Columns that must have the same type as others, or that conditions compare as texts. */
function tiedColumns({ tables }: Schema): ReadonlySet<string> {
  const tied = new Set<string>()
  for (const table of tables) {
    for (const { columns, references } of table.foreignKeys) {
      for (const name of columns) tied.add(keyOf(table, name))
      for (const name of references.columns) tied.add(keyOf({ name: references.table }, name))
    }
    for (const { columns } of table.conditions ?? []) for (const name of columns) tied.add(keyOf(table, name))
    for (const { name, follows } of table.columns) {
      if (!follows) continue
      tied.add(keyOf(table, name))
      tied.add(keyOf({ name: follows.table }, follows.column))
    }
  }
  return tied
}

function keyOf({ name }: Pick<Table, 'name'>, column: string): string {
  return JSON.stringify([name, column])
}

function usedNames({ tables }: Schema): string[] {
  return tables.flatMap(({ name, primaryKey, uniques, checks, conditions = [], indexes, foreignKeys, columns }) => [
    name,
    ...[primaryKey, ...uniques, ...checks, ...conditions, ...indexes, ...foreignKeys].flatMap(one => one?.name ?? []),
    ...columns.flatMap(({ sequence }) => sequence ?? []),
  ])
}

/**
 * The later schema for a migration from the earlier one, which changes no types and rows of choices; null if they differ. A column of such a type
 * has no length to change.
 */
export function withSameChoices(before: Schema, after: Schema): Schema | null {
  const [old, now] = [choicesOf(before), choicesOf(after)]
  const isSame = old.size === now.size && [...now].every(([key, { text }]) => old.get(key)?.text === text)
  if (!isSame) return null
  const typeOf = (table: Table, column: Column) => old.get(`${table.source.uid} ${column.source.uid}`)?.type
  return {
    ...after,
    tables: after.tables.map(table => ({
      ...table,
      columns: table.columns.map(column =>
        column.choices ? { ...column, type: typeOf(table, column) ?? column.type } : column,
      ),
    })),
  }
}

/** The types and tables of choices by the columns that have them, as texts. */
function choicesOf({ tables }: Schema): Map<string, { text: string; type: Column['type'] }> {
  const rows = new Map(tables.flatMap(({ name, choices }) => (choices ? [[name, choices] as const] : [])))
  const definitions = new Map<string, { text: string; type: Column['type'] }>()
  for (const table of tables) {
    for (const column of table.columns) {
      const key = table.foreignKeys.find(
        ({ columns, references }) => columns[0] === column.name && rows.has(references.table),
      )
      const own = column.choices ?? (key && { name: key.references.table, values: rows.get(key.references.table) })
      if (own)
        definitions.set(`${table.source.uid} ${column.source.uid}`, { text: JSON.stringify(own), type: column.type })
    }
  }
  return definitions
}

/** The statements that create the types, with their names. */
export function createTypes({ types = [] }: Schema, dialect: Dialect): { name: string; sql: string }[] {
  return types.flatMap(({ name, values }) => {
    if (name === null) return []
    const list = values.map(value => dialect.literal(value)).join(', ')
    return [{ name, sql: `CREATE TYPE ${tableName(dialect, name)} AS ENUM (${list})` }]
  })
}

const fromNothing: Readonly<Record<DatabaseType, string>> = {
  postgresql: '',
  mysql: ' FROM DUAL',
  hsql: ' FROM (VALUES (0)) AS one (n)',
  oracle: ' FROM DUAL',
  mssql: '',
}

/** The rows of a table of choices. `database`: rows that exist already stay. */
export function choiceRows(
  { name, columns, choices = [] }: Table,
  dialect: Dialect,
  database?: DatabaseType,
): string[] {
  const table = tableName(dialect, name)
  const list = columns.map(column => dialect.quote(column.name))
  return choices.map(({ value, label }, at) => {
    const code = dialect.literal(value)
    const row = [code, dialect.literal({ kind: 'text', value: label }), String(at + 1)].join(', ')
    const into = `INSERT INTO ${table} (${list.join(', ')})`
    if (database === undefined) return `${into} VALUES (${row})`
    return `${into} SELECT ${row}${fromNothing[database]} WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${list[0]} = ${code})`
  })
}

/** The comment above the values of tables of choices in a script. */
export const choicesHeader = 'Choices in the model:'

/** Comment lines such as `order_status: %27new%27` for the rows of tables of choices. */
export function choiceLines({ tables }: Schema, dialect: Dialect): string[] {
  return tables.flatMap(({ name, choices = [] }) =>
    choices.map(({ value }) => `${encodedName(name)}: ${encodedName(dialect.literal(value))}`),
  )
}
