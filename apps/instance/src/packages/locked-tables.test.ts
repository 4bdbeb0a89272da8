import { writeArchive } from '@cadmus/formats/archive'
import { packageModelForm } from '@cadmus/model/api/package-model'
import { readStored } from '@cadmus/model/stored/stored-form'
import { aTypeAttribute } from '@cadmus/model/testing/builders'
import { startChild } from '@cadmus/testing/children'
import { waitFor } from '@cadmus/testing/temporary'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Driver } from '../drivers/driver.ts'
import { openPostgres } from '../drivers/postgres.ts'
import { propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageFiles } from '../testing/package-zip.ts'

const postgres = testDatabases.find(({ name }) => name === 'PostgreSQL')

describe.skipIf(!postgres?.present)('tables in use during a change by a new version', () => {
  let database: TestDatabase | undefined
  let instance: TestInstance
  let other: Driver
  beforeEach(async () => {
    database = await postgres?.create()
    if (database === undefined || database.settings.dialect === 'sqlite') return
    other = openPostgres(database.settings)
    instance = await startTestInstance()
    await instance.upload(zipOf('1.0.0'))
    await instance.settled('shop')
  })
  afterEach(async () => {
    await other.close()
    await instance.stop()
    await database?.drop()
  })

  function zipOf(version: string): Uint8Array {
    const files = packageFiles({ version, ...(database ? { properties: propertiesOf(database.settings) } : {}) })
    const path = 'shop/resources/cadmus/model.json'
    const model = readStored(packageModelForm, JSON.parse(files.get(path) ?? ''))
    const extra = version === '1.0.0' ? [] : [aTypeAttribute({ name: 'remark', nullable: true, position: 90 })]
    const entities = model.entities.map(entity =>
      entity.name === 'Customer' ? { ...entity, typeAttributes: [...entity.typeAttributes, ...extra] } : entity,
    )
    return writeArchive(new Map([...files, [path, JSON.stringify({ ...model, entities })] as const]))
  }
  /** Locks the customers with an open read transaction. Returns the function that ends it. */
  async function lock(): Promise<() => Promise<void>> {
    const hasLock = Promise.withResolvers<void>()
    const end = Promise.withResolvers<void>()
    const reading = other.transaction(async ({ query }) => {
      await query({ text: 'SELECT 1 FROM "Customer"', parameters: [] })
      hasLock.resolve()
      await end.promise
    })
    await Promise.race([hasLock.promise, reading])
    return () => {
      end.resolve()
      return reading
    }
  }

  it('a change of locked tables is retried while callers are served', async () => {
    const unlock = await lock()
    await instance.upload(zipOf('1.1.0'))
    await waitFor(async () => {
      const text = await (await instance.manage('GET', '/esbapi/packages/shop')).text()
      if (!text.includes('Waiting for tables that are in use.')) throw new Error(text)
    }, 60_000)
    // The tables are still in use.
    expect((await instance.fetch('/api/shop/1.0/customer?limit=1')).status).toBe(200)
    await unlock()
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '1.1.0' })
  })

  it('locked tables are released by a killed client even during a long statement', async () => {
    const driverFile = new URL('../drivers/postgres.ts', import.meta.url).href
    const texts = ['LOCK TABLE "Customer"', 'SELECT pg_sleep(3600)']
    const program = `import { openPostgres } from '${driverFile}'
      await openPostgres(${JSON.stringify(database?.settings)}).reshape(async ({ query }) => {
        for (const text of ${JSON.stringify(texts)}) await query({ text, parameters: [] })
      }, () => {})`
    const killed = startChild(process.execPath, ['--input-type=module', '-e', program])
    const activeQuery = `SELECT 1 FROM pg_stat_activity
      WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid() AND datname = current_database()`
    await waitFor(async () => {
      const { rows } = await other.query({ text: activeQuery, parameters: [] })
      if (rows.length === 0) throw new Error(killed.output())
    }, 60_000)
    await killed.stop('SIGKILL')
    await instance.upload(zipOf('1.1.0'))
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '1.1.0' })
  })

  it('locked tables are unchanged after the last attempt, and the previous version keeps running', async () => {
    const unlock = await lock()
    await instance.upload(zipOf('1.1.0'))
    expect(await instance.settled('shop')).toMatchObject({
      status: 'START_FAILED',
      version: '1.1.0',
      reason:
        'The tables of shop are in use and could not be changed for version 1.1.0 in 3 attempts. Nothing was changed. Try again later.',
      runningVersion: '1.0.0',
    })
    expect((await instance.fetch('/api/shop/1.0/customer?limit=1')).status).toBe(200)
    await unlock()
    await instance.upload(zipOf('1.1.0'))
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '1.1.0' })
  })
})
