import { expect, it } from 'vitest'
import {
  connectionUrl,
  databaseTypeOf,
  embeddedDatabase,
  missingAdvice,
  packageDatabaseOf,
  packageDatabases,
  packageDatabaseTable,
} from './database-types.ts'

it('accepts the names of configurations and properties files as spellings of the database', () => {
  for (const type of packageDatabases) {
    const { configuration, properties } = packageDatabaseTable[type]
    expect([configuration, properties].map(databaseTypeOf)).toEqual([type, type])
    expect(packageDatabaseOf(configuration)).toBe(type)
  }
  expect(packageDatabaseOf('db2')).toBeUndefined()
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
  expect(packageDatabases.map(type => embeddedDatabase(connectionUrl(type, 'shop')))).toEqual(
    packageDatabases.map(type => (type === 'hsql' ? 'shop' : undefined)),
  )
  for (const other of ['', 'jdbc:hsqldb:mem:shop', 'jdbc:hsqldb:file:/tmp/shop.db', 'jdbc:hsqldb:hsql://db.test/shop'])
    expect(embeddedDatabase(other)).toBeUndefined()
})
