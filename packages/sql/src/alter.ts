import { changesOf, type SchemaChange } from './alter-changes.ts'
import { pairsOf, type SchemaPairs, type TablePair } from './alter-pairs.ts'
import { refusalsOf, type SchemaRefusal } from './alter-refusals.ts'
import { copiedColumns } from './alter-values.ts'
import { compileSchema } from './compiler.ts'
import { quotedText, type Dialect } from './dialect.ts'
import { instanceDialects, type InstanceDialect } from './instance-dialects.ts'
import type { ForeignKey, Schema, Table } from './tree.ts'

/** Databases whose tables can be changed from one model to another. */
export const alterable = ['sqlite', 'postgresql'] as const satisfies readonly InstanceDialect[]
export type AlterableDialect = (typeof alterable)[number]

/** How tables of one version become those of the next, with the records in them. Texts are without semicolons, and run in one transaction. */
export type Alteration = {
  /** None: the tables are the same. */
  readonly changes: readonly SchemaChange[]
  /** What the records that are there may stand in the way of. */
  readonly refusals: readonly SchemaRefusal[]
  /** Run before anything is asked, so that what is answered stays true. */
  readonly locks: readonly string[]
  /** Foreign keys are not kept between them on SQLite; at the end they hold. */
  readonly statements: readonly string[]
  /** Names that no table may have yet. */
  readonly names: readonly string[]
}

/** `before` and `after` are schemas of one package as the database has them; the same thing is told by its uid, else by its name. */
export function alterationOf(before: Schema, after: Schema, dialectName: AlterableDialect): Alteration {
  const dialect = instanceDialects[dialectName]
  const pairs = pairsOf(before, after)
  const changes = changesOf(pairs, dialect)
  const known = new Set(before.tables.map(({ name }) => dialect.names.fold(name)))
  return {
    changes,
    refusals: refusalsOf(pairs, dialect),
    locks: dialectName === 'sqlite' || changes.length === 0 ? [] : lockOf(before.tables, dialect),
    statements: dialectName === 'sqlite' ? onSqlite(pairs, dialect) : onPostgres(before, after, pairs, dialect),
    names: after.tables.map(({ name }) => name).filter(name => !known.has(dialect.names.fold(name))),
  }
}

/** No package has such a table: `instanceSchemaOf` gives an entity of that name another one. */
function asideName(index: number): string {
  return `cadmus_aside_${index}`
}

/** A new table beside each one that changes, its rows copied; then it takes the name. */
function onSqlite(pairs: SchemaPairs, dialect: Dialect): string[] {
  const changed = pairs.pairs.filter(({ isSame }) => !isSame)
  const made = changed.map(({ after }, index) => ({ ...after, name: asideName(index) }))
  const final = [...changed.map(({ after }) => after), ...pairs.added]
  const drop = [...changed.map(({ before }) => before), ...pairs.dropped]
  return [
    ...texts(compileSchema(schemaOf(made), dialect).tables),
    ...changed.flatMap((pair, index) => [
      ...sequenceOnSqlite(pair, asideName(index)),
      ...copyOf(pair, pair.before.name, asideName(index), dialect),
    ]),
    ...drop.map(({ name }) => `DROP TABLE ${dialect.quote(name)}`),
    ...changed.map(
      ({ after }, index) => `ALTER TABLE ${dialect.quote(asideName(index))} RENAME TO ${dialect.quote(after.name)}`,
    ),
    ...texts(compileSchema(schemaOf(pairs.added), dialect).tables),
    ...texts(compileSchema(schemaOf(final), dialect).indexes),
  ]
}

/** A number that was given once is not given again. */
function sequenceOnSqlite({ before, after }: TablePair, name: string): string[] {
  if (!before.columns.some(({ identity }) => identity) || !after.columns.some(({ identity }) => identity)) return []
  return [
    `INSERT INTO sqlite_sequence (name, seq) SELECT ${quotedText(name)}, seq FROM sqlite_sequence WHERE name = ${quotedText(before.name)}`,
  ]
}

/** Each table that changes goes aside, and its rows into a new one; keys between tables are dropped before and made again after. */
function onPostgres(before: Schema, after: Schema, pairs: SchemaPairs, dialect: Dialect): string[] {
  const changed = pairs.pairs.filter(({ isSame }) => !isSame)
  const made = [...changed.map(pair => pair.after), ...pairs.added]
  const gone = new Set([...changed.map(pair => pair.before), ...pairs.dropped].map(({ name }) => name))
  const isUntied = (table: Table, { references }: ForeignKey) => gone.has(table.name) || gone.has(references.table)
  const same = pairs.pairs.filter(({ isSame }) => isSame)
  const others = same.filter(pair => sequenceOf(pair.before) !== sequenceOf(pair.after))
  const tied = same.map(pair => ({
    ...pair.after,
    foreignKeys: pair.after.foreignKeys.filter(key => isUntied(pair.before, key)),
  }))
  const compiled = compileSchema(schemaOf(made), dialect)
  const alter = (name: string) => `ALTER TABLE ${dialect.quote(name)}`
  return [
    ...before.tables.flatMap(table =>
      table.foreignKeys
        .filter(key => isUntied(table, key))
        .map(key => `${alter(table.name)} DROP CONSTRAINT ${dialect.quote(key.name)}`),
    ),
    ...pairs.dropped.map(({ name }) => `DROP TABLE ${dialect.quote(name)}`),
    ...changed.flatMap(({ before: table }, index) => goesAside(table, index, dialect)),
    ...others.flatMap(({ before: table }, index) => withoutSequence(table, table.name, `same_${index}`, dialect)),
    ...texts(compiled.preamble),
    ...others.flatMap(({ after: table }, index) => withSequence(table, `same_${index}`, dialect)),
    ...texts(compiled.tables),
    ...changed.flatMap((pair, index) => [
      ...copyOf(pair, asideName(index), pair.after.name, dialect),
      ...numbersGoOn(pair.after, `changed_${index}`, dialect),
      `DROP TABLE ${dialect.quote(asideName(index))}`,
    ]),
    ...texts(compiled.indexes),
    ...texts(compileSchema(schemaOf([...made, ...tied]), dialect).foreignKeys),
    ...texts(compiled.comments),
  ]
}

/** With nothing left whose name another table may want. */
function goesAside(table: Table, index: number, dialect: Dialect): string[] {
  const alter = `ALTER TABLE ${dialect.quote(table.name)}`
  const keys = [...(table.primaryKey ? [table.primaryKey] : []), ...table.uniques]
  return [
    ...keys.map(key => `${alter} DROP CONSTRAINT ${dialect.quote(key.name)}`),
    ...table.indexes.map(({ name }) => `DROP INDEX ${dialect.quote(name)}`),
    `${alter} RENAME TO ${dialect.quote(asideName(index))}`,
    ...withoutSequence(table, asideName(index), `changed_${index}`, dialect),
  ]
}

/** The name that the sequence of a table says to have; undefined where the database gives it one, or there is none. */
function sequenceOf({ columns }: Table): string | undefined {
  return columns.find(({ identity }) => identity)?.sequence
}

/** The sequence goes before anything is made: its name, whichever the database gave it, may be another table's. What it gave last is noted. */
function withoutSequence({ columns }: Table, table: string, note: string, dialect: Dialect): string[] {
  const column = columns.find(({ identity }) => identity)
  if (!column) return []
  const given = `pg_sequence_last_value(${serialOf(table, column.name, dialect)})`
  return [
    `SELECT set_config('cadmus.${note}', coalesce(${given}::text, ''), true)`,
    `ALTER TABLE ${dialect.quote(table)} ALTER COLUMN ${dialect.quote(column.name)} DROP IDENTITY`,
  ]
}

/** The other one of a table that stays as it is. */
function withSequence(table: Table, note: string, dialect: Dialect): string[] {
  const column = table.columns.find(({ identity }) => identity)
  if (!column) return []
  const name = column.sequence === undefined ? '' : ` (SEQUENCE NAME ${dialect.quote(column.sequence)})`
  return [
    `ALTER TABLE ${dialect.quote(table.name)} ALTER COLUMN ${dialect.quote(column.name)} ADD ${dialect.identity}${name}`,
    ...numbersGoOn(table, note, dialect),
  ]
}

/** Behind the largest, and behind all that were given. */
function numbersGoOn({ name, columns }: Table, note: string, dialect: Dialect): string[] {
  const column = columns.find(({ identity }) => identity)
  if (!column) return []
  const given = `nullif(current_setting('cadmus.${note}', true), '')::bigint`
  const most = `(SELECT max(${dialect.quote(column.name)}) FROM ${dialect.quote(name)})`
  return [
    `SELECT setval(${serialOf(name, column.name, dialect)}, n) FROM (SELECT GREATEST(${most}::bigint, ${given}) AS n) AS s WHERE n > 0`,
  ]
}

function serialOf(table: string, column: string, dialect: Dialect): string {
  const text = (value: string) => dialect.literal({ kind: 'text', value })
  return `pg_get_serial_sequence(${text(dialect.quote(table))}, ${text(column)})::regclass`
}

function copyOf(pair: TablePair, from: string, into: string, dialect: Dialect): string[] {
  const copied = copiedColumns(pair, dialect)
  // A table of nothing but a number: its records are told apart by no more than that.
  if (copied.length === 0) return []
  const names = copied.map(({ name }) => dialect.quote(name)).join(', ')
  const values = copied.map(({ value }) => value).join(', ')
  return [`INSERT INTO ${dialect.quote(into)} (${names}) SELECT ${values} FROM ${dialect.quote(from)}`]
}

function lockOf(tables: readonly Table[], dialect: Dialect): string[] {
  if (tables.length === 0) return []
  return [`LOCK TABLE ${tables.map(({ name }) => dialect.quote(name)).join(', ')} IN ACCESS EXCLUSIVE MODE`]
}

function schemaOf(tables: readonly Table[]): Schema {
  return { name: '', tables }
}

function texts(statements: readonly { readonly text: string }[]): string[] {
  return statements.map(({ text }) => text)
}
