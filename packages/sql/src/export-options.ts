import type { DatabaseType } from '@cadmus/model/database-types'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { changedOptions, type SqlExport, type SqlExportName } from '@cadmus/model/sql-export'
import { withLiterals } from '@cadmus/model/conditions/types'
import type { Literal } from '@cadmus/model/values/literal'
import { type ChoiceSetting, enumerationsOf, withChoiceTables, withChoiceTypes } from './choice-options.ts'
import { type Dialect, lengthCheck } from './dialect.ts'
import { existingObjects } from './existing-objects.ts'
import { charactersOf, type NameRules } from './names.ts'
import type { NoteCode } from './notes.ts'
import type { Layout } from './script-layout.ts'
import { respelled, snakeCase, type Spelling, withPrefix } from './script-names.ts'
import type { Column, ColumnType, Note, Schema, Table } from './tree.ts'

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
  /** What the option does otherwise than people may expect. */
  notes?(schema: Schema): Note[]
  /** Changes the adapted schema, with notes. */
  noted?(schema: Schema, dialect: Dialect, setting: ChoiceSetting): { schema: Schema; notes: Note[] }
}

const spellings: Readonly<Record<string, (name: string) => string>> = {
  snake: snakeCase,
  upper: name => snakeCase(name).toUpperCase(),
}

/** An effect that depends on the value, or one for each value. */
const effects: Readonly<Record<SqlExportName, Effect | ((value: string) => Effect)>> = {
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
  text: {
    schema: (schema, length) => withColumns(schema, column => withLength(column, Number(length))),
  },
  choices: value => ({ noted: value === 'table' ? withChoiceTables : withChoiceTypes }),
  generatedKeys: {
    schema: (schema, value) =>
      value === 'none' ? withColumns(schema, column => ({ ...column, identity: false })) : schema,
    writer: (dialect, value) => (value === 'serial' ? { ...dialect, identity: '', generatedType: serialOf } : dialect),
  },
  uuidKeys: { schema: schema => withTables(schema, withRandomKey) },
  instants: { schema: schema => withTables(schema, withoutZone) },
  guards: {
    writer: dialect => ({ ...dialect, typeCheck: (quoted, type) => lengthCheck(dialect, type, quoted) }),
    moot: ['typeUnchecked'],
  },
  collation: { writer: dialect => withCollation(dialect, '') },
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
  foreignKeys: value =>
    value === 'off'
      ? {
          adapted: schema => withTables(schema, table => ({ ...table, foreignKeys: [] })),
          moot: ['external', 'targetGone', 'targetAttributeGone', 'targetNotUnique', 'alternatives', 'cascadePath'],
        }
      : {},
  exists: value => (value === 'skip' ? { notes: existingNote } : {}),
  files: {},
  mysql: {
    writer(dialect, server) {
      const [, clause = ''] =
        (server === 'mysql' ? /\/\*!\d+ (.*?) \*\// : /\/\*M! (.*?) \*\//).exec(dialect.collation ?? '') ?? []
      return withCollation(dialect, ` ${clause}`)
    },
  },
}

/** The effects of options that differ from their defaults, for one database. */
export type ScriptOptions = {
  /** The names of the options with their values. */
  list: readonly string[]
  isRenamed: boolean
  schema(schema: Schema, rules: NameRules): Schema
  adapted(schema: Schema, dialect: Dialect): { schema: Schema; notes: readonly Note[] }
  writer(dialect: Dialect): Dialect
  isMoot(note: Note): boolean
  layout: Layout
}

export function scriptOptions(
  given: Partial<SqlExport>,
  database: DatabaseType,
  resolvedModel: ResolvedModel,
): ScriptOptions {
  const changed = changedOptions(given, database).map(name => {
    const value = given[name] ?? ''
    const effect = effects[name]
    return { name, value, effect: typeof effect === 'function' ? effect(value) : effect }
  })
  const moot = new Set<string>(changed.flatMap(({ effect }) => effect.moot ?? []))
  return {
    list: changed.map(({ name, value }) => `${name} ${value}`),
    isRenamed: changed.some(({ name }) => name === 'naming' || name === 'tablePrefix'),
    schema: (schema, rules) =>
      changed.reduce((next, { effect, value }) => effect.schema?.(next, value, rules) ?? next, schema),
    adapted(schema, dialect) {
      const notes: Note[] = changed.flatMap(({ effect }) => effect.notes?.(schema) ?? [])
      let next = schema
      for (const { effect, value } of changed) {
        next = effect.adapted?.(next, value, dialect) ?? next
        const noted = effect.noted?.(next, dialect, choiceSetting(given, database, resolvedModel))
        next = noted?.schema ?? next
        notes.push(...(noted?.notes ?? []))
      }
      return { schema: next, notes }
    },
    writer: dialect => changed.reduce((next, { effect, value }) => effect.writer?.(next, value) ?? next, dialect),
    isMoot: ({ code }) => moot.has(code),
    layout: {
      files: given.files ?? 'one',
      foreignKeys: given.foreignKeys ?? 'on',
      existing: existingObjects(given.exists ?? 'fail', database),
    },
  }
}

function choiceSetting(given: Partial<SqlExport>, database: DatabaseType, model: ResolvedModel): ChoiceSetting {
  const spell = spellings[given.naming ?? ''] ?? String
  return {
    database,
    enumerations: enumerationsOf(model),
    spelling: { table: name => `${given.tablePrefix ?? ''}${spell(name)}`, column: spell },
    foldsTexts: given.collation === 'database',
    hasForeignKeys: given.foreignKeys !== 'off',
  }
}

/** A default value that is longer decides, as it would be left out. */
function withLength(column: Column, most: number): Column {
  const { type, default: value } = column
  if (type.kind !== 'text' || type.length !== undefined) return column
  const least = value?.kind === 'text' ? charactersOf(value.value) : 0
  return { ...column, type: { kind: 'varchar', length: Math.max(most, least) } }
}

function existingNote({ tables: [first] }: Schema): Note[] {
  if (!first) return []
  const message = 'A table that exists already stays as it is, even if its columns and constraints are others.'
  return [{ severity: 'warning', code: 'existingStays', message, path: first.source.place.slice(0, 1) }]
}

function withTables(schema: Schema, change: (table: Table) => Table): Schema {
  return { ...schema, tables: schema.tables.map(change) }
}

function withColumns(schema: Schema, change: (column: Column) => Column): Schema {
  return withTables(schema, table => ({ ...table, columns: table.columns.map(change) }))
}

function serialOf(type: ColumnType): string {
  const size = type.kind === 'integer' ? type.bits : 64
  return size === 16 ? 'SMALLSERIAL' : size === 32 ? 'SERIAL' : 'BIGSERIAL'
}

/** A key of one guid, which is no foreign key, gets a random default. */
function withRandomKey(table: Table): Table {
  const [key, ...others] = table.primaryKey?.columns ?? []
  const isRandom = ({ name, type, source, default: value }: Column) =>
    name === key && others.length === 0 && type.kind === 'guid' && source.kind === 'typeAttribute' && value === null
  const uuid = { kind: 'computed', value: 'uuid' } as const
  return { ...table, columns: table.columns.map(column => (isRandom(column) ? { ...column, default: uuid } : column)) }
}

function withoutZone(table: Table): Table {
  const inUtc = (literal: Literal): Literal =>
    literal.kind === 'instant' ? { kind: 'timestamp', value: literal.value } : literal
  const defaultInUtc = (value: Column['default']): Column['default'] => {
    if (value?.kind !== 'computed') return value && inUtc(value)
    return value.value === 'instant' ? { ...value, value: 'utc' } : value
  }
  return {
    ...table,
    columns: table.columns.map(column =>
      column.type.kind === 'instant'
        ? { ...column, type: { kind: 'timestamp' }, default: defaultInUtc(column.default) }
        : column,
    ),
    checks: table.checks.map(check => ({ ...check, values: check.values.map(inUtc) })),
    ...(table.conditions
      ? { conditions: table.conditions.map(check => ({ ...check, condition: withLiterals(check.condition, inUtc) })) }
      : {}),
  }
}

/** The dialect's text for exact comparison is a statement, or follows a type or table after a space. */
function withCollation(dialect: Dialect, written: string): Dialect {
  const { collation } = dialect
  const changed = (text: string) => text.replace(` ${collation}`, () => written)
  return {
    ...dialect,
    preamble: tables => dialect.preamble(tables).filter(statement => statement !== collation),
    typeName: type => changed(dialect.typeName(type)),
    tableSuffix: table => changed(dialect.tableSuffix(table)),
  }
}
