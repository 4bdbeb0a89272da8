import type { DatabaseType } from '@cadmus/model/database-types'
import { changedOptions, type SqlExport, type SqlExportName } from '@cadmus/model/sql-export'
import { type Dialect, lengthCheck } from './dialect.ts'
import type { NameRules } from './names.ts'
import type { NoteCode } from './notes.ts'
import { respelled, snakeCase, type Spelling, withPrefix } from './script-names.ts'
import type { Note, Schema, Table } from './tree.ts'

/**
 * What an option does if it has not its default: it changes the model's schema, the schema after its adaptation to the database, or how
 * that is written. What only leaves things out does it at the end, so that all other lines stay as they are.
 */
type Effect = {
  schema?(schema: Schema, value: string, rules: NameRules): Schema
  adapted?(schema: Schema, value: string, dialect: Dialect): Schema
  writer?(dialect: Dialect, value: string): Dialect
  /** Notes about what is left out. */
  moot?: readonly NoteCode[]
}

const spellings: Readonly<Record<string, (name: string) => string>> = {
  snake: snakeCase,
  upper: name => snakeCase(name).toUpperCase(),
}

const effects: Readonly<Record<SqlExportName, Effect>> = {
  naming: {
    schema(schema, value, rules) {
      const spell = spellings[value] ?? String
      return respelled(schema, { table: spell, column: spell, constraint: spell }, rules)
    },
  },
  schema: { writer: (dialect, schema) => ({ ...dialect, schema }) },
  tablePrefix: {
    schema(schema, prefix, rules) {
      const spelling: Spelling = {
        table: name => `${prefix}${name}`,
        column: String,
        constraint: name => withPrefix(name, prefix),
      }
      return respelled(schema, spelling, rules)
    },
  },
  guards: {
    writer: dialect => ({ ...dialect, typeCheck: (quoted, type) => lengthCheck(dialect, type, quoted) }),
    moot: ['typeUnchecked'],
  },
  collation: { writer: withoutCollation },
  comments: {
    adapted: (schema, _value, { commentMark }) =>
      withTables(schema, table => ({
        ...table,
        comment: '',
        columns: table.columns.map(column => ({ ...column, comment: commentMark(column.type) })),
      })),
    moot: ['commentChanged', 'commentShortened', 'commentLeftOut'],
  },
  indexes: {
    adapted: schema =>
      withTables(schema, table => ({ ...table, indexes: table.indexes.filter(({ unique }) => unique) })),
    moot: ['indexTooLong'],
  },
  foreignKeys: {
    adapted: schema => withTables(schema, table => ({ ...table, foreignKeys: [] })),
    moot: ['external', 'targetGone', 'targetAttributeGone', 'targetNotUnique', 'alternatives', 'cascadePath'],
  },
}

/** The effects of options that differ from their defaults, for one database. */
export type ScriptOptions = {
  /** The names of the options with their values. */
  list: readonly string[]
  isRenamed: boolean
  schema(schema: Schema, rules: NameRules): Schema
  adapted(schema: Schema, dialect: Dialect): Schema
  writer(dialect: Dialect): Dialect
  isMoot(note: Note): boolean
}

export function scriptOptions(given: Partial<SqlExport>, database: DatabaseType): ScriptOptions {
  const changed = changedOptions(given, database).map(name => ({
    name,
    value: given[name] ?? '',
    effect: effects[name],
  }))
  const moot = new Set<string>(changed.flatMap(({ effect }) => effect.moot ?? []))
  return {
    list: changed.map(({ name, value }) => `${name} ${value}`),
    isRenamed: changed.some(({ name }) => name === 'naming' || name === 'tablePrefix'),
    schema: (schema, rules) =>
      changed.reduce((next, { effect, value }) => effect.schema?.(next, value, rules) ?? next, schema),
    adapted: (schema, dialect) =>
      changed.reduce((next, { effect, value }) => effect.adapted?.(next, value, dialect) ?? next, schema),
    writer: dialect => changed.reduce((next, { effect, value }) => effect.writer?.(next, value) ?? next, dialect),
    isMoot: ({ code }) => moot.has(code),
  }
}

function withTables(schema: Schema, change: (table: Table) => Table): Schema {
  return { ...schema, tables: schema.tables.map(change) }
}

/** The dialect's text for exact comparison is a statement, or follows a type or table. */
function withoutCollation(dialect: Dialect): Dialect {
  const { collation } = dialect
  const without = (text: string) => text.replace(` ${collation}`, '')
  return {
    ...dialect,
    preamble: tables => dialect.preamble(tables).filter(statement => statement !== collation),
    typeName: type => without(dialect.typeName(type)),
    tableSuffix: table => without(dialect.tableSuffix(table)),
  }
}
