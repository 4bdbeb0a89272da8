import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { propertiesOf, testDatabases } from '../testing/databases.ts'
import { pastRetry, startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

const otherManifest = '01980000-0000-7000-8000-000000000002'
const nameTaken = "The name 'shop' belongs to a package of another owner. Choose another name."
const apart = "The data of an earlier package 'shop' are kept. This package has its own database file."

describe('data of a package', () => {
  let instance: TestInstance
  beforeEach(async () => {
    instance = await startTestInstance()
    await publish(packageZip())
    await create('Ann')
  })
  afterEach(() => instance.stop())

  async function publish(zip: Uint8Array) {
    const answer = await instance.upload(zip)
    return { answer: JSON.parse(await answer.text()), settled: await instance.settled('shop') }
  }
  async function create(name: string): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ name }) }
    expect((await instance.fetch('/api/shop/1.0/customer', init)).status).toBe(200)
  }
  async function names(): Promise<unknown> {
    const { customer }: { customer: { name: string }[] } = JSON.parse(
      await (await instance.fetch('/api/shop/1.0/customer?sort=name')).text(),
    )
    return customer.map(({ name }) => name)
  }
  const remove = async () => {
    const answer = await instance.manage('DELETE', '/esbapi/packages/shop')
    expect([answer.status, answer.headers.get('x-cadmus-data')]).toEqual([204, 'kept'])
  }

  it('data of a package survive its deletion and are used again by any version', async () => {
    await remove()
    const again = await publish(packageZip({ version: '1.1.0' }))
    expect(again.settled).toMatchObject({ status: 'STARTED' })
    expect(again.settled).not.toHaveProperty('warnings')
    expect(await names()).toEqual(['Ann'])
  })

  it.each([
    ['of another organisation', { organisation: 'globex' }],
    ['of another manifest', { manifest: otherManifest }],
  ])('data of a package are not used by a package of the same name %s', async (_title, other) => {
    await remove()
    const stranger = await publish(packageZip(other))
    expect(stranger.settled).toMatchObject({ status: 'STARTED', warnings: [apart] })
    expect(await names()).toEqual([])
    await create('Bob')
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', warnings: [apart] })
    expect(await names()).toEqual(['Bob'])
    await remove()
    await publish(packageZip())
    expect(await names()).toEqual(['Ann'])
    await remove()
    await publish(packageZip({ ...other, version: '2.0.0' }))
    expect(await names()).toEqual(['Bob'])
    const files = readdirSync(join(instance.dataDir, 'databases', 'shop')).filter(file => file.endsWith('.sqlite'))
    expect(files).toEqual([expect.stringMatching(/^embedded\.[0-9a-f]{16}\.sqlite$/), 'embedded.sqlite'])
  })

  it('data of a package are inaccessible to a package of another owner with the same id, name and manifest', async () => {
    await publish(packageZip({ owner: 'q-1', adopts: true, version: '1.1.0' }))
    const attack = packageZip({ owner: 'q_1', adopts: true, version: '2.0.0' })
    const refused = await instance.upload(attack)
    expect([refused.status, await refused.json()]).toEqual([409, expect.objectContaining({ message: nameTaken })])
    // A zip of an earlier release cannot replace a package that states its owner.
    expect((await instance.upload(packageZip({ version: '2.0.0' }))).status).toBe(409)
    expect(await names()).toEqual(['Ann'])
    await remove()
    const stranger = await publish(attack)
    expect(stranger.settled).toMatchObject({ status: 'STARTED', warnings: [apart] })
    expect(await names()).toEqual([])
    await remove()
    await publish(packageZip({ owner: 'q-1', version: '3.0.0' }))
    expect(await names()).toEqual(['Ann'])
  })

  it('data of an earlier release belong only to the owner that adopts them', async () => {
    const refused = await instance.upload(packageZip({ owner: 'q_1', version: '2.0.0' }))
    expect(refused.status).toBe(409)
    const adopted = await publish(packageZip({ owner: 'q-1', adopts: true, version: '2.0.0' }))
    expect(adopted.settled).toMatchObject({ status: 'STARTED', version: '2.0.0' })
    await instance.restart()
    expect((await instance.settled('shop')).status).toBe('STARTED')
    expect(await names()).toEqual(['Ann'])
  })

  it('a new version with another database does not move data, and starts with a warning', async () => {
    const properties = ['database.name=second', 'database.type=hsql', `hsql.connection.url=${addressOf('second')}`]
    const configuration = { connection: { databaseName: 'second', url: addressOf('second') } }
    const elsewhere = await publish(packageZip({ version: '2.0.0', properties, configuration }))
    const warning =
      "Version 2.0.0 uses the instance's embedded database 'second'. The data of the previous version stay in the instance's embedded database 'embedded'."
    expect(elsewhere.answer).toMatchObject([{ name: 'shop', warnings: [warning] }])
    expect(elsewhere.settled).toMatchObject({ status: 'STARTED', version: '2.0.0', warnings: [warning] })
    expect(instance.log.join('\n')).toContain(
      "The data of the previous version stay in the instance's embedded database 'embedded'",
    )
    expect(await names()).toEqual([])
    await instance.restart()
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', warnings: [warning] })
    const more = await publish(packageZip({ version: '2.1.0', properties, configuration }))
    expect(more.answer).toEqual([expect.not.objectContaining({ warnings: expect.anything() })])
    await publish(packageZip({ version: '3.0.0' }))
    expect(await names()).toEqual(['Ann'])
    expect(existsSync(join(instance.dataDir, 'databases', 'shop', 'second.sqlite'))).toBe(true)
  })

  it('a package start is retried while another process locks the file', async () => {
    await instance.manage('PUT', '/esbapi/packages/shop/stop')
    await instance.settled('shop')
    const other = new DatabaseSync(join(instance.dataDir, 'databases', 'shop', 'embedded.sqlite'))
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
    await instance.manage('PUT', '/esbapi/packages/shop/start')
    expect(await instance.settled('shop')).toMatchObject({
      status: 'START_FAILED',
      reason: 'The database cannot be reached at the moment. Try again shortly.',
    })
    other.close()
    instance.advance(pastRetry)
    await expect.poll(async () => (await instance.settled('shop')).status).toBe('STARTED')
    expect(await names()).toEqual(['Ann'])
  })
})

const postgres = testDatabases.find(({ name }) => name === 'PostgreSQL')

it.skipIf(!postgres?.present)('tables of another package of the same name on a server are left unchanged', async () => {
  const database = await postgres?.create()
  if (!database) return
  const instance = await startTestInstance()
  const properties = propertiesOf(database.settings)
  await instance.upload(packageZip({ properties }))
  await instance.settled('shop')
  const refused = {
    status: 'START_FAILED',
    reason:
      "The database has tables of an earlier package 'shop'. Nothing was changed. Choose another database, or remove these tables.",
  }
  await instance.upload(packageZip({ properties, version: '2.0.0', manifest: otherManifest }))
  expect(await instance.settled('shop')).toMatchObject({ ...refused, runningVersion: '1.0.0' })
  await instance.manage('DELETE', '/esbapi/packages/shop')
  await instance.upload(packageZip({ properties, organisation: 'globex' }))
  expect(await instance.settled('shop')).toMatchObject({ ...refused, runningVersion: null })
  await instance.stop()
  await database.drop()
})

function addressOf(database: string): string {
  return `jdbc:hsqldb:file:\${toroesb.home}data/hsql/${database}.db;hsqldb.tx=MVCC;sql.syntax_mys=true`
}
