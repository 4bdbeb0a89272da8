import { expect, it } from 'vitest'
import { databaseTypeSchema } from './contract/shared.ts'
import { databaseTypeOf, databaseTypes, spellingsOf } from './database-types.ts'

it('accepts every spelling of the five databases', () => {
  const spellings = {
    postgresql: ['postgresql', 'PSQL', 'POSTGRESQL', 'postgres'],
    mysql: ['mysql', 'MYSQL', 'mariadb'],
    hsql: ['hsql', 'hsqldb'],
    oracle: ['oracle', 'Oracle8i', 'ORACLE_9i', 'Oracle 11g', 'oracle-12c', 'ORACLE19C', 'oracle23ai'],
    mssql: ['mssql', ' MSSQL ', 'sqlserver'],
  }
  for (const [type, accepted] of Object.entries(spellings))
    expect(new Set(accepted.map(databaseTypeOf))).toEqual(new Set([type]))
  for (const other of ['db2', 'oracular', 'oracle11g2', 'my oracle11g']) expect(databaseTypeOf(other)).toBeUndefined()
  expect(databaseTypeSchema.safeParse('db2').error?.issues[0]?.message).toBe('"db2" is not a known database type.')
})

it('assigns no spelling to two databases', () => {
  const all = databaseTypes.flatMap(spellingsOf)
  expect(new Set(all).size).toBe(all.length)
})
