import { connectionUrl } from '@cadmus/model/database-types'
import { expect, it } from 'vitest'
import { readConnectionUrl } from './connection-url.ts'

it('parses the URL templates of the five databases', () => {
  expect(readConnectionUrl('jdbc:postgresql://localhost:5432/shop')).toEqual({
    dialect: 'postgresql',
    host: 'localhost',
    port: 5432,
    database: 'shop',
  })
  expect(readConnectionUrl("jdbc:mysql://localhost:3306/shop?sessionVariables=sql_mode='ANSI'")).toEqual({
    dialect: 'mysql',
    host: 'localhost',
    port: 3306,
    database: 'shop',
  })
  expect(readConnectionUrl('jdbc:oracle:thin:@db.example:1521:shop')).toEqual({
    dialect: 'oracle',
    host: 'db.example',
    port: 1521,
    database: 'shop',
  })
  expect(readConnectionUrl('jdbc:sqlserver://[::1]:1433;databaseName=shop')).toEqual({
    dialect: 'mssql',
    host: '::1',
    port: 1433,
    database: 'shop',
  })
  expect(readConnectionUrl(connectionUrl('hsql', 'shop'))).toEqual({ dialect: 'sqlite', database: 'shop' })
  expect(readConnectionUrl('jdbc:postgresql://localhost/shop')).toMatchObject({ port: 5432 })
})

it.each([
  '',
  'shop',
  'postgres://localhost:5432/shop',
  'jdbc:postgresql://localhost:5432/',
  'jdbc:postgresql://localhost:5432/shop?sslmode=disable',
  'jdbc:postgresql://user:secret@localhost:5432/shop',
  'jdbc:postgresql://localhost:99999/shop',
  'jdbc:postgresql://local host:5432/shop',
  'jdbc:postgresql://localhost:5432/../shop',
  'jdbc:mysql://localhost:3306/shop?allowLoadLocalInfile=true',
  'jdbc:hsqldb:file:/etc/passwd',
  'jdbc:hsqldb:file:${toroesb.home}data/hsql/../../shop.db',
  'jdbc:sqlite:../shop',
  'jdbc:sqlite:/tmp/shop',
  'jdbc:sqlserver://localhost:1433;databaseName=shop;integratedSecurity=true',
])('refuses the connection URL %j', url => {
  expect(readConnectionUrl(url)).toBeNull()
})
