import { adaptComment, adaptDefault, adaptType, exceedsUnits, isRounded } from './adapt-column.ts'
import { withSafeCascades } from './safe-cascades.ts'
import { keyCaps, type KeyCaps, otherLength, withFewerColumns, withFewerKeys } from './table-limits.ts'
import type { Dialect } from './dialect.ts'
import { isLimited, noteDifferences, noteLenience } from './differences.ts'
import { withFewerExpressions } from './expressions.ts'
import { isAdded } from './instance-tables.ts'
import { KeyGraph, tableKeys, type TableKeys } from './key-graph.ts'
import { bytesOf, isPlainName, type NameGiver, newNameGiver } from './names.ts'
import { newNotes, type Notes, noteTexts } from './notes.ts'
import { rowCondition } from './condition-sql.ts'
import { withColumns } from '@cadmus/model/conditions/types'
import { columnsIn } from './row-checks.ts'
import type {
  Check,
  Column,
  EntitySource,
  ForeignKey,
  Index,
  Key,
  Note,
  ReferentialAction,
  RowCheck,
  Schema,
  Table,
} from './tree.ts'

/**
 * Adapts a schema to one database: names, types, keys and actions within its limits, with a note on every difference.
 * No table or constraint gets a reserved name.
 */
export function adaptSchema(
  schema: Schema,
  dialect: Dialect,
  reserved: readonly string[] = [],
): { schema: Schema; notes: readonly Note[] } {
  const notes = newNotes()
  const names = newNameGiver(dialect.names, reserved)
  const namesByTable = new Map<string, TableNames>()
  const keys: TableKeys[] = []
  const wide: WideColumn[] = []
  for (const table of schema.tables) {
    namesByTable.set(table.name, tableNamesOf(table, names.give(table.name, 'table'), dialect, notes))
    keys.push(tableKeys(table, dialect.sharesPairLengths))
    wide.push(...wideColumns(table, dialect))
  }
  const caps = keyCaps(new KeyGraph(keys), dialect.limits.key, wide)
  const context = { dialect, notes, names, caps, namesByTable }
  const tables = schema.tables.map(table => adaptTable(table, namesFor(table.name, namesByTable), context))
  const safe = withSafeCascades(tables, dialect, notes)
  if (dialect.mayBeLenient) noteLenience(safe.find(isLimited), schema, notes)
  return { schema: { name: schema.name, tables: withImpliedNames(safe, dialect, names) }, notes: notes.list }
}

/** The database name of a table, and the names of its columns that differ from the model names. */
type TableNames = { name: string; renamed: ReadonlyMap<string, string> }

type Context = {
  dialect: Dialect
  notes: Notes
  /** Gives names to constraints. */
  names: NameGiver
  caps: KeyCaps
  /** The names in references; null: those of the model. */
  namesByTable: ReadonlyMap<string, TableNames> | null
}

/**
 * The database names of a table and its columns. The table's name is a parameter, as it must differ from the names of
 * other tables.
 */
export function tableNamesOf(table: Table, name: string, dialect: Dialect, notes: Notes): TableNames {
  if (name !== table.name) notes.about('renamed', noteTexts.renamed(table.name, name), table.source)
  // No two columns of a table differ only in case.
  if (table.columns.every(column => isPlainName(column.name, dialect.names))) return { name, renamed: nothingRenamed }
  const giver = newNameGiver(dialect.names)
  let renamed: Map<string, string> | null = null
  for (const column of table.columns) {
    const databaseName = giver.give(column.name, 'column')
    if (databaseName === column.name) continue
    renamed ??= new Map()
    renamed.set(column.name, databaseName)
    notes.about('renamed', noteTexts.renamed(column.name, databaseName), table.source, column.source)
  }
  return { name, renamed: renamed ?? nothingRenamed }
}

const nothingRenamed: TableNames['renamed'] = new Map()

export type WideColumn = readonly [table: string, column: string]

/** The columns that exceed their declared length in the unit of the database. */
export function wideColumns(table: Table, dialect: Dialect): readonly WideColumn[] {
  if (!dialect.checksCharacters) return []
  return table.columns.filter(column => exceedsUnits(column, dialect)).map(({ name }) => [table.name, name] as const)
}

type ColumnsByName = ReadonlyMap<string, Column | null>

/** The columns of keys, checks and indexes by name. */
function keyedColumns(
  columns: readonly Column[],
  { uniques, checks, indexes }: Table,
  tableNames: TableNames,
): ColumnsByName {
  const byName = new Map<string, Column | null>()
  for (const { columns: names } of uniques) for (const name of names) byName.set(columnName(tableNames, name), null)
  for (const { columns: names } of indexes) for (const name of names) byName.set(columnName(tableNames, name), null)
  for (const { column } of checks) byName.set(columnName(tableNames, column), null)
  if (byName.size > 0) for (const column of columns) if (byName.has(column.name)) byName.set(column.name, column)
  return byName
}

/** Adapts a single table. Depends on other tables only through shared keys; references keep the model's names. */
export function adaptTable(table: Table, tableNames: TableNames, context: Context): Table {
  const { dialect, names } = context
  const comment = adaptComment(table.comment, table.source, undefined, dialect, context.notes)
  const columns = table.columns.map(column => adaptColumn(column, table, tableNames, context))
  const byName = keyedColumns(columns, table, tableNames)
  const uniques = table.uniques.map(key => adaptKey(key, tableNames, names))
  const filtered =
    dialect.uniqueIgnores === 'anyNull'
      ? []
      : uniques.filter(key => isFiltered(key, table, tableNames, byName, context))
  const adapted: Table = {
    name: tableNames.name,
    comment,
    source: table.source,
    columns,
    primaryKey: table.primaryKey && adaptKey(table.primaryKey, tableNames, names),
    uniques: filtered.length === 0 ? uniques : uniques.filter(key => !filtered.includes(key)),
    checks: table.checks.flatMap(check => adaptCheck(check, table, tableNames, byName, context)),
    ...adaptConditions(table, columns, tableNames, context),
    indexes: [
      ...filtered.map(filteredIndex),
      ...table.indexes.flatMap(index => adaptIndex(index, table, tableNames, byName, context)),
    ],
    foreignKeys: table.foreignKeys.map(key => adaptForeignKey(key, table.source, tableNames, context)),
  }
  const narrow = withFewerColumns(
    withClearableKeys(adapted, dialect, context.notes),
    context.caps,
    dialect,
    context.notes,
  )
  return adaptWidth(withFewerKeys(narrow, dialect, context.notes), context)
}

/**
 * A column that a foreign key sets to null gets no check if the database disallows it: its values are checked in the
 * target.
 */
function withClearableKeys(table: Table, dialect: Dialect, notes: Notes): Table {
  if (dialect.clearsCheckedColumns) return table
  const cleared = new Set(table.foreignKeys.filter(changesColumns).flatMap(({ columns }) => columns))
  const generated = table.columns.filter(({ identity }) => identity).map(({ name }) => name)
  const unchecked = new Set([...cleared, ...generated])
  const conditions = table.conditions?.filter(check => {
    const name = check.columns.find(column => unchecked.has(column))
    if (name !== undefined) notes.about('checkCleared', noteTexts.checkCleared(check.name, name), table.source)
    return name === undefined
  })
  const others = conditions ? { ...table, conditions } : table
  if (cleared.size === 0) return others
  return {
    ...others,
    columns: table.columns.map(column => (cleared.has(column.name) ? { ...column, unchecked: true } : column)),
    checks: table.checks.filter(({ column }) => !cleared.has(column)),
  }
}

function changesColumns({ onDelete, onUpdate }: ForeignKey): boolean {
  return onDelete === 'setNull' || onUpdate === 'setNull' || onUpdate === 'cascade'
}

function namesFor(table: string, namesByTable: ReadonlyMap<string, TableNames>): TableNames {
  const tableNames = namesByTable.get(table)
  if (!tableNames) throw new RangeError(`The schema has no table '${table.slice(0, 120)}'.`)
  return tableNames
}

function columnName({ renamed }: TableNames, column: string): string {
  return renamed.get(column) ?? column
}

/** Returns the same list if no column is renamed, so that unchanged parts of a table remain the same objects. */
function columnNames(tableNames: TableNames, columns: readonly string[]): readonly string[] {
  return tableNames.renamed.size === 0 ? columns : columns.map(column => columnName(tableNames, column))
}

function adaptColumn(column: Column, table: Table, tableNames: TableNames, context: Context): Column {
  const { dialect, notes } = context
  const name = columnName(tableNames, column.name)
  const type = adaptType(column, table, context.caps, dialect, notes)
  const comment = adaptComment(column.comment, table.source, column.source, dialect, notes, dialect.commentMark(type))
  const value = adaptDefault(column, type, table, dialect, notes)
  const isUnchanged =
    name === column.name && type === column.type && comment === column.comment && value === column.default
  return isUnchanged ? column : { ...column, name, type, comment, default: value }
}

function adaptKey<T extends Pick<Key, 'name' | 'columns'>>(key: T, tableNames: TableNames, names: NameGiver): T {
  const name = names.give(key.name, 'constraint')
  const columns = columnNames(tableNames, key.columns)
  return name === key.name && columns === key.columns ? key : { ...key, name, columns }
}

/** If unique constraints compare nulls, a unique index without them has the meaning of the model. */
function isFiltered(key: Key, table: Table, tableNames: TableNames, byName: ColumnsByName, context: Context): boolean {
  const { dialect } = context
  const nullable = key.columns.map(name => byName.get(name)).find(column => column?.nullable)
  if (!nullable) return false
  const isTogether = key.sources.filter(source => !isAdded(source)).length > 1
  if (isTogether && isTarget(key, table, context)) {
    context.notes.about('singleEmptyRow', noteTexts.singleEmptyRow(nullable.name), table.source, nullable.source)
    return false
  }
  if (isTogether || dialect.uniqueIgnores === 'onlyNulls') return isTogether
  if (!context.caps.isReferenced(table.name, nullable.source.name.trim())) return true
  context.notes.about('singleEmptyRow', noteTexts.singleEmptyRow(nullable.name), table.source, nullable.source)
  return false
}

/** Whether a foreign key over several columns refers to the key: it needs a constraint. */
function isTarget({ sources }: Key, table: Table, { caps }: Context): boolean {
  return caps.isTarget(
    table.name,
    sources.map(({ name }) => name.trim()),
  )
}

function filteredIndex(key: Key): Index {
  return { ...key, unique: true, onlyPresent: true }
}

function adaptCheck(
  check: Check,
  table: Table,
  tableNames: TableNames,
  byName: ColumnsByName,
  { dialect, names, notes }: Context,
): Check[] {
  const column = columnName(tableNames, check.column)
  const type = byName.get(column)?.type
  const present = dialect.hasEmptyText ? check.values : check.values.filter(({ value }) => value !== '')
  if (present.length < check.values.length) {
    notes.about('emptyText', noteTexts.emptyText(check.column), table.source, check.source)
  }
  const values = present.filter(value => type && dialect.canStore(value, type) && !isRounded(value, type))
  if (values.length < present.length) {
    notes.about('choicesUnheld', noteTexts.choicesUnheld(check.column), table.source, check.source)
  }
  if (values.length === 0) return []
  const { literal } = dialect.limits
  if (literal !== null && values.some(({ value }) => bytesOf(String(value)) > literal)) {
    notes.about('choicesType', noteTexts.choicesType(check.column), table.source, check.source)
    return []
  }
  return [{ ...check, name: names.give(check.name, 'constraint'), column, values }]
}

/** Conditions on the adapted columns; those that the database cannot say are left out. */
function adaptConditions(
  { conditions, source }: Table,
  columns: readonly Column[],
  tableNames: TableNames,
  { dialect, names, notes }: Context,
): Pick<Table, 'conditions' | 'counted'> {
  if (!conditions) return {}
  const counted: RowCheck[] = []
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  const adapted = conditions.flatMap((check): RowCheck[] => {
    const condition = withColumns(check.condition, column => {
      const name = columnName(tableNames, column.name)
      return { ...column, name, columnType: types.get(name) ?? column.columnType }
    })
    if (rowCondition(condition, dialect) === null) {
      notes.about('checkInexpressible', noteTexts.checkInexpressible(check.name), source)
      if (dialect.condition.evaluated) counted.push({ ...check, condition, columns: columnsIn(condition) })
      return []
    }
    return [{ ...check, name: names.give(check.name, 'constraint'), condition, columns: columnsIn(condition) }]
  })
  return {
    ...(adapted.length === 0 ? {} : { conditions: adapted }),
    ...(counted.length === 0 ? {} : { counted }),
  }
}

function adaptIndex(
  index: Index,
  table: Table,
  tableNames: TableNames,
  byName: ColumnsByName,
  context: Context,
): Index[] {
  const { dialect, names, notes } = context
  const limit = dialect.limits.index ?? Number.POSITIVE_INFINITY
  const parts = index.columns.flatMap(name => byName.get(columnName(tableNames, name)) ?? [])
  // Further columns of an index, such as the tenant, share its maximum length.
  const isTooLong = parts.reduce((sum, column) => sum + indexLength(column, dialect), 0) > limit
  const [longest] = isTooLong ? parts.toSorted((a, b) => indexLength(b, dialect) - indexLength(a, dialect)) : []
  if (longest) {
    notes.about('indexTooLong', noteTexts.indexTooLong(longest.source.name), table.source, longest.source)
    return []
  }
  return [adaptKey(index, tableNames, names)]
}

function indexLength({ type }: Column, dialect: Dialect): number {
  if (type.kind === 'varchar') return type.length
  return type.kind === 'text' && dialect.limits.index !== null ? Number.POSITIVE_INFINITY : otherLength
}

function adaptForeignKey(key: ForeignKey, entity: EntitySource, tableNames: TableNames, context: Context): ForeignKey {
  const { dialect, names, namesByTable } = context
  const named = adaptKey(key, tableNames, names)
  const references = namesByTable ? namedTarget(key, namesFor(key.references.table, namesByTable)) : key.references
  const onDelete = supportedAction(key.onDelete, dialect)
  const { onUpdate: _requested, ...rest } = named
  const onUpdate = key.onUpdate && supportedUpdate(key, key.onUpdate, entity, context)
  if (references === key.references && onDelete === key.onDelete && onUpdate === key.onUpdate) return named
  return onUpdate ? { ...named, references, onDelete, onUpdate } : { ...rest, references, onDelete }
}

function namedTarget({ references }: ForeignKey, target: TableNames): ForeignKey['references'] {
  const columns = columnNames(target, references.columns)
  const isSame = target.name === references.table && columns === references.columns
  return isSame ? references : { table: target.name, columns }
}

function supportedUpdate(
  { source }: ForeignKey,
  action: ReferentialAction,
  entity: EntitySource,
  { dialect, notes }: Context,
): ReferentialAction | undefined {
  if (dialect.actsOnUpdate) return supportedAction(action, dialect)
  notes.about('updateRefused', noteTexts.updateRefused(source.name), entity, source)
  return undefined
}

/** The standard's default action also rejects the deletion, at the end of the statement. */
function supportedAction(action: ReferentialAction, dialect: Dialect): ReferentialAction {
  return dialect.actions.includes(action) ? action : 'noAction'
}

function adaptWidth(adapted: Table, { caps, dialect, notes }: Context): Table {
  const isReferenced = ({ source }: Column) => caps.isReferenced(adapted.source.name, source.name.trim())
  const { table, shrunk, released, tooLong } = dialect.adaptRow(adapted, isReferenced)
  for (const column of shrunk) {
    notes.about('lengthAsCheck', noteTexts.lengthAsCheck(column.source.name), table.source, column.source)
  }
  if (tooLong) notes.about('rowTooLong', noteTexts.rowTooLong(table.source.name), table.source)
  for (const { source } of released) {
    notes.about('rowKey', noteTexts.rowKey(source.name), table.source, source)
  }
  const final = withFewerExpressions(table, dialect, notes)
  noteDifferences(final, dialect, notes)
  return final
}

/**
 * The database chooses names for the sequence of a generated column and for type checks. If such a name would conflict
 * with a table, key or index, the sequence gets an explicit name; if a check's name would conflict with a constraint of
 * its table, that constraint is renamed.
 */
function withImpliedNames(tables: readonly Table[], dialect: Dialect, names: NameGiver): readonly Table[] {
  const { impliedName } = dialect
  if (impliedName === null) return tables
  const nextFree = newFreeNames(impliedName)
  const declared = new Set<string>()
  for (const table of tables) {
    addCreatedNames(table, declared)
    for (const { name } of table.indexes) declared.add(name)
  }
  const relations = new Set<string>()
  const constraints = new Set<string>()
  return tables.map(table => {
    const checks = new Set<string>()
    const sequences = new Map<Column, string>()
    for (const column of table.columns) {
      if (column.identity) {
        const implied = nextFree(table.name, column.name, 'seq', relations)
        const sequence = declared.has(implied) ? names.give(implied, 'constraint') : implied
        relations.add(sequence)
        if (sequence !== implied) sequences.set(column, sequence)
      }
      if (column.unchecked || dialect.typeCheck('', column.type) === null) continue
      const check = nextFree(table.name, column.name, 'check', constraints)
      constraints.add(check)
      checks.add(check)
    }
    const renamed = withoutNames(checks, table, names)
    addCreatedNames(renamed, relations)
    for (const { name } of renamed.uniques) constraints.add(name)
    for (const { name } of [...renamed.checks, ...(renamed.conditions ?? [])]) constraints.add(name)
    return sequences.size === 0 ? renamed : { ...renamed, columns: table.columns.map(withSequence) }

    function withSequence(column: Column): Column {
      const sequence = sequences.get(column)
      return sequence === undefined ? column : { ...column, sequence }
    }
  })
}

type FreeNames = (table: string, column: string, label: string, taken: ReadonlySet<string>) => string

/** Names are never released, so attempts continue after the last one for the same prefix. */
function newFreeNames(impliedName: NonNullable<Dialect['impliedName']>): FreeNames {
  const attempts = new Map<string, number>()
  return (table, column, label, taken) => {
    const first = impliedName(table, column, label)
    let attempt = attempts.get(first) ?? 0
    let name = attempt === 0 ? first : impliedName(table, column, `${label}${attempt}`)
    while (taken.has(name)) {
      attempt += 1
      name = impliedName(table, column, `${label}${attempt}`)
    }
    attempts.set(first, attempt)
    return name
  }
}

/** Adds names that exist as soon as the table is created; they share a namespace with sequences. */
function addCreatedNames({ name, primaryKey, uniques }: Table, names: Set<string>): void {
  names.add(name)
  if (primaryKey) names.add(primaryKey.name)
  for (const unique of uniques) names.add(unique.name)
}

/** Renames constraints of the table that use one of the names. */
function withoutNames(taken: ReadonlySet<string>, table: Table, names: NameGiver): Table {
  const { uniques, checks, conditions = [], foreignKeys } = table
  if (taken.size === 0 || ![...uniques, ...checks, ...conditions, ...foreignKeys].some(({ name }) => taken.has(name)))
    return table
  const other = <T extends { name: string }>(one: T): T =>
    taken.has(one.name) ? { ...one, name: names.give(one.name, 'constraint') } : one
  return {
    ...table,
    uniques: uniques.map(other),
    checks: checks.map(other),
    ...(conditions.length === 0 ? {} : { conditions: conditions.map(other) }),
    foreignKeys: foreignKeys.map(other),
  }
}
