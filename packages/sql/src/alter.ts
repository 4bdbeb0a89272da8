import type { AppliedStep } from '@cadmus/model/data-steps'
import { changesOf, recordsOf, type SchemaChange } from './alter-changes.ts'
import { pairsOf, type SchemaPairs, type TablePair, temporaryName } from './alter-pairs.ts'
import { countsOf, type SchemaCount } from './alter-counts.ts'
import { refusalsOf, type SchemaRefusal } from './alter-refusals.ts'
import { copiedColumns } from './alter-conversions.ts'
import { compileSchema } from './compiler.ts'
import { quotedText, type Dialect } from './dialect.ts'
import { withDataSteps } from './data-steps.ts'
import { databases, type RunDatabase } from './databases.ts'
import type { ForeignKey, Schema, Table } from './tree.ts'

/** Databases whose tables can be altered to a new version of the model. */
export const alterable = ['sqlite', 'postgresql'] as const satisfies readonly RunDatabase[]
export type AlterableDialect = (typeof alterable)[number]

export function isAlterable(database: RunDatabase): database is AlterableDialect {
  return alterable.some(name => name === database)
}

/**
 * The alteration from one version's tables to the next one's, keeping records. Statements have no semicolons and run in
 * one transaction.
 */
export type Alteration = {
  /** Empty if the tables are the same. */
  readonly changes: readonly SchemaChange[]
  /** Reasons why existing records may prevent the alteration. */
  readonly refusals: readonly SchemaRefusal[]
  /** What the records lose or prevent. */
  readonly counts: readonly SchemaCount[]
  /** Data steps that cannot be taken, which prevent it. */
  readonly faults: readonly string[]
  /** Run before any query, so that its answer remains valid. */
  readonly locks: readonly string[]
  /** On SQLite, foreign keys must not be enforced until the end. */
  readonly statements: readonly string[]
  /** Names that must not exist yet in the database. */
  readonly names: readonly string[]
}

/** `before` and `after` are adapted schemas of one package. Objects are matched by uid, then by name. */
export function alterationOf(
  before: Schema,
  after: Schema,
  dialectName: AlterableDialect,
  dataSteps: readonly AppliedStep[] = [],
): Alteration {
  const dialect = databases[dialectName].run.dialect
  const { pairs, faults } = withDataSteps(pairsOf(before, after), dataSteps, dialect)
  const changes = changesOf(pairs, dialect)
  const refusals = refusalsOf(pairs, dialect)
  const existing = new Set(before.tables.map(({ name }) => dialect.names.fold(name)))
  return {
    changes,
    faults,
    refusals,
    counts: countsOf(changes, refusals),
    locks: dialectName === 'sqlite' || changes.length === 0 ? [] : lockOf(before.tables, dialect),
    statements: dialectName === 'sqlite' ? onSqlite(pairs, dialect) : onPostgres(before, after, pairs, dialect),
    names: after.tables.map(({ name }) => name).filter(name => !existing.has(dialect.names.fold(name))),
  }
}

/** Creates each changed table under a temporary name, copies its rows, drops the old one and renames the new one. */
function onSqlite(pairs: SchemaPairs, dialect: Dialect): string[] {
  const changed = pairs.pairs.filter(({ isSame }) => !isSame)
  const created = changed.map(({ after }, index) => ({ ...after, name: temporaryName(index) }))
  const final = [...changed.map(({ after }) => after), ...pairs.added]
  const drop = [...changed.map(({ before }) => before), ...pairs.dropped]
  return [
    ...compileSchema(schemaOf(created), dialect).tables,
    ...changed.flatMap((pair, index) => [
      ...sequenceOnSqlite(pair, temporaryName(index)),
      ...copyOf(pair, pair.before.name, temporaryName(index), dialect),
    ]),
    ...drop.map(({ name }) => `DROP TABLE ${dialect.quote(name)}`),
    ...changed.map(
      ({ after }, index) => `ALTER TABLE ${dialect.quote(temporaryName(index))} RENAME TO ${dialect.quote(after.name)}`,
    ),
    ...compileSchema(schemaOf(pairs.added), dialect).tables,
    ...compileSchema(schemaOf(final), dialect).indexes,
  ]
}

/** Generated keys are not reused. */
function sequenceOnSqlite({ before, after }: TablePair, name: string): string[] {
  if (!before.columns.some(({ identity }) => identity) || !after.columns.some(({ identity }) => identity)) return []
  return [
    `INSERT INTO sqlite_sequence (name, seq) SELECT ${quotedText(name)}, seq FROM sqlite_sequence WHERE name = ${quotedText(before.name)}`,
  ]
}

/**
 * Renames each changed table, creates the new one and copies its rows; foreign keys are dropped before and added after.
 */
function onPostgres(before: Schema, after: Schema, pairs: SchemaPairs, dialect: Dialect): string[] {
  const changed = pairs.pairs.filter(({ isSame }) => !isSame)
  const created = [...changed.map(pair => pair.after), ...pairs.added]
  const dropped = new Set([...changed.map(pair => pair.before), ...pairs.dropped].map(({ name }) => name))
  const isDropped = (table: Table, { references }: ForeignKey) =>
    dropped.has(table.name) || dropped.has(references.table)
  const same = pairs.pairs.filter(({ isSame }) => isSame)
  const others = same.filter(pair => sequenceOf(pair.before) !== sequenceOf(pair.after))
  const unchanged = same.map(pair => ({
    ...pair.after,
    foreignKeys: pair.after.foreignKeys.filter(key => isDropped(pair.before, key)),
  }))
  const compiled = compileSchema(schemaOf(created), dialect)
  const alter = (name: string) => `ALTER TABLE ${dialect.quote(name)}`
  return [
    ...before.tables.flatMap(table =>
      table.foreignKeys
        .filter(key => isDropped(table, key))
        .map(key => `${alter(table.name)} DROP CONSTRAINT ${dialect.quote(key.name)}`),
    ),
    ...pairs.dropped.map(({ name }) => `DROP TABLE ${dialect.quote(name)}`),
    ...changed.flatMap(({ before: table }, index) => setAside(table, index, dialect)),
    ...others.flatMap(({ before: table }, index) => dropSequence(table, table.name, `same_${index}`, dialect)),
    ...compiled.preamble,
    ...others.flatMap(({ after: table }, index) => addSequence(table, `same_${index}`, dialect)),
    ...compiled.tables,
    ...changed.flatMap((pair, index) => [
      ...copyOf(pair, temporaryName(index), pair.after.name, dialect),
      ...continueSequence(pair.after, `changed_${index}`, dialect),
      `DROP TABLE ${dialect.quote(temporaryName(index))}`,
    ]),
    ...compiled.indexes,
    ...compileSchema(schemaOf([...created, ...unchanged]), dialect).foreignKeys,
    ...compiled.comments,
  ]
}

/** Renames the table and frees the names of its constraints, indexes and sequence. */
function setAside(table: Table, index: number, dialect: Dialect): string[] {
  const alter = `ALTER TABLE ${dialect.quote(table.name)}`
  const keys = [...(table.primaryKey ? [table.primaryKey] : []), ...table.uniques]
  return [
    ...keys.map(key => `${alter} DROP CONSTRAINT ${dialect.quote(key.name)}`),
    ...table.indexes.map(({ name }) => `DROP INDEX ${dialect.quote(name)}`),
    `${alter} RENAME TO ${dialect.quote(temporaryName(index))}`,
    ...dropSequence(table, temporaryName(index), `changed_${index}`, dialect),
  ]
}

/** The explicit name of the table's sequence; undefined if there is none. */
function sequenceOf({ columns }: Table): string | undefined {
  return columns.find(({ identity }) => identity)?.sequence
}

/** Drops the sequence, whose name may be needed by a new table, and saves its last value in a setting. */
function dropSequence({ columns }: Table, table: string, note: string, dialect: Dialect): string[] {
  const column = columns.find(({ identity }) => identity)
  if (!column) return []
  const lastValue = `pg_sequence_last_value(${serialOf(table, column.name, dialect)})`
  return [
    `SELECT set_config('cadmus.${note}', coalesce(${lastValue}::text, ''), true)`,
    `ALTER TABLE ${dialect.quote(table)} ALTER COLUMN ${dialect.quote(column.name)} DROP IDENTITY`,
  ]
}

/** Adds the new sequence of a table that does not change otherwise. */
function addSequence(table: Table, note: string, dialect: Dialect): string[] {
  const column = table.columns.find(({ identity }) => identity)
  if (!column) return []
  const name = column.sequence === undefined ? '' : ` (SEQUENCE NAME ${dialect.quote(column.sequence)})`
  return [
    `ALTER TABLE ${dialect.quote(table.name)} ALTER COLUMN ${dialect.quote(column.name)} ADD ${dialect.identity}${name}`,
    ...continueSequence(table, note, dialect),
  ]
}

/** Continues after the largest key and after the last number generated. */
function continueSequence({ name, columns }: Table, note: string, dialect: Dialect): string[] {
  const column = columns.find(({ identity }) => identity)
  if (!column) return []
  const lastValue = `nullif(current_setting('cadmus.${note}', true), '')::bigint`
  const largest = `(SELECT max(${dialect.quote(column.name)}) FROM ${dialect.quote(name)})`
  return [
    `SELECT setval(${serialOf(name, column.name, dialect)}, n) FROM (SELECT GREATEST(${largest}::bigint, ${lastValue}) AS n) AS s WHERE n > 0`,
  ]
}

function serialOf(table: string, column: string, dialect: Dialect): string {
  const text = (value: string) => dialect.literal({ kind: 'text', value })
  return `pg_get_serial_sequence(${text(dialect.quote(table))}, ${text(column)})::regclass`
}

function copyOf(pair: TablePair, from: string, into: string, dialect: Dialect): string[] {
  const copied = copiedColumns(pair, dialect)
  // A table with only a generated key has nothing to copy.
  if (copied.length === 0) return []
  const names = copied.map(({ name }) => dialect.quote(name)).join(', ')
  const values = copied.map(({ value }) => value).join(', ')
  return [
    `INSERT INTO ${dialect.quote(into)} (${names}) SELECT ${values} FROM ${recordsOf(pair.before, dialect, from)}`,
  ]
}

function lockOf(tables: readonly Table[], dialect: Dialect): string[] {
  if (tables.length === 0) return []
  return [`LOCK TABLE ${tables.map(({ name }) => dialect.quote(name)).join(', ')} IN ACCESS EXCLUSIVE MODE`]
}

function schemaOf(tables: readonly Table[]): Schema {
  return { name: '', tables }
}
