import { packageModelOf } from '@cadmus/formats/package/package-model'
import { aPackageSource } from '@cadmus/formats/testing/built-packages'
import { aKey, aList, anEntity, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { openApiFaults } from '@cadmus/testing/openapi-lint'
import { holds } from '@cadmus/testing/holds'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'
import { writeQuickUsers } from '../testing/quick-users.ts'
import { restClient } from '../testing/rest-client.ts'

type PackageOptions = NonNullable<Parameters<typeof packageZip>[0]>

const users = [
  ['red', '', 'red'],
  ['blue', '', 'blue'],
  ['reader', 'read', ''],
  ['writer', 'read,write', ''],
  ['other', 'other', ''],
] as const

describe.each(testDatabases)('REST options over $name', ({ create, present }) => {
  let instance: TestInstance
  const databases: TestDatabase[] = []
  beforeAll(async () => {
    if (!present) return
    instance = await startTestInstance()
    writeQuickUsers(join(instance.dataDir, 'users'), users)
  })
  afterAll(async () => {
    if (!present) return
    await instance.stop()
    for (const database of databases) await database.drop()
  })
  /** Starts a package with its own database. */
  async function run(name: string, options: PackageOptions, headers?: Record<string, string>) {
    const database = await create()
    databases.push(database)
    await instance.upload(packageZip({ ...options, name, properties: propertiesOf(database.settings) }))
    await instance.settled(name)
    return restClient(instance, name, headers)
  }
  const user = (name: (typeof users)[number][0]) => ({
    authorization: `Basic ${Buffer.from(`${name}:correct horse`).toString('base64')}`,
  })

  it.skipIf(!present)(
    'serves exactly the operations of an entity that are not excluded',
    holds('E9.7', 'E9.8'),
    async () => {
      const plain = await run('plain', {})
      expect((await plain.askRaw('PATCH', '/customer', '{}')).headers.get('allow')).toBe('GET, POST, PUT')
      expect((await plain.askRaw('PATCH', '/customer/1', '{}')).headers.get('allow')).toBe('GET, DELETE')
      expect((await plain.ask('GET', '/customer')).status).toBe(200)
      const id = (await plain.ask('POST', '/customer', { name: 'Ann' })).body['customer']
      expect((await plain.ask('PUT', '/customer', { ...keyOf(id), name: 'Anna' })).status).toBe(200)
      expect((await plain.ask('GET', '/customer/1')).body['customer']).toMatchObject({ id: 1, name: 'Anna' })
      expect((await plain.ask('DELETE', '/customer/1')).status).toBe(200)
      expect((await plain.ask('GET', '/customer/1')).status).toBe(404)
      expect((await plain.ask('GET', '/customer')).body).toMatchObject({ total: 0, customer: [] })
      const fewer = await run('fewer', {
        configuration: { excluded: ['Customer.post', 'Customer.id.delete', 'Order.id.get', 'Order.id.delete'] },
      })
      expect((await fewer.askRaw('POST', '/customer', '{"name":"Ann"}')).headers.get('allow')).toBe('GET, PUT')
      expect((await fewer.askRaw('DELETE', '/customer/1')).status).toBe(405)
      expect((await fewer.askRaw('GET', '/order/1')).status).toBe(404)
      expect((await fewer.askRaw('GET', '/order/1/customer')).status).toBe(404)
      expect(await openApiFaults(JSON.parse((await fewer.askRaw('GET', '/openapi.json')).text))).toEqual([])
    },
  )

  it.skipIf(!present)('ignores null values of an update with coalesce', async () => {
    const coalesced = await run('coalesced', { configuration: { sql: { applyCoalesce: true } } })
    await coalesced.ask('POST', '/customer', { name: 'Ann', email: 'ann@example.com' })
    const updated = await coalesced.ask('PUT', '/customer', { id: 1, email: null, name: 'Anna' })
    expect(updated.body['customer']).toMatchObject({ name: 'Anna', email: 'ann@example.com' })
  })

  it.skipIf(!present)('refuses limit and offset, and joins no records, if these options are off', async () => {
    const bare = await run('bare', { configuration: { sql: { applyLimitOffset: false, applyJoin: false } } })
    for (let number = 0; number < 25; number += 1) await bare.ask('POST', '/customer', { name: `N${number}` })
    expect((await bare.ask('GET', '/customer')).body).toMatchObject({ total: 25, customer: { length: 25 } })
    expect((await bare.askRaw('GET', '/customer?limit=1')).status).toBe(400)
    expect((await bare.askRaw('GET', '/customer?offset=1')).status).toBe(400)
    await bare.ask('POST', '/order', { number: '1', total: '1', customerId: 1 })
    expect((await bare.ask('GET', '/order/1')).body['order']).not.toHaveProperty('customer')
    expect((await bare.askRaw('GET', '/order/1/customer')).status).toBe(404)
  })

  it.skipIf(!present)('answers whole records, whatever the names of their fields', async () => {
    const typeAttributes = aList(aKey(), ...['q', 'c0', 't0'].map(name => aTypeAttribute({ name })))
    const resolvedModel = aResolvedModel([anEntity({ name: 'Letter', typeAttributes })])
    const model = packageModelOf(aPackageSource({ name: 'letters', resolvedModel }))
    const shop = await run('letters', { files: { 'resources/cadmus/model.json': JSON.stringify(model) } })
    const letter = { q: 'a', c0: 'b', t0: 'c' }
    expect((await shop.ask('POST', '/letter', letter)).body).toMatchObject({ letter })
    expect((await shop.ask('GET', '/letter/1')).body).toMatchObject({ letter })
    expect((await shop.ask('GET', '/letter')).body).toMatchObject({ letter: [letter] })
  })

  it.skipIf(!present)('applies filters of the entity to aggregate queries', async () => {
    const columns = [
      { field: 'level', type: 'GROUPBY', alias: 'level' },
      { field: 'credit', type: 'SUM', alias: 'creditSum' },
      { field: 'id', type: 'COUNT', alias: 'idCount' },
    ] as const
    const shop = await run('sums', {
      configuration: { aggregates: [{ name: 'ByLevel', entity: 'Customer', columns: [...columns] }] },
    })
    for (const [name, level, credit] of [
      ['A', 'gold', '0.10'],
      ['B', 'gold', '0.20'],
      ['C', 'plain', '5'],
    ] as const) {
      await shop.ask('POST', '/customer', { name, level, credit })
    }
    const all = await shop.ask('GET', '/_aggregate/customer/ByLevel')
    expect(all.body['customer']).toEqual(
      expect.arrayContaining([
        { level: 'gold', creditSum: '0.3', idCount: 2 },
        { level: 'plain', creditSum: '5', idCount: 1 },
      ]),
    )
    const some = await shop.ask('GET', '/_aggregate/customer/ByLevel?filter[name]=B')
    expect(some.body['customer']).toEqual([{ level: 'gold', creditSum: '0.2', idCount: 1 }])
    expect((await shop.askRaw('GET', '/_aggregate/customer/ByLevel?limit=1')).status).toBe(400)
  })

  it.skipIf(!present)('records every change of the chosen entities, including custom fields', async () => {
    const services = { applyCustomField: true, applySot: true, sotEntities: ['Customer'] }
    const shop = await run('recorded', { configuration: { services } })
    const made = await shop.ask('POST', '/customer', { name: 'Ann', customFields: { shoe: 42 } })
    expect(made.body['customer']).toMatchObject({ customFields: { shoe: 42 } })
    await shop.ask('PUT', '/customer', { id: 1, name: 'Anna' })
    await shop.ask('DELETE', '/customer/1')
    const history = await shop.ask('GET', '/_history/customer/1')
    expect(history.body).toMatchObject({ total: 3, customer: { length: 3 } })
    expect(JSON.stringify(history.body['customer'])).toContain('Anna')
    const changes = await shop.ask('GET', '/_changes/customer')
    expect(changes.body['customer']).toMatchObject({ length: 3 })
    const later = await shop.ask('GET', '/_changes/customer?after=2')
    expect(later.body['customer']).toMatchObject({ length: 1 })
    expect((await shop.askRaw('GET', '/_changes/customer?after=x')).status).toBe(400)
    expect((await shop.askRaw('GET', '/_changes/order')).status).toBe(404)
  })

  it.skipIf(!present)('shows each tenant its own records only', async () => {
    const [red, blue] = [user('red'), user('blue')]
    const configuration = { security: 'BASIC', services: { applyMultiTenancy: true } } as const
    const shop = await run('tenants', { configuration }, red)
    await shop.ask('POST', '/item', { sku: 'same', amount: 1 }, red)
    await shop.ask('POST', '/item', { sku: 'same', amount: 2 }, blue)
    expect((await shop.ask('GET', '/item/same', undefined, red)).body['item']).toMatchObject({ amount: 1 })
    expect((await shop.ask('GET', '/item', undefined, blue)).body).toMatchObject({
      totalNotFiltered: 1,
      item: [{ amount: 2 }],
    })
    await shop.ask('DELETE', '/item/same', undefined, blue)
    expect((await shop.ask('GET', '/item/same', undefined, blue)).status).toBe(404)
    expect((await shop.ask('GET', '/item/same', undefined, red)).status).toBe(200)
  })

  it.skipIf(!present)(
    'allows operations by scope and omits joined records that the caller may not read',
    holds('E6.8'),
    async () => {
      const [reader, writer] = [user('reader'), user('writer')]
      const other = user('other')
      const configuration = {
        security: 'BASIC' as const,
        scopes: { enableRbac: true, scopeDefinitions: ['read', 'write'] },
      }
      const scopes = {
        insertOperationScopes: ['write'],
        selectOperationScopes: ['write'],
        selectAllOperationScopes: ['read'],
        updateOperationScopes: ['write'],
        deleteOperationScopes: ['write'],
      }
      const shop = await run('scoped', { configuration, scopes }, writer)
      const refused = await shop.ask('POST', '/customer', { name: 'Ann' }, reader)
      expect([refused.status, refused.body]).toEqual([
        403,
        { result: 'ERROR', message: 'This operation requires one of the scopes: write.' },
      ])
      expect((await shop.ask('POST', '/customer', { name: 'Ann' }, writer)).status).toBe(200)
      expect((await shop.askRaw('GET', '/customer')).status).toBe(401)
      expect((await shop.askRaw('GET', '/openapi.json')).status).toBe(401)
      await shop.ask('POST', '/order', { number: '1', total: '1', customerId: 1 }, reader)
      const joined = await shop.ask('GET', '/order/1', undefined, writer)
      expect(joined.body['order']).toMatchObject({ customer: { name: 'Ann' }, item: [] })
      const partly = await shop.ask('GET', '/order/1', undefined, reader)
      expect(partly.body['order']).not.toHaveProperty('customer')
      expect(partly.body['order']).toHaveProperty('item')
      expect((await shop.ask('GET', '/order/1/customer', undefined, reader)).status).toBe(403)
      expect((await shop.ask('GET', '/order/1/customer', undefined, writer)).status).toBe(200)
      const statusOf = async (who: typeof reader, method: string, path: string, body?: object) =>
        (await shop.ask(method, path, body, who)).status
      const inOrder = async (method: string, path: string, body?: object) => [
        await statusOf(other, method, path, body),
        await statusOf(reader, method, path, body),
        await statusOf(writer, method, path, body),
      ]
      expect(await inOrder('GET', '/customer')).toEqual([403, 200, 200])
      expect(await inOrder('GET', '/customer/1')).toEqual([403, 403, 200])
      expect(await inOrder('PUT', '/customer', { id: 1, name: 'Anna' })).toEqual([403, 403, 200])
      expect((await shop.ask('POST', '/customer', { name: 'Eve' }, writer)).status).toBe(200)
      expect(await inOrder('DELETE', '/customer/2')).toEqual([403, 403, 200])
    },
  )
})

function keyOf(record: unknown): { id?: unknown } {
  return typeof record === 'object' && record !== null && 'id' in record ? { id: record.id } : {}
}
