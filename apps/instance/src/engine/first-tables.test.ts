import { packageModelOf } from '@cadmus/formats/package/package-model'
import { aPackageSource } from '@cadmus/formats/testing/built-packages'
import { instanceSchemaOf } from '@cadmus/sql/instance-schema'
import { describe, expect, it } from 'vitest'
import { DatabaseError, type Driver, type SqlStatement } from '../drivers/driver.ts'
import type { SchemaOptions } from './alter-tables.ts'
import { prepareSchema } from './schema.ts'

const options: SchemaOptions = {
  owner: { id: 'acme.shop', owner: null, adopts: false },
  allowDataLoss: false,
  lossDigest: '',
  beforeChanges: async () => undefined,
  betweenTries: () => undefined,
  beforeCommit: () => undefined,
}
const shop = packageModelOf(aPackageSource())
const later = { ...shop, version: '1.1.0' }

// Runs against a fake server that records statements and tables.
describe.each(['oracle', 'mysql'] as const)('first tables of a package on %s', dialect => {
  const make = (server: Server, model = shop) =>
    prepareSchema(driverOf(server, dialect), model, instanceSchemaOf(model, dialect), options)

  it('tables are created after their package row, which is completed at the end', async () => {
    const server = fakeServer()
    await make(server)
    const statements = server.statements.filter(
      text => !text.startsWith('SELECT') && !text.includes('CREATE TABLE cadmus_package'),
    )
    const own = statements.findIndex(text => text.startsWith('INSERT INTO cadmus_package'))
    expect(own).toBeLessThan(statements.findIndex(text => text.startsWith('CREATE TABLE Customer')))
    expect(statements.at(-1)).toMatch(/^UPDATE cadmus_package/)
    expect([...server.tables].toSorted()).toEqual(['Customer', 'Item', 'Order', 'cadmus_package'])
    const count = server.statements.length
    await make(server)
    expect(server.statements.slice(count).filter(text => !text.startsWith('SELECT'))).toEqual([])
  })

  it('tables are not created when a version is only reopened', async () => {
    const server = fakeServer()
    const made = instanceSchemaOf(shop, dialect)
    const reopened = prepareSchema(driverOf(server, dialect), shop, made, { ...options, onlyReopens: true })
    await expect(reopened).rejects.toThrow('The tables of shop 1.0.0 no longer exist.')
    expect([...server.tables]).toEqual([])
  })

  it('tables are created by the next start after a kill at any statement', async () => {
    const whole = fakeServer()
    await make(whole)
    for (let last = 1; last < whole.statements.length; last += 1) {
      for (const next of [shop, later]) {
        const server = fakeServer()
        server.left = last
        await expect(make(server)).rejects.toThrow('unavailable')
        server.left = Infinity
        await make(server, next)
        expect([last, [...server.tables].toSorted()]).toEqual([last, ['Customer', 'Item', 'Order', 'cadmus_package']])
        expect([server.row?.[1], server.row?.[2]]).toEqual([next.version, whole.row?.[2]])
      }
    }
  })

  it('tables are left unchanged if they contain records', async () => {
    const server = fakeServer()
    server.left = Infinity
    server.refuses = 'CREATE TABLE Order'
    await expect(make(server)).rejects.toThrow('other')
    // The cleanup removes every trace.
    expect([[...server.tables], server.row]).toEqual([['cadmus_package'], undefined])
    server.refuses = 'nothing'
    server.onCreate = 'Customer'
    await expect(make(server)).rejects.toThrow('unavailable')
    server.left = Infinity
    server.filled = 'Customer'
    await expect(make(server)).rejects.toThrow(
      'The database already has a table "Customer" that was not created by shop.',
    )
    expect(server.tables.has('Customer')).toBe(true)
  })

  it('tables are left to another instance that has taken over', async () => {
    const server = fakeServer()
    server.refuses = 'CREATE TABLE Order'
    server.takenOver = 'unfinished there'
    await expect(make(server)).rejects.toThrow('other')
    expect([server.tables.has('Customer'), server.row?.[2]]).toEqual([true, 'unfinished there'])
  })
})

/** A fake server. `left`: statements until it becomes unavailable. */
function fakeServer() {
  return {
    statements: [] as string[],
    tables: new Set<string>(),
    row: undefined as SqlStatement['parameters'] | undefined,
    left: Infinity,
    refuses: '',
    /** The server becomes unavailable once this table exists. */
    onCreate: '',
    filled: '',
    /** The marker with which another instance takes over when a statement is refused. */
    takenOver: '',
  }
}
type Server = ReturnType<typeof fakeServer>

function driverOf(server: Server, dialect: 'oracle' | 'mysql'): Driver {
  const query: Driver['query'] = async statement => {
    const text = statement.text.replace(/["`]/g, '')
    if (server.left <= 0) throw new DatabaseError('unavailable', text)
    server.left -= 1
    server.statements.push(text)
    return { rows: [], changes: 0, ...execute(server, text, statement.parameters) }
  }
  return {
    dialect,
    query,
    transaction: work => work({ query }),
    check: async () => undefined,
    close: async () => undefined,
  }
}

function execute(server: Server, text: string, values: SqlStatement['parameters']) {
  const [, verb, table = ''] = /^(\w+(?: TABLE)?)(?: INTO)? (?:.*? FROM )?(\w+)/.exec(text) ?? []
  if (text.startsWith(server.refuses || ' ')) {
    const [name = null, version = null, , model = null] = server.row ?? []
    if (server.takenOver !== '') server.row = [name, version, server.takenOver, model]
    throw new DatabaseError('other', text)
  }
  switch (verb) {
    case 'CREATE TABLE': {
      if (server.tables.has(table)) throw new DatabaseError('other', text)
      server.tables.add(table)
      if (table === server.onCreate) server.left = 0
      return {}
    }
    case 'DROP TABLE':
    case 'SELECT': {
      if (!server.tables.has(table)) throw new DatabaseError('other', text)
      if (verb === 'DROP TABLE') server.tables.delete(table)
      else if (table === 'cadmus_package' && values.length > 0) return { rows: server.row ? [server.row] : [] }
      else if (table === server.filled && !text.includes('1 = 0')) return { rows: [[1]] }
      return {}
    }
    case 'INSERT': {
      server.row = values
      return { changes: 1 }
    }
    case 'UPDATE': {
      const [version = null, tables = null, model = null, name = null, before] = values
      if (server.row?.[2] !== before) return {}
      server.row = [name, version, tables, model]
      return { changes: 1 }
    }
    case 'DELETE': {
      if (server.row?.[2] === values[1]) server.row = undefined
      return {}
    }
    default:
      return {}
  }
}
