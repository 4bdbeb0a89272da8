import { type DatabaseType, databaseTypeTable } from './database-types.ts'
import { formatCount } from './display.ts'

/** One of a few values, the default first. `labels` are their words in dialogs, in the same order. */
type Choice = { kind: 'choice'; values: readonly [string, ...string[]]; labels: readonly string[] }
/** A name for the script, empty by default. */
type Name = { kind: 'name'; most: number }
/** A number of characters, or the default word for none. */
type Length = { kind: 'length'; none: string; most: number }

type SqlExportOption = (Choice | Name | Length) & {
  label: string
  hint: string
  /** Databases whose scripts have something that the option changes; absent: all. */
  databases?: readonly DatabaseType[]
  /** Values that only some databases have; the others take the default instead. */
  only?: Readonly<Record<string, readonly DatabaseType[]>>
}

const switched = { kind: 'choice', values: ['on', 'off'], labels: ['Written', 'Left out'] } as const

/**
 * The options of exported SQL scripts, in the order of dialogs and of a script's header. Configuration, calls, dialogs and tests derive from
 * them; what an option does is its row in `sql/src/export-options.ts`. The defaults give the script without options.
 */
export const sqlExportOptions = {
  naming: {
    kind: 'choice',
    values: ['asIs', 'snake', 'upper'],
    labels: ['As in the model', 'snake_case', 'UPPER_CASE'],
    label: 'Names',
    hint: 'How tables, columns and constraints are named. An import of the script restores the names of the model.',
  },
  schema: {
    kind: 'name',
    most: 63,
    label: 'Schema',
    hint: 'The tables are created in this schema, which must exist. On MySQL it is a database.',
  },
  tablePrefix: {
    kind: 'name',
    most: 30,
    label: 'Table Prefix',
    hint: 'Begins the name of every table. An import of the script leaves it out again.',
  },
  text: {
    kind: 'length',
    none: 'unbounded',
    most: 10_000_000,
    label: 'Texts without Max Length',
    hint: 'The length of their VARCHAR, where no key or index gives one. Empty: unbounded. Beyond the longest VARCHAR of a database, the length is checked.',
  },
  choices: {
    kind: 'choice',
    values: ['check', 'native', 'table'],
    labels: ['A check', "The database's own type", 'A table'],
    label: 'Choices',
    hint: 'How a column is limited to its choices. A type or a table of an enumeration has its name and serves all of its attributes. Only PostgreSQL and MySQL have such types.',
  },
  generatedKeys: {
    kind: 'choice',
    values: ['identity', 'serial', 'none'],
    labels: ['Identity', 'Serial', 'Not generated'],
    label: 'Generated Keys',
    hint: 'How the database generates integer keys, if auto-increment is applied.',
    only: { serial: ['postgresql'] },
  },
  uuidKeys: {
    kind: 'choice',
    values: ['plain', 'default'],
    labels: ['From the writer', 'Random by default'],
    label: 'Keys of Guids',
    hint: 'Whether the database generates a missing guid of a key.',
    databases: ['postgresql', 'mysql', 'oracle', 'mssql'],
  },
  instants: {
    kind: 'choice',
    values: ['native', 'utc'],
    labels: ['With time zone', 'In UTC, without time zone'],
    label: 'Instants',
    hint: 'The type of moments.',
  },
  guards: {
    ...switched,
    label: 'Guards',
    hint: 'Checks that refuse values outside of the model, such as infinite numbers or a year 10000. Lengths and choices are always checked.',
  },
  collation: {
    kind: 'choice',
    values: ['binary', 'database'],
    labels: ['Exact', "The database's own"],
    label: 'Comparison of Texts',
    hint: 'Exact: upper and lower case and spaces at the end make a difference, as in the model.',
    databases: ['mysql', 'hsql', 'mssql'],
  },
  comments: {
    ...switched,
    label: 'Comments',
    hint: 'Descriptions as comments of tables and columns.',
  },
  indexes: {
    ...switched,
    label: 'Indexes',
    hint: 'Indexes that only make queries faster. Unique ones are always written.',
  },
  foreignKeys: {
    kind: 'choice',
    values: ['on', 'off', 'apart'],
    labels: [...switched.labels, 'In a second part'],
    label: 'Foreign Keys',
    hint: 'Constraints which ensure that records referred to exist. A second part can run after data were loaded.',
  },
  exists: {
    kind: 'choice',
    values: ['fail', 'skip', 'drop'],
    labels: ['The script fails', 'It stays', 'It is dropped first, with its data'],
    label: 'What Exists Already',
    hint: 'What the script does about a table of the same name.',
  },
  files: {
    kind: 'choice',
    values: ['one', 'perTable'],
    labels: ['One', 'One for each table'],
    label: 'Files',
    hint: 'The scripts of tables are numbered. A foreign key is in the later one of its two tables.',
  },
  mysql: {
    kind: 'choice',
    values: ['both', 'mysql', 'mariadb'],
    labels: ['MySQL and MariaDB', 'MySQL', 'MariaDB'],
    label: 'Servers',
    hint: 'For one kind of server the script has no conditional comments.',
    databases: ['mysql'],
  },
} as const satisfies Record<string, SqlExportOption>

export type SqlExportName = keyof typeof sqlExportOptions
type ValueOf<O extends SqlExportOption> = O extends Choice ? O['values'][number] : string
export type SqlExport = { [N in SqlExportName]: ValueOf<(typeof sqlExportOptions)[N]> }

export const sqlExportNames: readonly SqlExportName[] = Object.keys(sqlExportOptions).filter(isSqlExportName)

function isSqlExportName(text: string): text is SqlExportName {
  return Object.hasOwn(sqlExportOptions, text)
}

export function sqlExportOption(name: SqlExportName): SqlExportOption {
  return sqlExportOptions[name]
}

export function defaultOf(name: SqlExportName): string {
  const option = sqlExportOption(name)
  if (option.kind === 'choice') return option.values[0]
  return option.kind === 'length' ? option.none : ''
}

/** Whether scripts for the database have something that the option changes. */
export function hasOption(name: SqlExportName, database: DatabaseType): boolean {
  return sqlExportOption(name).databases?.includes(database) ?? true
}

/** Whether scripts for the database can have this value of the option. */
export function hasValue(name: SqlExportName, value: string, database: DatabaseType): boolean {
  return hasOption(name, database) && (sqlExportOption(name).only?.[value]?.includes(database) ?? true)
}

/** The options that change a script for the database, in order. */
export function changedOptions(options: Partial<SqlExport>, database: DatabaseType): SqlExportName[] {
  return sqlExportNames.filter(name => {
    const value = options[name]
    return value !== undefined && value !== defaultOf(name) && hasValue(name, value, database)
  })
}

/** Names that every database accepts in quotes and that need no quotes in queries. */
export const plainNamePattern = /^(?:[A-Za-z_][A-Za-z0-9_]*)?$/

/** A number without leading zeros. */
const lengthPattern = /^[1-9]\d{0,8}$/

/** What is wrong with a value that people type; undefined if nothing is. */
export function valueFault(name: SqlExportName, text: string): string | undefined {
  const option = sqlExportOption(name)
  if (option.kind === 'name') {
    return text.length <= option.most && plainNamePattern.test(text) ? undefined : nameRule(option)
  }
  if (option.kind !== 'length' || text === option.none) return undefined
  return lengthPattern.test(text) && Number(text) <= option.most ? undefined : lengthRule(option)
}

export function lengthRule({ most }: { most: number }): string {
  return `This must be a whole number from 1 to ${formatCount(most)}, or empty.`
}

export function nameRule({ most }: { most: number }): string {
  return `This must contain only letters, digits and underscores, not begin with a digit, and have at most ${most} characters.`
}

/** The value in words, for summaries. */
export function valueLabel(name: SqlExportName, value: string): string {
  const option = sqlExportOption(name)
  if (option.kind === 'name') return value === '' ? 'None' : value
  if (option.kind === 'length') return value === option.none ? 'Unbounded' : `VARCHAR(${value})`
  return option.labels[option.values.indexOf(value)] ?? value
}

/**
 * What this product's tests do with the scripts for a database, with every value of every option: they execute them on this release of an
 * engine and compare its tables with the model, or only parse them.
 */
export const scriptProofs = {
  postgresql: { kind: 'executed', on: 'PostgreSQL 15' },
  mysql: { kind: 'executed', on: 'MariaDB 10.11' },
  hsql: { kind: 'executed', on: 'HSQLDB 2.7' },
  oracle: { kind: 'parsed' },
  mssql: { kind: 'parsed' },
} as const satisfies Record<DatabaseType, { kind: 'executed'; on: string } | { kind: 'parsed' }>

/** Values that the engine of a database cannot execute. */
const notExecuted: Readonly<Partial<Record<SqlExportName, readonly string[]>>> = { mysql: ['mysql'] }

/** The engine on which the product's tests execute scripts with these options; null if they only parse them. */
export function executedOn(database: DatabaseType, options: Partial<SqlExport>): string | null {
  const proof = scriptProofs[database]
  const isParsed = changedOptions(options, database).some(name => notExecuted[name]?.includes(options[name] ?? ''))
  return proof.kind === 'parsed' || isParsed ? null : proof.on
}

export function proofText(database: DatabaseType, options: Partial<SqlExport>): string {
  const engine = executedOn(database, options)
  const { label } = databaseTypeTable[database]
  return engine !== null
    ? `This script has not been executed. Cadmus is tested by executing scripts with these options on ${engine}.`
    : `This script has not been executed. Cadmus is tested by parsing scripts with these options as ${label}, not by executing them there.`
}
