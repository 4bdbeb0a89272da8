import { expect, it } from 'vitest'
import { databaseTypeSchema } from './contract/manifest-transfer.ts'
import {
  connectionUrl,
  databaseTypeOf,
  databaseTypes,
  databaseTypeTable,
  embeddedDatabase,
  missingAdvice,
} from './database-types.ts'

it('accepts every spelling of the five databases', () => {
  const spellings = {
    postgresql: ['postgresql', 'PSQL', 'POSTGRESQL', 'postgres'],
    mysql: ['mysql', 'MYSQL'],
    hsql: ['hsql', 'hsqldb'],
    oracle: ['oracle', 'Oracle8i', 'ORACLE_9i', 'Oracle 11g', 'oracle-12c', 'ORACLE19C', 'oracle23ai'],
    mssql: ['mssql', ' MSSQL '],
  }
  for (const type of databaseTypes) {
    const row = databaseTypeTable[type]
    const all = [...spellings[type], row.configuration, row.licence, row.properties, ...row.aliases]
    expect(new Set(all.map(databaseTypeOf))).toEqual(new Set([type]))
  }
  for (const other of ['db2', 'oracular', 'oracle11g2', 'my oracle11g']) expect(databaseTypeOf(other)).toBeUndefined()
  expect(databaseTypeSchema.safeParse('db2').error?.issues[0]?.message).toBe('"db2" is not a known database type.')
})

it('assigns no spelling to two databases', () => {
  const all = databaseTypes.flatMap(type => {
    const { licence, properties, aliases } = databaseTypeTable[type]
    return [...new Set<string>([type, licence, properties, ...aliases])]
  })
  expect(new Set(all).size).toBe(all.length)
})

it('recommends missing settings of a connection URL in either spelling', () => {
  expect(missingAdvice('hsql', 'jdbc:hsqldb:mem:shop')).toBe('sql.syntax_mys=true')
  expect(missingAdvice('hsql', 'jdbc:hsqldb:mem:shop;sql.syntax_mys=true')).toBeNull()
  expect(missingAdvice('hsql', 'jdbc:hsqldb:mem:shop;sql.syntax.mys=true')).toBeNull()
  expect(missingAdvice('mysql', 'jdbc:mysql://localhost/shop')).toBe("sessionVariables=sql_mode='ANSI'")
  expect(missingAdvice('mysql', "jdbc:mysql://localhost/shop?sessionVariables=sql_mode='ANSI'")).toBeNull()
  expect(missingAdvice('postgresql', '')).toBeNull()
  // A blank URL is replaced by the template, which contains the setting.
  expect(missingAdvice('mysql', ' ')).toBeNull()
})

it("recognises the URLs of an instance's embedded database, and no others", () => {
  expect(databaseTypes.map(type => embeddedDatabase(connectionUrl(type, 'shop')))).toEqual(
    databaseTypes.map(type => (type === 'hsql' ? 'shop' : undefined)),
  )
  for (const other of ['', 'jdbc:hsqldb:mem:shop', 'jdbc:hsqldb:file:/tmp/shop.db', 'jdbc:hsqldb:hsql://db.test/shop'])
    expect(embeddedDatabase(other)).toBeUndefined()
})
