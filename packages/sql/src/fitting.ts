import type { Dialect } from './dialect.ts'
import { adaptDefault, adaptType, isRounded, exceedsUnits } from './fit-column.ts'
import { withSafeCascades } from './cascades.ts'
import { withFewerColumns } from './column-count.ts'
import { fitComment } from './comments.ts'
import { isLimited, noteDifferences, noteLenience } from './differences.ts'
import { withFewerExpressions } from './expressions.ts'
import { keyCaps, type KeyCaps } from './key-caps.ts'
import { KeyGraph, tableKeys } from './key-graph.ts'
import { bytesOf, newNameGiver, type NameGiver } from './names.ts'
import { withFewerKeys } from './key-count.ts'
import { withImpliedNames } from './implied-names.ts'
import { newNotes, noteTexts, type Notes } from './notes.ts'
import type { Check, Column, ForeignKey, Index, Key, Note, ReferentialAction, Schema, Table } from './tree.ts'

/**
 * A schema as one database can have it: its names, types, keys and actions within the database's limits, and what had to give. No table or
 * constraint gets one of the reserved names.
 */
export function fitted(
  schema: Schema,
  dialect: Dialect,
  reserved: readonly string[] = [],
): { schema: Schema; notes: readonly Note[] } {
  const notes = newNotes()
  const names = newNameGiver(dialect.names, reserved)
  const places = new Map(
    schema.tables.map(table => [table.name, placeOf(table, names.give(table.name, 'table'), dialect, notes)]),
  )
  const keys = schema.tables.map(tableKeys)
  const wide = schema.tables.flatMap(table => wideColumns(table, dialect))
  const caps = keyCaps(new KeyGraph(keys), dialect.limits.key, wide)
  const context = { dialect, notes, names, caps }
  const tables = schema.tables
    .map(table => fitTable(table, placeFor(table.name, places), context))
    .map(table => withNamedTargets(table, places))
  const safe = withSafeCascades(tables, dialect, notes)
  if (dialect.mayBeLenient) noteLenience(safe.find(isLimited), schema, notes)
  return { schema: { name: schema.name, tables: withImpliedNames(safe, dialect, names) }, notes: notes.list }
}

/** A table's name in the database and its columns' by their names in the model. */
type Place = { name: string; columns: ReadonlyMap<string, string> }

type Context = {
  dialect: Dialect
  notes: Notes
  /** Of constraints. */
  names: NameGiver
  caps: KeyCaps
}

/** The names of a table and its columns; the table's own is given, as it must be unlike those of others. */
export function placeOf(table: Table, name: string, dialect: Dialect, notes: Notes): Place {
  if (name !== table.name) notes.about('renamed', noteTexts.renamed(table.name, name), table.source)
  const giver = newNameGiver(dialect.names)
  const columns = new Map<string, string>()
  for (const column of table.columns) {
    const given = giver.give(column.name, 'column')
    columns.set(column.name, given)
    if (given !== column.name)
      notes.about('renamed', noteTexts.renamed(column.name, given), table.source, column.source)
  }
  return { name, columns }
}

/** The columns of a table that need more room than their length says. */
export function wideColumns(table: Table, dialect: Dialect): readonly (readonly [table: string, column: string])[] {
  return table.columns.filter(column => exceedsUnits(column, dialect)).map(({ name }) => [table.name, name] as const)
}

/**
 * One table within the limits. Of the other tables it knows but what its keys share with them; what its foreign keys refer to has
 * the model's names still.
 */
export function fitTable(table: Table, place: Place, context: Context): Table {
  const { dialect, names } = context
  const comment = fitComment(table.comment, table.source, undefined, dialect, context.notes)
  const columns = table.columns.map(column => fitColumn(column, table, place, context))
  const byName = new Map(columns.map(column => [column.name, column]))
  const uniques = table.uniques.map(key => fitKey(key, place, names))
  const filtered = dialect.uniqueIgnoresMissing
    ? []
    : uniques.filter(key => isFiltered(key, table, place, byName, context))
  const wide: Table = {
    name: place.name,
    comment,
    source: table.source,
    columns,
    primaryKey: table.primaryKey && fitKey(table.primaryKey, place, names),
    uniques: uniques.filter(key => !filtered.includes(key)),
    checks: table.checks.flatMap(check => fitCheck(check, table, place, byName, context)),
    indexes: [
      ...filtered.map(filteredIndex),
      ...table.indexes.flatMap(index => fitIndex(index, table, place, byName, context)),
    ],
    foreignKeys: table.foreignKeys.map(key => fitForeignKey(key, place, context)),
  }
  const narrow = withFewerColumns(withClearableKeys(wide, dialect), context.caps, dialect, context.notes)
  return fitWidth(withFewerKeys(narrow, dialect, context.notes), context)
}

/** What a foreign key empties has no check of its own: it holds only what its target holds, which is checked there. */
function withClearableKeys(table: Table, dialect: Dialect): Table {
  const cleared = new Set(
    table.foreignKeys.filter(({ onDelete }) => onDelete === 'setNull').flatMap(({ columns }) => columns),
  )
  if (dialect.clearsCheckedColumns || cleared.size === 0) return table
  return {
    ...table,
    columns: table.columns.map(column => (cleared.has(column.name) ? { ...column, unchecked: true } : column)),
    checks: table.checks.filter(({ column }) => !cleared.has(column)),
  }
}

function placeFor(table: string, places: ReadonlyMap<string, Place>): Place {
  const place = places.get(table)
  if (!place) throw new RangeError(`The schema has no table '${table.slice(0, 120)}'.`)
  return place
}

function columnName(place: Place, column: string): string {
  const name = place.columns.get(column)
  if (name === undefined) throw new RangeError(`The table '${place.name}' has no column '${column.slice(0, 120)}'.`)
  return name
}

function fitColumn(column: Column, table: Table, place: Place, context: Context): Column {
  const { dialect, notes } = context
  const name = columnName(place, column.name)
  const type = adaptType(column, table, context.caps, dialect, notes)
  const comment = fitComment(column.comment, table.source, column.source, dialect, notes)
  const value = adaptDefault(column, type, table, dialect, notes)
  const isUnchanged =
    name === column.name && type === column.type && comment === column.comment && value === column.default
  return isUnchanged ? column : { ...column, name, type, comment, default: value }
}

function fitKey(key: Key, place: Place, names: NameGiver): Key {
  return {
    ...key,
    name: names.give(key.name, 'constraint'),
    columns: key.columns.map(column => columnName(place, column)),
  }
}

/** Where a unique constraint counts missing values as equal, an index without them does what the model means. */
function isFiltered(
  key: Key,
  table: Table,
  place: Place,
  byName: ReadonlyMap<string, Column>,
  context: Context,
): boolean {
  const nullable = key.columns.map(name => byName.get(name)).find(column => column?.nullable)
  if (!nullable) return false
  if (!context.caps.isReferenced(table.name, nullable.source.name.trim())) return true
  context.notes.about('singleEmptyRow', noteTexts.singleEmptyRow(nullable.name), table.source, nullable.source)
  return false
}

function filteredIndex(key: Key): Index {
  return { ...key, unique: true, onlyPresent: true }
}

function fitCheck(
  check: Check,
  table: Table,
  place: Place,
  byName: ReadonlyMap<string, Column>,
  { dialect, names, notes }: Context,
): Check[] {
  const column = columnName(place, check.column)
  const type = byName.get(column)?.type
  const present = dialect.hasEmptyText ? check.values : check.values.filter(({ value }) => value !== '')
  if (present.length < check.values.length) {
    notes.about('emptyText', noteTexts.emptyText(check.column), table.source, check.source)
  }
  const values = present.filter(value => type && dialect.holds(value, type) && !isRounded(value, type))
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

function fitIndex(
  index: Index,
  table: Table,
  place: Place,
  byName: ReadonlyMap<string, Column>,
  context: Context,
): Index[] {
  const { dialect, names, notes } = context
  const columns = index.columns.map(column => columnName(place, column))
  const limit = dialect.limits.index ?? Number.POSITIVE_INFINITY
  const parts = columns.flatMap(name => byName.get(name) ?? [])
  // What an index has beside the attribute that it is for takes of its room.
  const isTooLong = parts.reduce((sum, column) => sum + indexLength(column, dialect), 0) > limit
  const [longest] = isTooLong ? parts.toSorted((a, b) => indexLength(b, dialect) - indexLength(a, dialect)) : []
  if (longest) {
    notes.about('indexTooLong', noteTexts.indexTooLong(longest.source.name), table.source, longest.source)
    return []
  }
  return [{ ...index, name: names.give(index.name, 'constraint'), columns }]
}

function indexLength({ type }: Column, dialect: Dialect): number {
  if (type.kind === 'varchar') return type.length
  return type.kind === 'text' && dialect.limits.index !== null ? Number.POSITIVE_INFINITY : 0
}

function fitForeignKey(key: ForeignKey, place: Place, { dialect, names }: Context): ForeignKey {
  return {
    ...key,
    name: names.give(key.name, 'constraint'),
    columns: key.columns.map(column => columnName(place, column)),
    onDelete: supported(key.onDelete, dialect),
  }
}

/** What its foreign keys refer to under the names that it has in the database. */
function withNamedTargets(table: Table, places: ReadonlyMap<string, Place>): Table {
  const foreignKeys = table.foreignKeys.map((key): ForeignKey => {
    const target = placeFor(key.references.table, places)
    const columns = key.references.columns.map(column => columnName(target, column))
    return { ...key, references: { table: target.name, columns } }
  })
  return { ...table, foreignKeys }
}

/** Without RESTRICT the standard's default remains: it refuses as well, at the end of the statement. */
function supported(action: ReferentialAction, dialect: Dialect): ReferentialAction {
  return dialect.actions.includes(action) ? action : 'noAction'
}

function fitWidth(wide: Table, { caps, dialect, notes }: Context): Table {
  const isReferenced = ({ source }: Column) => caps.isReferenced(wide.source.name, source.name.trim())
  const { table, shrunk, released, tooLong } = dialect.fitRow(wide, isReferenced)
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
