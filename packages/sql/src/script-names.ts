import { withColumns } from '@cadmus/model/conditions/types'
import { automaticGroupName } from './group-constraints.ts'
import { newNameGiver, type NameRules } from './names.ts'
import { automaticCheckName } from './row-checks.ts'
import type { Column, ColumnSource, EntitySource, ForeignKey, Index, Key, RowCheck, Schema, Table } from './tree.ts'

/** How an option spells the names of a schema. */
export type Spelling = {
  table(name: string): string
  column(name: string): string
  constraint(name: string): string
}

/** Spells all names anew. Names that become equal get a hash, as names that a database shortens do. */
export function respelled(schema: Schema, spelling: Spelling, rules: NameRules): Schema {
  const giver = newNameGiver(onlyDistinct(rules))
  const names = new Map(
    schema.tables.map(table => [table.name, namesOf(table, giver.give(spelling.table(table.name), 'table'))]),
  )
  return { name: schema.name, tables: schema.tables.map(table => respelledTable(table, names)) }

  function namesOf(table: Table, name: string): TableNames {
    const columns = newNameGiver(onlyDistinct(rules))
    const given = table.columns.map(
      column => [column.name, columns.give(spelling.column(column.name), 'column')] as const,
    )
    return { name, columns: new Map(given), spelling }
  }
}

/** Whether a database accepts a name is checked when the schema is adapted to it. */
function onlyDistinct(rules: NameRules): NameRules {
  const isReserved = () => false
  return {
    ...rules,
    limit: Number.POSITIVE_INFINITY,
    illegal: null,
    isReservedColumn: isReserved,
    isReservedTable: isReserved,
    isReservedConstraint: isReserved,
  }
}

type TableNames = { name: string; columns: ReadonlyMap<string, string>; spelling: Spelling }

function respelledTable(table: Table, names: ReadonlyMap<string, TableNames>): Table {
  const own = names.get(table.name)
  if (!own) return table
  const column = (name: string) => own.columns.get(name) ?? name
  const source = (of: ColumnSource): ColumnSource => ({ ...of, name: column(of.name.trim()) })
  const key = <K extends Pick<Key, 'name' | 'columns' | 'sources'>>(one: K): K => ({
    ...one,
    name: own.spelling.constraint(one.name),
    columns: one.columns.map(column),
    sources: one.sources.map(source),
  })
  const entity: EntitySource = { ...table.source, name: own.name }
  return {
    ...table,
    name: own.name,
    source: entity,
    columns: table.columns.map(one =>
      respelledColumn({ ...one, name: column(one.name), source: source(one.source) }, names),
    ),
    primaryKey: table.primaryKey && key(table.primaryKey),
    uniques: table.uniques.map(key),
    indexes: table.indexes.map(key),
    checks: table.checks.map(check => ({
      ...check,
      name: own.spelling.constraint(check.name),
      column: column(check.column),
      source: source(check.source),
    })),
    ...respelledConditions(table, own, column),
    foreignKeys: table.foreignKeys.map(one => ({
      ...one,
      name: own.spelling.constraint(one.name),
      columns: one.columns.map(column),
      source: source(one.source),
      references: respelledTarget(one.references, names),
    })),
  }
}

function respelledConditions(
  { conditions }: Table,
  { spelling }: TableNames,
  column: (name: string) => string,
): Pick<Table, 'conditions'> {
  if (!conditions) return {}
  return {
    conditions: conditions.map(check => ({
      ...check,
      name: spelling.constraint(check.name),
      condition: withColumns(check.condition, one => ({ ...one, name: column(one.name) })),
      columns: check.columns.map(column),
    })),
  }
}

/** A column of a table outside of the schema is followed by none in it. */
function respelledColumn({ follows, ...column }: Column, names: ReadonlyMap<string, TableNames>): Column {
  const target = follows && names.get(follows.table)
  if (!target) return column
  return { ...column, follows: { table: target.name, column: target.columns.get(follows.column) ?? follows.column } }
}

function respelledTarget(
  references: ForeignKey['references'],
  names: ReadonlyMap<string, TableNames>,
): ForeignKey['references'] {
  const target = names.get(references.table)
  if (!target) return references
  return { table: target.name, columns: references.columns.map(name => target.columns.get(name) ?? name) }
}

/** OrderLine, orderLine and ORDER_LINE become order_line, HTTPServer becomes http_server. */
export function snakeCase(name: string): string {
  return name
    .replaceAll(/[^\p{L}\p{N}\p{M}_]+/gu, '_')
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
}

/** The prefix follows the kind of a constraint, so that kinds remain recognisable. */
export function withPrefix(constraint: string, prefix: string): string {
  const [kind = ''] = /^(?:pk|uq|ck|ix|fk|ct)_/i.exec(constraint) ?? []
  return `${kind}${prefix}${constraint.slice(kind.length)}`
}

/** The comment above the names in a script. */
export const modelNamesHeader = 'Names in the model:'

/**
 * Comment lines such as `order_line.unit_price = unitPrice` for the tables and columns whose names differ from the model's, and
 * `order_line..BY_DAY = by_day` for named groups and checks of a table.
 */
export function modelNameLines(model: Schema, written: Schema): string[] {
  const names = new Map<string, string>()
  for (const table of model.tables) {
    const { source, name, columns } = table
    names.set(source.uid, name)
    for (const column of columns) names.set(`${source.uid} ${column.source.uid}`, column.name)
    for (const group of namedGroups(table)) names.set(groupKey(source.uid, group), group.name)
    for (const check of namedChecks(table)) names.set(checkKey(source.uid, check), check.name)
  }
  const lineOf = (place: readonly string[], key: string): string[] => {
    const name = names.get(key)
    // An unpaired surrogate cannot be written.
    if (name === undefined || name === place.at(-1) || !name.isWellFormed()) return []
    return [`${place.map(encodedName).join('.')} = ${encodedName(name)}`]
  }
  const lines = written.tables.flatMap(table => [
    ...lineOf([table.name], table.source.uid),
    ...table.columns.flatMap(column => lineOf([table.name, column.name], `${table.source.uid} ${column.source.uid}`)),
    ...groupsOf(table).flatMap(group => lineOf([table.name, '', group.name], groupKey(table.source.uid, group))),
    ...(table.conditions ?? []).flatMap(check =>
      lineOf([table.name, '', check.name], checkKey(table.source.uid, check)),
    ),
  ])
  return lines.filter(line => line.length <= maxLineLength)
}

type WrittenGroup = Key & Partial<Pick<Index, 'descending'>> & { kind: 'unique' | 'index' }

/** Some databases have a unique index in the place of a unique constraint. */
function groupsOf({ uniques, indexes }: Table): WrittenGroup[] {
  return [
    ...uniques.map(key => ({ ...key, kind: 'unique' as const })),
    ...indexes.map(index => ({ ...index, kind: index.unique ? ('unique' as const) : ('index' as const) })),
  ]
}

function namedGroups(table: Table): WrittenGroup[] {
  return groupsOf(table).filter(({ kind, name, columns }) => name !== automaticGroupName(kind, table.name, columns))
}

function groupKey(table: string, { kind, sources, descending = [] }: WrittenGroup): string {
  return JSON.stringify([table, kind, sources.map(({ uid }, at) => [uid, descending[at] ?? false])])
}

/** Of several checks without names of the same columns, all but the first are numbered. */
function namedChecks({ name: table, conditions = [] }: Table): RowCheck[] {
  return conditions.filter(({ name, columns }) => {
    const automatic = automaticCheckName(
      table,
      columns.map(column => ({ name: column })),
    )
    return !name.startsWith(automatic) || !/^(?:_\d+)?$/.test(name.slice(automatic.length))
  })
}

function checkKey(table: string, { uid }: RowCheck): string {
  return JSON.stringify([table, 'check', uid])
}

/** SQL*Plus takes 4,999 characters. */
const maxLineLength = 4900

/** No command-line tool interprets letters, digits, underscores and percent signs. */
export function encodedName(name: string): string {
  return name
    .toWellFormed()
    .replaceAll(/[^\p{L}\p{N}_]/gu, character =>
      Array.from(new TextEncoder().encode(character), byte => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    )
}

/** Null for what no script of ours contains. */
export function decodedName(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
