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
