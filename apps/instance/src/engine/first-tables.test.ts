import { packageModelOf } from '@cadmus/formats/package/package-model'
import { aPackageSource } from '@cadmus/formats/testing/built-packages'
import { instanceSchemaOf } from '@cadmus/sql/instance-schema'
import { describe, expect, it } from 'vitest'
import { DatabaseError, type Driver, type SqlStatement } from '../drivers/driver.ts'
import type { SchemaWishes } from './alter-tables.ts'
import { makeSchema } from './schema.ts'

const wishes: SchemaWishes = {
  owner: { id: 'acme.shop', owner: null, adopts: false },
  allowDataLoss: false,
  lossDigest: '',
  beforeChanges: async () => undefined,
  betweenTries: () => undefined,
  beforeCommit: () => undefined,
}
const shop = packageModelOf(aPackageSource())
const later = { ...shop, version: '1.1.0' }

// Without a server: what is said to one, in its order, and what is left of it.
describe.each(['oracle', 'mysql'] as const)('The first tables of a package on %s', dialect => {
  const make = (server: Server, model = shop) =>
    makeSchema(driverOf(server, dialect), model, instanceSchemaOf(model, dialect), wishes)

  it('come after the row that says whose they are, which says at last that all are there', async () => {
    const server = aServer()
    await make(server)
    const said = server.said.filter(text => !text.startsWith('SELECT') && !text.includes('CREATE TABLE cadmus_package'))
    const own = said.findIndex(text => text.startsWith('INSERT INTO cadmus_package'))
    expect(own).toBeLessThan(said.findIndex(text => text.startsWith('CREATE TABLE Customer')))
    expect(said.at(-1)).toMatch(/^UPDATE cadmus_package/)
    expect([...server.tables].toSorted()).toEqual(['Customer', 'Item', 'Order', 'cadmus_package'])
    const count = server.said.length
    await make(server)
    expect(server.said.slice(count).filter(text => !text.startsWith('SELECT'))).toEqual([])
  })

  it('are not made for a version that only comes back to what it had', async () => {
    const server = aServer()
    const made = instanceSchemaOf(shop, dialect)
    const reopened = makeSchema(driverOf(server, dialect), shop, made, { ...wishes, onlyReopens: true })
    await expect(reopened).rejects.toThrow('The tables of shop 1.0.0 are not there any more.')
    expect([...server.tables]).toEqual([])
  })

  it('are made by the next start, whichever statement was the last one before a kill', async () => {
    const whole = aServer()
    await make(whole)
    for (let last = 1; last < whole.said.length; last += 1) {
      for (const next of [shop, later]) {
        const server = aServer()
        server.left = last
        await expect(make(server)).rejects.toThrow('unavailable')
        server.left = Infinity
        await make(server, next)
        expect([last, [...server.tables].toSorted()]).toEqual([last, ['Customer', 'Item', 'Order', 'cadmus_package']])
        expect([server.row?.[1], server.row?.[2]]).toEqual([next.version, whole.row?.[2]])
      }
    }
  })

  it('that somebody filled meanwhile are left alone', async () => {
    const server = aServer()
    server.left = Infinity
    server.refuses = 'CREATE TABLE Order'
    await expect(make(server)).rejects.toThrow('other')
    // As if nothing had been begun.
    expect([[...server.tables], server.row]).toEqual([['cadmus_package'], undefined])
    server.refuses = 'nothing'
    server.onCreate = 'Customer'
    await expect(make(server)).rejects.toThrow('unavailable')
    server.left = Infinity
    server.filled = 'Customer'
    await expect(make(server)).rejects.toThrow('The database has a table "Customer" already, which shop did not make.')
    expect(server.tables.has('Customer')).toBe(true)
  })

  it('that another instance makes by then are left to it', async () => {
    const server = aServer()
    server.refuses = 'CREATE TABLE Order'
    server.takenOver = 'unfinished there'
    await expect(make(server)).rejects.toThrow('other')
    expect([server.tables.has('Customer'), server.row?.[2]]).toEqual([true, 'unfinished there'])
  })
})

/** What a server keeps of what it is told. `left`: statements until it is away. */
function aServer() {
  return {
    said: [] as string[],
    tables: new Set<string>(),
    row: undefined as SqlStatement['parameters'] | undefined,
    left: Infinity,
    refuses: '',
    /** It is away once this table is there. */
    onCreate: '',
    filled: '',
    /** By which mark another instance has the tables when something is refused. */
    takenOver: '',
  }
}
type Server = ReturnType<typeof aServer>

function driverOf(server: Server, dialect: 'oracle' | 'mysql'): Driver {
  const query: Driver['query'] = async statement => {
    const text = statement.text.replace(/["`]/g, '')
    if (server.left <= 0) throw new DatabaseError('unavailable', text)
    server.left -= 1
    server.said.push(text)
    return { rows: [], changes: 0, ...answered(server, text, statement.parameters) }
  }
  return {
    dialect,
    query,
    transaction: work => work({ query }),
    check: async () => undefined,
    close: async () => undefined,
  }
}

function answered(server: Server, text: string, values: SqlStatement['parameters']) {
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
