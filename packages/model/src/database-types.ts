/** The supported databases; wire codes. */
export const databaseTypes = ['postgresql', 'mysql', 'hsql', 'oracle', 'mssql'] as const
export type DatabaseType = (typeof databaseTypes)[number]

type DatabaseTypeRow = {
  label: string
  licence: string
  configuration: string
  properties: string
  aliases: readonly string[]
  identifierLength: number
  advice: string | null
  /** Connection URL for a database name. */
  url: (database: string) => string
}

/**
 * One row per database: its label, its names in licences, configurations and properties files, other accepted spellings, and the identifier
 * limit (bytes for Oracle and PostgreSQL, characters elsewhere).
 */
export const databaseTypeTable = {
  postgresql: {
    label: 'PostgreSQL',
    licence: 'postgresql',
    configuration: 'POSTGRESQL',
    properties: 'postgres',
    aliases: ['psql', 'postgres'],
    identifierLength: 63,
    advice: null,
    url: database => `jdbc:postgresql://localhost:5432/${database}`,
  },
  mysql: {
    label: 'MySQL',
    licence: 'mysql',
    configuration: 'MYSQL',
    properties: 'mysql',
    aliases: ['mariadb'],
    identifierLength: 64,
    advice: "sessionVariables=sql_mode='ANSI'",
    url: database => `jdbc:mysql://localhost:3306/${database}?sessionVariables=sql_mode='ANSI'`,
  },
  hsql: {
    label: 'HSQL',
    licence: 'hsql',
    configuration: 'HSQL',
    properties: 'hsql',
    aliases: ['hsqldb'],
    identifierLength: 128,
    advice: 'sql.syntax_mys=true',
    url: database => `jdbc:hsqldb:file:\${toroesb.home}data/hsql/${database}.db;hsqldb.tx=MVCC;sql.syntax_mys=true`,
  },
  oracle: {
    label: 'Oracle',
    licence: 'oracle',
    configuration: 'ORACLE',
    properties: 'oracle',
    aliases: [],
    identifierLength: 128,
    advice: null,
    url: database => `jdbc:oracle:thin:@localhost:1521:${database}`,
  },
  mssql: {
    label: 'SQL Server',
    licence: 'mssql',
    configuration: 'MSSQL',
    properties: 'mssql',
    aliases: ['sqlserver'],
    identifierLength: 128,
    advice: null,
    url: database => `jdbc:sqlserver://localhost:1433;databaseName=${database}`,
  },
} as const satisfies Record<DatabaseType, DatabaseTypeRow>

/** All versions of Oracle are one type: oracle9i, oracle_11g, oracle 23ai. */
const oracleVersion = /^oracle[ _-]?\d{1,2}[a-z]{0,2}$/

/** Code of any spelling (case-insensitive); undefined if unknown. */
export function databaseTypeOf(spelling: string): DatabaseType | undefined {
  const normalised = spelling.trim().toLowerCase()
  if (oracleVersion.test(normalised)) return 'oracle'
  return databaseTypes.find(type => {
    const row: DatabaseTypeRow = databaseTypeTable[type]
    return (
      type === normalised ||
      row.licence === normalised ||
      row.properties === normalised ||
      row.aliases.includes(normalised)
    )
  })
}

/** Default connection URL of the type; contains a placeholder if the database name is empty. */
export function connectionUrl(type: DatabaseType, databaseName: string): string {
  return databaseTypeTable[type].url(databaseName.trim() === '' ? 'database' : databaseName.trim())
}

const databaseName = '([A-Za-z0-9_](?:[A-Za-z0-9_.$-]{0,126}[A-Za-z0-9_$])?)'
const embeddedForms = [
  new RegExp(`^jdbc:sqlite:${databaseName}$`),
  new RegExp(
    `^jdbc:hsqldb:file:\\$\\{toroesb\\.home\\}/?data/hsql/${databaseName}\\.db(?:;hsqldb\\.tx=MVCC)?(?:;sql\\.syntax[_.]mys=true)?$`,
  ),
]

/** Database name of an instance's embedded database URL; undefined for other URLs. Linear in its length. */
export function embeddedDatabase(url: string): string | undefined {
  for (const form of embeddedForms) {
    const name = form.exec(url.trim())?.[1]
    if (name !== undefined) return name
  }
  return undefined
}

/** A misspelling in earlier templates, which HSQLDB ignores; treated like the correct one. */
const otherSpelling = 'sql.syntax.mys=true'

/** Recommended setting that a connection URL lacks; null if complete or empty, because the template contains it. */
export function missingAdvice(type: DatabaseType, url: string): string | null {
  const { advice } = databaseTypeTable[type]
  if (advice === null || url.trim() === '') return null
  const spellings = type === 'hsql' ? [advice, otherSpelling] : [advice]
  return spellings.some(spelling => url.toLowerCase().includes(spelling.toLowerCase())) ? null : advice
}
