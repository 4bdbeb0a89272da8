import { databases } from '@cadmus/sql/databases'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabases } from '../testing/databases.ts'
import { DatabaseError, type Driver, type SqlValue } from './driver.ts'
import { openDriver } from './open.ts'

// Oracle has different types and is covered by package tests.
const engines = testDatabases.filter(({ name }) => name !== 'Oracle')

describe.each(engines)('driver for $name', ({ name: engine, create, present }) => {
  let database: TestDatabase
  let driver: Driver
  beforeAll(async () => {
    if (!present) return
    database = await create()
    driver = await openDriver(database.settings)
    await driver.query(statement('CREATE TABLE parent (id BIGINT PRIMARY KEY, name VARCHAR(50) NOT NULL UNIQUE)'))
    await driver.query(
      statement(
        'CREATE TABLE child (id BIGINT PRIMARY KEY, parent_id BIGINT, n INTEGER CHECK (n > 0), FOREIGN KEY (parent_id) REFERENCES parent (id))',
      ),
    )
  })
  afterAll(async () => {
    if (!present) return
    await driver.close()
    await database.drop()
  })
  beforeEach(async () => {
    if (!present) return
    await driver.query(statement('DELETE FROM child'))
    await driver.query(statement('DELETE FROM parent'))
  })
  const statement = (text: string, ...parameters: readonly SqlValue[]) => ({
    text: text.replaceAll(/\$(\d)/g, (_place, index: string) =>
      databases[driver.dialect].run.queries.placeholder(Number(index)),
    ),
    parameters,
  })
  const kindOf = async (work: Promise<unknown>) => {
    const error: unknown = await work.then(() => undefined).catch((thrown: unknown) => thrown)
    return error instanceof DatabaseError ? error.kind : error
  }
  const put = (id: bigint | number, name: string | null) =>
    driver.query(statement('INSERT INTO parent (id, name) VALUES ($1, $2)', id, name))

  it.skipIf(!present)('returns 64-bit integers exactly', async () => {
    await put(9223372036854775807n, 'most')
    await put(-9223372036854775808n, 'least')
    const { rows } = await driver.query(statement('SELECT id FROM parent ORDER BY id'))
    expect(rows.map(([id]) => String(id))).toEqual(['-9223372036854775808', '9223372036854775807'])
  })

  it.skipIf(!present)('classifies constraint violations', async () => {
    await put(1, 'one')
    expect(await kindOf(put(1, 'two'))).toBe('unique')
    expect(await kindOf(put(2, 'one'))).toBe('unique')
    expect(await kindOf(put(2, null))).toBe('notNull')
    const child = (parent: number, n: number) =>
      driver.query(statement('INSERT INTO child (id, parent_id, n) VALUES (1, $1, $2)', parent, n))
    expect(await kindOf(child(7, 1))).toBe('foreignKey')
    expect(await kindOf(child(1, 0))).toBe('check')
    await child(1, 1)
    expect(await kindOf(driver.query(statement('DELETE FROM parent WHERE id = 1')))).toBe('foreignKey')
    expect(await kindOf(driver.query(statement('SELECT nothing FROM nowhere')))).toBe('other')
  })

  it.skipIf(!present)('commits or rolls back transactions as a whole', async () => {
    const failing = driver.transaction(async connection => {
      await connection.query(statement("INSERT INTO parent (id, name) VALUES (1, 'one')"))
      await connection.query(statement("INSERT INTO parent (id, name) VALUES (1, 'again')"))
    })
    expect(await kindOf(failing)).toBe('unique')
    expect((await driver.query(statement('SELECT id FROM parent'))).rows).toEqual([])
    await driver.transaction(async connection => {
      await connection.query(statement("INSERT INTO parent (id, name) VALUES (1, 'one')"))
      await connection.query(statement("INSERT INTO parent (id, name) VALUES (2, 'two')"))
    })
    expect((await driver.query(statement('SELECT id FROM parent'))).rows).toHaveLength(2)
  })

  it.skipIf(!present)('isolates transactions without blocking readers', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const { promise: hasWritten, resolve: written } = Promise.withResolvers<void>()
    const failing = driver.transaction(async connection => {
      await connection.query(statement("INSERT INTO parent (id, name) VALUES (1, 'one')"))
      written()
      await mayEnd
      throw new Error('No.')
    })
    await hasWritten
    const other = put(2, 'two')
    expect((await driver.query(statement('SELECT id FROM parent WHERE id = 1'))).rows).toEqual([])
    end()
    await expect(failing).rejects.toThrow('No.')
    await other
    const { rows } = await driver.query(statement('SELECT name FROM parent'))
    expect(rows).toEqual([['two']])
  })

  it.skipIf(!present || engine !== 'PostgreSQL')('ends a long read on the server at its timeout', async () => {
    const asleep = statement('SELECT pg_sleep(3600)')
    await expect(driver.longRead?.(connection => connection.query(asleep), 50)).rejects.toBeInstanceOf(DatabaseError)
    const active = `SELECT 1 FROM pg_stat_activity
      WHERE state = 'active' AND query = $1 AND datname = current_database()`
    await expect.poll(async () => (await driver.query(statement(active, asleep.text))).rows).toEqual([])
  })

  it.skipIf(!present)('shares connections until the last user closes them', async () => {
    const other = await openDriver(database.settings)
    await put(1, 'one')
    expect((await other.query(statement('SELECT name FROM parent'))).rows).toEqual([['one']])
    await other.close()
    await other.close()
    await driver.check()
  })
})
