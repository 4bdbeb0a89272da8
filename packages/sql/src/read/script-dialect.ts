import { databaseTypes, databaseTypeTable, type DatabaseType } from '@cadmus/model/database-types'

/** Number of characters examined to detect the dialect. */
const head = 200_000

/** Marks of each dialect; the first match wins. Every pattern has bounded lookahead. */
const marks: readonly (readonly [DatabaseType, RegExp])[] = [
  ['postgresql', /^-- PostgreSQL database dump|^SELECT pg_catalog\.|^SET (?:statement_timeout|search_path)\b/m],
  ['mysql', /^-- (?:MySQL|MariaDB) dump|^\/\*M?!\d|\bENGINE ?=|^[ \t]{0,20}`/m],
  [
    'mssql',
    /^[ \t]{0,20}(?:SET (?:ANSI_NULLS|QUOTED_IDENTIFIER) ON|GO)[ \t]{0,20};?\r?$|CREATE TABLE \[|\bsp_addextendedproperty\b/im,
  ],
  ['hsql', /^SET DATABASE |\bVARCHAR_IGNORECASE\b|^CREATE (?:MEMORY|CACHED) TABLE/im],
  ['oracle', /\bN?VARCHAR2 ?\(|\bNUMBER ?[(,\s]|^\/[ \t]{0,20}\r?$/im],
  ['postgresql', /\bSERIAL\b|\bBYTEA\b|\bJSONB\b|\bTIMESTAMPTZ\b|::/i],
  ['mysql', /\bAUTO_INCREMENT\b|\bLONGTEXT\b|`/i],
  ['mssql', /\bNVARCHAR ?\(MAX\)|\bUNIQUEIDENTIFIER\b|\bDATETIME2\b|\bIDENTITY ?\(/i],
]

/** The dialect of a script: by the title of a generated script, else by its marks. */
export function dialectOf(script: string): DatabaseType {
  const start = script.slice(0, head)
  return ownDialectOf(script) ?? marks.find(([, mark]) => mark.test(start))?.[0] ?? 'postgresql'
}

/** The dialect named in the title of a generated script. */
export function ownDialectOf(script: string): DatabaseType | undefined {
  const label = /^-- Database schema of .{0,200} for (.{1,40})$/m.exec(script.slice(0, 1000))?.[1]
  return databaseTypes.find(type => databaseTypeTable[type].label === label)
}

/** Whether every line is a statement, as in the schema files of HSQLDB, which begin with the database name. */
export function isByLines(script: string, dialect: DatabaseType): boolean {
  return dialect === 'hsql' && /^SET DATABASE (?:UNIQUE )?NAME [^;\n]*$/m.test(script.slice(0, 1000))
}
