import { type SchemaPairs, temporaryName } from './alter-pairs.ts'
import { copyRecords } from './copy-records.ts'
import { compileSchema } from './compiler.ts'
import { databases } from './databases.ts'
import { quotedText, type Dialect } from './dialect.ts'
import type { ScriptedDatabase } from './scripted-conversions.ts'
import type { ForeignKey, Schema, Table } from './tree.ts'

/** What databases word differently; `table` and `name` are quoted. */
type Wording = {
  dropForeignKey: (table: string, name: string) => string
  /** Drops the constraints of a table whose names its replacement needs. */
  dropNames: (table: Table, dialect: Dialect) => readonly string[]
  rename: (from: string, to: string, dialect: Dialect) => string
  /** Before and after the statements. */
  frame: readonly [before: readonly string[], after: readonly string[]]
}

const dropConstraint = (table: string, name: string) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`

const common: Wording = {
  dropForeignKey: dropConstraint,
  dropNames: ({ name, primaryKey, uniques, checks, conditions = [] }, dialect) =>
    [...checks, ...conditions, ...uniques, ...(primaryKey ? [primaryKey] : [])].map(key =>
      dropConstraint(dialect.quote(name), dialect.quote(key.name)),
    ),
  rename: (from, to, { quote }) => `ALTER TABLE ${quote(from)} RENAME TO ${quote(to)}`,
  frame: [[], []],
}

const wordings: Readonly<Record<ScriptedDatabase, Wording>> = {
  mysql: {
    ...common,
    dropForeignKey: (table, name) => `ALTER TABLE ${table} DROP FOREIGN KEY ${name}`,
    // Names of keys belong to their table.
    dropNames: ({ name, checks, conditions = [] }, dialect) =>
      [...checks, ...conditions].map(check => dropConstraint(dialect.quote(name), dialect.quote(check.name))),
  },
  hsql: common,
  oracle: {
    ...common,
  },
  mssql: {
    ...common,
    rename: (from, to, { quote }) => `EXEC sp_rename N${quotedText(quote(from))}, N${quotedText(to)}`,
    frame: [['SET XACT_ABORT ON', 'BEGIN TRANSACTION'], ['COMMIT']],
  },
}

/**
 * The statements, without semicolons, by which a person makes the tables those of the other schema, for databases that an instance does not
 * alter: creates each changed table under a temporary name, copies its records, drops the old one and renames the new one. A value that
 * its new type does not accept stops them before a table is dropped, or is rounded.
 */
export function migrationOf(before: Schema, pairs: SchemaPairs, database: ScriptedDatabase): string[] {
  const wording = wordings[database]
  const { dialect, queries } = databases[database].run
  const changed = pairs.pairs.filter(({ isSame }) => !isSame)
  if (changed.length + pairs.added.length + pairs.dropped.length === 0) return []
  const { quote } = dialect
  const dropped = [...changed.map(pair => pair.before), ...pairs.dropped]
  const gone = new Set(dropped.map(({ name }) => name))
  const isGone = (table: Table, { references }: ForeignKey) => gone.has(table.name) || gone.has(references.table)
  const aside = compileSchema(
    schemaOf(changed.map(({ after }, at) => ({ ...after, name: temporaryName(at) }))),
    dialect,
  )
  const final = [...changed.map(({ after }) => after), ...pairs.added]
  const unchanged = pairs.pairs
    .filter(({ isSame }) => isSame)
    .map(pair => ({ ...pair.after, foreignKeys: pair.after.foreignKeys.filter(key => isGone(pair.before, key)) }))
  const compiled = compileSchema(schemaOf(final), dialect)
  const [begin, end] = wording.frame
  return [
    // The settings under which values are refused rather than changed, and texts are read as numbers.
    ...new Set([...queries.session, ...compiled.preamble]),
    ...begin,
    ...before.tables.flatMap(table =>
      table.foreignKeys
        .filter(key => isGone(table, key))
        .map(key => wording.dropForeignKey(quote(table.name), quote(key.name))),
    ),
    ...changed.flatMap(pair => wording.dropNames(pair.before, dialect)),
    ...aside.tables,
    ...changed.flatMap((pair, at) => copyRecords(pair, temporaryName(at), dialect, database)),
    ...dropped.map(({ name }) => `DROP TABLE ${quote(name)}`),
    ...changed.map(({ after }, at) => wording.rename(temporaryName(at), after.name, dialect)),
    ...compileSchema(schemaOf(pairs.added), dialect).tables,
    ...compiled.indexes,
    ...compileSchema(schemaOf([...final, ...unchanged]), dialect).foreignKeys,
    ...compiled.comments,
    ...end,
  ]
}

function schemaOf(tables: readonly Table[]): Schema {
  return { name: '', tables }
}
