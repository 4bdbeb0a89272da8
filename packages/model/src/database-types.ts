type DatabaseTypeRow = { label: string; aliases?: readonly string[] }

/** The supported databases by wire code, which licences use too, with their accepted spellings. */
export const databaseTypeTable = {
  postgresql: { label: 'PostgreSQL', aliases: ['psql', 'postgres'] },
  mysql: { label: 'MySQL', aliases: ['mariadb'] },
  hsql: { label: 'HSQL', aliases: ['hsqldb'] },
  oracle: { label: 'Oracle' },
  mssql: { label: 'SQL Server', aliases: ['sqlserver'] },
} as const satisfies Record<string, DatabaseTypeRow>
export type DatabaseType = keyof typeof databaseTypeTable

export const databaseTypes: readonly DatabaseType[] = Object.keys(databaseTypeTable).filter(isDatabaseType)

function isDatabaseType(text: string): text is DatabaseType {
  return Object.hasOwn(databaseTypeTable, text)
}

/** All versions of Oracle are one type: oracle9i, oracle_11g, oracle 23ai. */
const oracleVersion = /^oracle[ _-]?\d{1,2}[a-z]{0,2}$/

/** Code of any spelling (case-insensitive); undefined if unknown. */
export function databaseTypeOf(spelling: string): DatabaseType | undefined {
  const normalised = spelling.trim().toLowerCase()
  if (oracleVersion.test(normalised)) return 'oracle'
  return databaseTypes.find(type => spellingsOf(type).includes(normalised))
}

/** Accepted spellings, in lower case. */
export function spellingsOf(type: DatabaseType): readonly string[] {
  const { aliases = [] }: DatabaseTypeRow = databaseTypeTable[type]
  return [type, ...aliases]
}

type PackageDatabaseRow = {
  configuration: string
  properties: string
  advice: string | null
  /** Connection URL for a database name. */
  url: (database: string) => string
}

/** Databases of packages: their names in configurations and properties files, recommended settings and connection URLs. */
export const packageDatabaseTable = {
  postgresql: {
    configuration: 'POSTGRESQL',
    properties: 'postgres',
    advice: null,
    url: database => `jdbc:postgresql://localhost:5432/${database}`,
  },
  mysql: {
    configuration: 'MYSQL',
    properties: 'mysql',
    advice: "sessionVariables=sql_mode='ANSI'",
    url: database => `jdbc:mysql://localhost:3306/${database}?sessionVariables=sql_mode='ANSI'`,
  },
  hsql: {
    configuration: 'HSQL',
    properties: 'hsql',
    advice: 'sql.syntax_mys=true',
    url: database => `jdbc:hsqldb:file:\${toroesb.home}data/hsql/${database}.db;hsqldb.tx=MVCC;sql.syntax_mys=true`,
  },
  oracle: {
    configuration: 'ORACLE',
    properties: 'oracle',
    advice: null,
    url: database => `jdbc:oracle:thin:@localhost:1521:${database}`,
  },
  mssql: {
    configuration: 'MSSQL',
    properties: 'mssql',
    advice: null,
    url: database => `jdbc:sqlserver://localhost:1433;databaseName=${database}`,
  },
} as const satisfies Partial<Record<DatabaseType, PackageDatabaseRow>>
export type PackageDatabase = keyof typeof packageDatabaseTable

export function isPackageDatabase(type: DatabaseType): type is PackageDatabase {
  return Object.hasOwn(packageDatabaseTable, type)
}

export const packageDatabases: readonly PackageDatabase[] = databaseTypes.filter(isPackageDatabase)

/** Code of any spelling; undefined if packages cannot use the database. */
export function packageDatabaseOf(spelling: string): PackageDatabase | undefined {
  const type = databaseTypeOf(spelling)
  return type !== undefined && isPackageDatabase(type) ? type : undefined
}

/** Recommended setting of connections; null if there is none. */
export function adviceFor(type: DatabaseType): string | null {
  return isPackageDatabase(type) ? packageDatabaseTable[type].advice : null
}

/** Default connection URL of the type; contains a placeholder if the database name is empty. */
export function connectionUrl(type: PackageDatabase, databaseName: string): string {
  return packageDatabaseTable[type].url(databaseName.trim() === '' ? 'database' : databaseName.trim())
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

const passwordsInUrls = [
  /:\/\/[^/?#@\s:]*:[^/?#@\s]+@/,
  /^jdbc:oracle:[a-z]+:[^@/\s]*\/[^@\s]+@/i,
  /[?&;,(](?:[\w.]*(?:password|passphrase|passwd)|pwd)=[^&;,)]/i,
]

/** Whether a connection URL contains a password: before the host or as a parameter. Linear in its length. */
export function hasPassword(url: string): boolean {
  return passwordsInUrls.some(form => form.test(url.trim()))
}

/** A misspelling in earlier templates, which HSQLDB ignores; treated like the correct one. */
const otherSpelling = 'sql.syntax.mys=true'

/** Recommended setting that a connection URL lacks; null if complete or empty, because the template contains it. */
export function missingAdvice(type: PackageDatabase, url: string): string | null {
  const { advice } = packageDatabaseTable[type]
  if (advice === null || url.trim() === '') return null
  const spellings = type === 'hsql' ? [advice, otherSpelling] : [advice]
  return spellings.some(spelling => url.toLowerCase().includes(spelling.toLowerCase())) ? null : advice
}
