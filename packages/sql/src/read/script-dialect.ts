import { databaseTypes, databaseTypeTable, type DatabaseType } from '@cadmus/model/database-types'

/** What is looked at to tell whose SQL a script is. */
const head = 200_000

/** Each expression looks a bounded way ahead. Each with what no other database's scripts have; the first that is found counts. */
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

/** Whose SQL a script is: by the title of our own scripts, else by what it has that others have not. */
export function dialectOf(script: string): DatabaseType {
  const start = script.slice(0, head)
  return ownDialectOf(script) ?? marks.find(([, mark]) => mark.test(start))?.[0] ?? 'postgresql'
}

/** The database of one of our own scripts, which says it in its title; undefined for those of others. */
export function ownDialectOf(script: string): DatabaseType | undefined {
  const label = /^-- Database schema of .{0,200} for (.{1,40})$/m.exec(script.slice(0, 1000))?.[1]
  return databaseTypes.find(type => databaseTypeTable[type].label === label)
}

/** Whether each line is a statement, as in the files in which HSQLDB keeps a schema: they begin with the database's name. */
export function isByLines(script: string, dialect: DatabaseType): boolean {
  return dialect === 'hsql' && /^SET DATABASE (?:UNIQUE )?NAME [^;\n]*$/m.test(script.slice(0, 1000))
}
