import type { DatabaseType } from '@cadmus/model/database-types'
import type { ColumnPair, TablePair } from '../alter-pairs.ts'
import { checkLine, columnLine, conditionLine, createIndexes, keyLine } from '../compiler.ts'
import { defaultText, quotedText, type Dialect } from '../dialect.ts'
import type { Column, Table } from '../tree.ts'
import type { Action, Phase } from './action.ts'
import { orderedRenames } from './renames.ts'
import type { Part, PartChanges } from './surviving.ts'
import { checkOf, isChanged, isTypeChanged, wordings } from './wording.ts'

type Context = {
  readonly dialect: Dialect
  readonly database: DatabaseType
  readonly parts: PartChanges<Part>
  /** The table's name from the phase of renames until that of tables. */
  readonly current: string
}

/** The changes of a table that keeps its records where they are, without its foreign keys and renames of the table and its keys. */
export function alteredInPlace(pair: TablePair, context: Context): Action[] {
  return context.database === 'mysql' ? alteredAtOnce(pair, context) : alteredStepwise(pair, context)
}

function alteredStepwise(pair: TablePair, { dialect, database, parts, current }: Context): Action[] {
  const { before, after, columns, added } = pair
  const wording = wordings[database]
  const [first, middle] = [before.name, current].map(dialect.quote)
  const on = (phase: Phase, statements: readonly string[]) =>
    statements.map((sql): Action => ({ phase, sql, entity: after.source.name, witness: null }))
  const dropped = droppedColumns(pair, dialect)
  const rechecked = columns.filter(one => isRechecked(one, dialect))
  return [
    ...on('data', computedColumns(before, dialect)),
    ...on(
      'keysOff',
      parts.dropped.map(part => wording.dropPart(first ?? '', part, dialect)),
    ),
    ...on(
      'keysOff',
      rechecked.flatMap(one => droppedCheck(before, one.before, dialect)),
    ),
    ...on('keysOff', dropped.first),
    ...on('renames', renamedColumns(pair, middle ?? '', dialect, database)),
    ...on(
      'columns',
      added.flatMap(column => wording.addColumn(middle ?? '', column, dialect)),
    ),
    ...on(
      'types',
      columns.flatMap(one => changeOf(one, middle ?? '', dialect, database)),
    ),
    ...on(
      'keys',
      rechecked.flatMap(one => addedCheck(after, one.after, dialect)),
    ),
    ...on(
      'keys',
      parts.added.flatMap(part => addedPart(after, part, dialect)),
    ),
    ...on('drops', dropped.last),
    ...on('comments', commentsOf(pair, dialect, database)),
  ]
}

/** Values that data steps compute get columns of their own, which then become those of the other schema. On PostgreSQL only. */
function computedColumns({ name, columns, computed = [] }: Table, dialect: Dialect): string[] {
  if (computed.length === 0) return []
  const table = dialect.quote(name)
  const added = computed.flatMap(one => columns.filter(column => column.name === one.name))
  return [
    ...added.map(column => `ALTER TABLE ${table} ADD COLUMN ${columnLine({ ...column, nullable: true }, dialect)}`),
    `UPDATE ${table} SET ${computed.map(one => `${dialect.quote(one.name)} = ${one.sql}`).join(', ')}`,
    ...added
      .filter(({ nullable }) => !nullable)
      .map(column => `ALTER TABLE ${table} ALTER COLUMN ${dialect.quote(column.name)} SET NOT NULL`),
  ]
}

function isRechecked(pair: ColumnPair, dialect: Dialect): boolean {
  return isTypeChanged(pair, dialect) || checkOf(pair.before, dialect) !== checkOf(pair.after, dialect)
}

/** A column whose name another one gets is dropped first. */
function droppedColumns({ before, after, dropped }: TablePair, { quote, names }: Dialect) {
  const used = new Set(after.columns.map(({ name }) => names.fold(name)))
  const drop = (table: string, isUsed: boolean) =>
    dropped
      .filter(({ name }) => used.has(names.fold(name)) === isUsed)
      .map(({ name }) => `ALTER TABLE ${quote(table)} DROP COLUMN ${quote(name)}`)
  return { first: drop(before.name, true), last: drop(after.name, false) }
}

function renamedColumns(
  { before, columns }: TablePair,
  table: string,
  { quote, names }: Dialect,
  database: DatabaseType,
): string[] {
  const { first, last } = orderedRenames(
    columns.map(of => ({ of, from: of.before.name, to: of.after.name })),
    new Set(before.columns.map(({ name }) => names.fold(name))),
    names.fold,
    0,
  )
  return [...first, ...last].map(({ from, to }) => wordings[database].renameColumn(table, quote(from), quote(to)))
}

function addedCheck({ name }: Table, { name: column, type, unchecked }: Column, dialect: Dialect): string[] {
  const check = unchecked ? null : dialect.typeCheck(dialect.quote(column), type)
  return check === null ? [] : [`ALTER TABLE ${dialect.quote(name)} ADD CHECK (${check})`]
}

function changeOf(pair: ColumnPair, table: string, dialect: Dialect, database: DatabaseType): string[] {
  const { before, after } = pair
  const statements = [
    ...(isChanged(pair, dialect) ? wordings[database].changeColumn(table, pair, dialect) : []),
    ...identityChange(pair, table, dialect),
  ]
  if (!before.nullable || after.nullable || after.default === null) return statements
  const at = statements.findIndex(sql => sql.endsWith(' SET NOT NULL'))
  return statements.toSpliced(at, 0, filled(table, after, after.name, dialect))
}

/** Records without a value get the default of a column that becomes required. */
function filled(table: string, { default: value, type }: Column, name: string, dialect: Dialect): string {
  const column = dialect.quote(name)
  return `UPDATE ${table} SET ${column} = ${value ? defaultText(dialect, value, type) : 'NULL'} WHERE ${column} IS NULL`
}

/** On PostgreSQL only; elsewhere such a table is rewritten. */
function identityChange({ before, after }: ColumnPair, table: string, dialect: Dialect): string[] {
  if (before.identity === after.identity) return []
  const column = dialect.quote(after.name)
  const alter = `ALTER TABLE ${table} ALTER COLUMN ${column}`
  if (!after.identity) return [`${alter} DROP IDENTITY`]
  const sequence = after.sequence === undefined ? '' : ` (SEQUENCE NAME ${dialect.quote(after.sequence)})`
  const serial = `pg_get_serial_sequence(${quotedText(table)}, ${quotedText(after.name)})`
  return [
    `${alter} ADD ${dialect.identity}${sequence}`,
    `SELECT setval(${serial}, largest) FROM (SELECT max(${column}) AS largest FROM ${table}) AS keys WHERE largest > 0`,
  ]
}

/** PostgreSQL has chosen its name. */
function droppedCheck({ name, checks, conditions = [] }: Table, column: Column, dialect: Dialect): string[] {
  if (checkOf(column, dialect) === null) return []
  const { quote } = dialect
  const table = `${quotedText(quote(name))}::regclass`
  const named = [...checks, ...conditions].map(check => ` AND conname <> ${quotedText(check.name)}`).join('')
  return [
    doBlock(
      `DECLARE name text; BEGIN FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = ${table} AND contype = 'c'${named}` +
        ` AND conkey = ARRAY(SELECT attnum FROM pg_attribute WHERE attrelid = ${table} AND attname = ${quotedText(column.name)})` +
        ` LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', ${table}, name); END LOOP; END`,
    ),
  ]
}

/** The body of a statement of PostgreSQL's own language, between marks that it does not contain. */
export function doBlock(body: string): string {
  let mark = '$cadmus$'
  while (body.includes(mark)) mark = `${mark.slice(0, -1)}_$`
  return `DO ${mark} ${body} ${mark}`
}

export function addedPart(table: Table, part: Part, dialect: Dialect): string[] {
  if (part.kind === 'index') {
    return createIndexes({ name: table.name, indexes: [part.item] }, dialect)
  }
  return [`ALTER TABLE ${dialect.quote(table.name)} ADD ${partLine(part, dialect)}`]
}

function partLine(part: Exclude<Part, { kind: 'index' }>, dialect: Dialect): string {
  if (part.kind === 'check')
    return 'condition' in part.item ? conditionLine(part.item, dialect) : checkLine(part.item, dialect)
  return keyLine(part.kind === 'unique' ? 'UNIQUE' : 'PRIMARY KEY', part.item, dialect)
}

/** Comments that differ; `after` has the names. */
function commentsOf({ before, after, columns, added }: TablePair, dialect: Dialect, database: DatabaseType): string[] {
  const changed = columns.filter(one => one.before.comment !== one.after.comment)
  const isTableChanged = before.comment !== after.comment
  const table = {
    ...after,
    comment: isTableChanged ? after.comment : '',
    columns: [...changed.map(one => one.after), ...added],
  }
  const removed = [
    ...(isTableChanged ? [{ column: null, before: before.comment, after: after.comment }] : []),
    ...changed.map(one => ({ column: one.after.name, before: one.before.comment, after: one.after.comment })),
  ].filter(one => one.before !== '' && (one.after === '' || database === 'mssql'))
  return [
    ...removed.map(({ column }) => removedComment(after.name, column, dialect, database)),
    ...dialect.comments(table),
  ]
}

function removedComment(table: string, column: string | null, { quote }: Dialect, database: DatabaseType): string {
  if (database !== 'mssql') {
    return column === null
      ? `COMMENT ON TABLE ${quote(table)} IS ''`
      : `COMMENT ON COLUMN ${quote(table)}.${quote(column)} IS ''`
  }
  const place = `@level0type = N'SCHEMA', @level0name = N'dbo', @level1type = N'TABLE', @level1name = N${quotedText(table)}`
  const level = column === null ? '' : `, @level2type = N'COLUMN', @level2name = N${quotedText(column)}`
  return `EXEC sys.sp_dropextendedproperty @name = N'MS_Description', ${place}${level}`
}

/** The comment of a table that has been altered, by which a script that is run again knows it. */
export const tableMark = 'cadmus_migration'

/** One statement, which exchanges names as well and is not broken off half done. */
function alteredAtOnce(pair: TablePair, { dialect, parts, current }: Context): Action[] {
  const { before, after, columns } = pair
  const { quote } = dialect
  const table = quote(current)
  const entity = after.source.name
  const clauses = clausesOf(pair, parts, dialect)
  const comment: Action = {
    phase: 'comments',
    sql: `ALTER TABLE ${quote(after.name)} COMMENT=${commentText(after, dialect)}`,
    entity,
    witness: null,
  }
  if (clauses.length === 0 && before.comment === after.comment) return []
  if (clauses.length === 0) return [comment]
  const fills = columns
    .filter(one => one.before.nullable && !one.after.nullable && one.after.default !== null)
    .map(one => filled(table, one.after, one.before.name, dialect))
  return [
    ...fills.map((sql): Action => ({ phase: 'columns', sql, entity, witness: null })),
    {
      phase: 'types',
      sql: `ALTER TABLE ${table}\n  ${[...clauses, `COMMENT=${quotedText(tableMark)}`].join(',\n  ')}`,
      entity,
      witness: { kind: 'mark', table: current },
    },
    comment,
  ]
}

function clausesOf(
  { after, columns, added, dropped }: TablePair,
  parts: PartChanges<Part>,
  dialect: Dialect,
): string[] {
  const { quote } = dialect
  const changed = columns.filter(
    one => one.before.name !== one.after.name || isChanged(one, dialect) || one.before.comment !== one.after.comment,
  )
  return [
    ...parts.dropped.map(part => dropClause(part, dialect)),
    ...dropped.map(({ name }) => `DROP COLUMN ${quote(name)}`),
    ...changed.map(one => `CHANGE COLUMN ${quote(one.before.name)} ${restated(one.after, dialect)}`),
    ...added.map(column => `ADD COLUMN ${columnLine(column, dialect)}`),
    ...parts.added.flatMap(part =>
      part.kind === 'index'
        ? addedPart(after, part, dialect).map(sql => sql.slice(sql.indexOf(' ADD ') + 1))
        : [`ADD ${partLine(part, dialect)}`],
    ),
  ]
}

function dropClause(part: Part, { quote }: Dialect): string {
  if (part.kind === 'primaryKey') return 'DROP PRIMARY KEY'
  return part.kind === 'check' ? `DROP CONSTRAINT ${quote(part.item.name)}` : `DROP INDEX ${quote(part.item.name)}`
}

/** MariaDB drops a check of a column that is not restated, MySQL keeps it as one of the table. */
function restated(column: Column, dialect: Dialect): string {
  const check = column.unchecked ? null : dialect.typeCheck(dialect.quote(column.name), column.type)
  const line = columnLine({ ...column, unchecked: true }, dialect)
  return check === null ? line : `${line} /*M! CHECK (${check}) */`
}

function commentText(table: Table, dialect: Dialect): string {
  const suffix = dialect.tableSuffix(table)
  const at = suffix.indexOf(' COMMENT=')
  return at < 0 ? "''" : suffix.slice(at + ' COMMENT='.length)
}
