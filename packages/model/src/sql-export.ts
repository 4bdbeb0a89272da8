import { type DatabaseType, databaseTypeTable } from './database-types.ts'

/** One of a few values, the default first. `labels` are their words in dialogs, in the same order. */
type Choice = { kind: 'choice'; values: readonly [string, ...string[]]; labels: readonly string[] }
/** A name for the script, empty by default. */
type Name = { kind: 'name'; most: number }

type SqlExportOption = (Choice | Name) & {
  label: string
  hint: string
  /** Databases whose scripts have something that the option changes; absent: all. */
  databases?: readonly DatabaseType[]
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
    ...switched,
    label: 'Foreign Keys',
    hint: 'Constraints that records referred to exist.',
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
  return option.kind === 'choice' ? option.values[0] : ''
}

/** Whether scripts for the database have something that the option changes. */
export function hasOption(name: SqlExportName, database: DatabaseType): boolean {
  return sqlExportOption(name).databases?.includes(database) ?? true
}

/** The options that change a script for the database, in order. */
export function changedOptions(options: Partial<SqlExport>, database: DatabaseType): SqlExportName[] {
  return sqlExportNames.filter(name => {
    const value = options[name]
    return value !== undefined && value !== defaultOf(name) && hasOption(name, database)
  })
}

/** Names that every database accepts in quotes and that need no quotes in queries. */
export const plainNamePattern = /^(?:[A-Za-z_][A-Za-z0-9_]*)?$/

/** What is wrong with a name; undefined if nothing is. */
export function nameFault(name: SqlExportName, text: string): string | undefined {
  const option = sqlExportOption(name)
  if (option.kind !== 'name' || (text.length <= option.most && plainNamePattern.test(text))) return undefined
  return nameRule(option)
}

export function nameRule({ most }: { most: number }): string {
  return `This must contain only letters, digits and underscores, not begin with a digit, and have at most ${most} characters.`
}

/** The value in words, for summaries. */
export function valueLabel(name: SqlExportName, value: string): string {
  const option = sqlExportOption(name)
  if (option.kind === 'name') return value === '' ? 'None' : value
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

export function proofText(database: DatabaseType): string {
  const proof = scriptProofs[database]
  const { label } = databaseTypeTable[database]
  return proof.kind === 'executed'
    ? `This script has not been executed. Cadmus is tested by executing scripts with these options on ${proof.on}.`
    : `This script has not been executed. Cadmus is tested by parsing scripts with these options as ${label}, not by executing them there.`
}
