import { holds } from '@cadmus/testing/holds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'
import { type RestClient, restClient } from '../testing/rest-client.ts'

describe.each(testDatabases)('REST over $name', ({ create, present }) => {
  let database: TestDatabase
  let instance: TestInstance
  let shop: RestClient
  beforeAll(async () => {
    if (!present) return
    database = await create()
    instance = await startTestInstance()
    const zip = packageZip({ properties: propertiesOf(database.settings) })
    await instance.upload(zip)
    await instance.settled('shop')
    shop = await restClient(instance)
  })
  afterAll(async () => {
    if (!present) return
    await instance.stop()
    await database.drop()
  })

  it.skipIf(!present)(
    'creates, reads, updates and deletes a record, with the key of an update in its body',
    holds('M9.15'),
    async () => {
      const made = await shop.ask('POST', '/customer', { name: 'Ann', credit: '12.50', points: '9223372036854775807' })
      expect(made.status).toBe(200)
      const { customer } = made.body
      const ann = {
        name: 'Ann',
        credit: '12.5',
        level: 'plain',
        active: true,
        points: '9223372036854775807',
        email: null,
      }
      expect(made.body).toMatchObject({ result: 'OK', warnings: [], customer: ann })
      const id = idOf(customer)
      const read = await shop.ask('GET', `/customer/${id}`)
      expect(read.body).toMatchObject({ result: 'OK', customer: { id, ...ann } })
      expect(JSON.stringify((await shop.ask('GET', '/customer')).body)).toContain('"name":"Ann"')
      const changed = await shop.ask('PUT', '/customer', { id, name: 'Anna', email: 'anna@example.com' })
      expect(changed.body).toMatchObject({ customer: { id, name: 'Anna', credit: '12.5', email: 'anna@example.com' } })
      const emptied = await shop.ask('PUT', '/customer', { id, email: null })
      expect(emptied.body).toMatchObject({ customer: { name: 'Anna', email: null } })
      expect((await shop.ask('DELETE', `/customer/${id}`)).body).toMatchObject({ result: 'OK' })
      for (const [method, path, body] of [
        ['GET', `/customer/${id}`, undefined],
        ['PUT', '/customer', { id, name: 'Nobody' }],
        ['DELETE', `/customer/${id}`, undefined],
      ] as const) {
        const gone = await shop.ask(method, path, body)
        expect([gone.status, gone.body]).toEqual([404, { result: 'ERROR', message: "'Customer' record not found." }])
      }
    },
  )

  it.skipIf(!present)('preserves values of every type exactly', async () => {
    const sent = {
      name: 'O\'Neil 😀 "quoted" \\ 中文',
      credit: '-9999999999.99',
      born: '2024-02-29',
      since: '2024-02-29T23:59:59.123456',
      points: '-9223372036854775808',
      rating: 0.1,
      active: false,
      token: '0190a0a0-0000-7000-8000-00000000abcd',
      extra: { a: [1, null, { b: 'ü' }], big: 1e300 },
      picture: 'AP+A',
      opens: '08:30:00',
    }
    const made = await shop.ask('POST', '/customer', sent)
    const read = await shop.ask('GET', `/customer/${idOf(made.body['customer'])}`)
    expect(read.body['customer']).toMatchObject(sent)
  })

  it.skipIf(!present)('lists with limit, offset, search, sort, fields and filters', async () => {
    for (let number = 1; number <= 25; number++) {
      const name = `Lister ${String(number).padStart(2, '0')}`
      await shop.ask('POST', '/customer', { name, points: number, level: number % 5 === 0 ? 'gold' : 'plain' })
    }
    const names = async (query: string) => {
      const { body } = await shop.ask('GET', `/customer?search=LISTER&${query}`)
      return { names: listOf(body['customer']).map(one => one['name']), total: body['total'] }
    }
    expect((await names('')).names).toHaveLength(20)
    expect(await names('sort=-points&limit=2&offset=1')).toEqual({ names: ['Lister 24', 'Lister 23'], total: 25 })
    expect(await names('filter[level]=gold&sort=name&limit=2')).toEqual({ names: ['Lister 05', 'Lister 10'], total: 5 })
    expect(await names('filter[points][gt]=23&sort=points')).toEqual({ names: ['Lister 24', 'Lister 25'], total: 2 })
    expect(await names('filter[points][in]=3,1&sort=points')).toEqual({ names: ['Lister 01', 'Lister 03'], total: 2 })
    expect(await names('filter[name][like]=Lister%20_4&sort=name')).toMatchObject({
      names: ['Lister 04', 'Lister 14', 'Lister 24'],
    })
    expect(await names('filter[email][null]=false')).toEqual({ names: [], total: 0 })
    expect((await names('filter[level][ne]=gold&filter[points][lte]=4')).total).toBe(4)
    const few = await shop.ask('GET', '/customer?search=lister&fields=name,points&limit=1&sort=points')
    expect(few.body['customer']).toEqual([{ name: 'Lister 01', points: 1 }])
    expect(Number(few.body['totalNotFiltered'])).toBeGreaterThanOrEqual(25)
  })

  it.skipIf(!present)('returns related records inline and as lists of their own', async () => {
    const ann = idOf((await shop.ask('POST', '/customer', { name: 'Joined' })).body['customer'])
    const order = idOf(
      (await shop.ask('POST', '/order', { number: 'J-1', total: '5.25', customerId: ann })).body['order'],
    )
    await shop.ask('POST', '/item', { sku: 'J-1-a', amount: 2, orderId: order })
    await shop.ask('POST', '/item', { sku: 'J-1-b', amount: 3, orderId: order })
    const read = await shop.ask('GET', `/order/${order}`)
    expect(read.body['order']).toMatchObject({
      number: 'J-1',
      customer: { id: ann, name: 'Joined' },
      item: [{ sku: 'J-1-a' }, { sku: 'J-1-b' }],
    })
    const list = await shop.ask('GET', '/order?filter[number]=J-1')
    expect(list.body['order']).toMatchObject([{ customer: { id: ann } }])
    expect(listOf(list.body['order'])[0]).not.toHaveProperty('item')
    const items = await shop.ask('GET', `/order/${order}/item?sort=-amount&limit=1`)
    expect(items.body).toMatchObject({ total: 2, item: [{ sku: 'J-1-b', amount: 3 }] })
    expect((await shop.ask('GET', `/order/${order}/customer`)).body['customer']).toMatchObject({ id: ann })
    expect((await shop.ask('GET', '/order/999999/item')).status).toBe(404)
    const referred = await shop.ask('DELETE', `/customer/${ann}`)
    expect([referred.status, referred.body['result']]).toEqual([409, 'ERROR'])
    await shop.ask('DELETE', `/order/${order}`)
    expect((await shop.ask('GET', '/item/J-1-a')).status).toBe(404)
  })

  it.skipIf(!present)('refuses invalid requests with a message that reveals no internals', async () => {
    await shop.ask('POST', '/item', { sku: 'twice', amount: 1 })
    const refused: [string, string, unknown, number][] = [
      ['POST', '/item', { sku: 'twice', amount: 1 }, 409],
      ['POST', '/order', { number: 'X', total: '1', customerId: 424_242 }, 400],
      ['POST', '/customer', {}, 400],
      ['POST', '/customer', { name: 'A', nothing: 1 }, 400],
      ['POST', '/customer', { name: 7 }, 400],
      ['POST', '/customer', { name: 'x'.repeat(101) }, 400],
      ['POST', '/customer', { name: 'A', level: 'silver' }, 400],
      ['POST', '/customer', { name: 'A', born: '2023-02-29' }, 400],
      ['POST', '/customer', { id: 5, name: 'A' }, 400],
      ['PUT', '/customer', { name: 'A' }, 400],
      ['GET', '/customer?limit=-1', undefined, 400],
      ['GET', '/customer?limit=x', undefined, 400],
      ['GET', '/customer?limit=99999999', undefined, 400],
      ['GET', '/customer?offset=-1', undefined, 400],
      ['GET', '/customer?nothing=1', undefined, 400],
      ['GET', '/customer?limit=1&limit=2', undefined, 400],
      ['GET', '/customer?sort=nothing', undefined, 400],
      ['GET', '/customer?fields=', undefined, 400],
      ['GET', '/customer?fields=id,nothing', undefined, 400],
      ['GET', '/customer?filter[nothing]=1', undefined, 400],
      ['GET', '/customer?filter[name][near]=1', undefined, 400],
      ['GET', '/customer?filter[points]=many', undefined, 400],
      ['GET', '/customer?filter[name', undefined, 400],
      ['GET', '/customer/many', undefined, 400],
      ['DELETE', '/customer/1?limit=1', undefined, 400],
    ]
    for (const [method, path, body, status] of refused) {
      const answer = await shop.askRaw(method, path, body === undefined ? undefined : JSON.stringify(body))
      expect([method, path, body, answer.status]).toEqual([method, path, body, status])
      const { fields: _fields, ...error } = answer.body
      expect(error).toEqual({ result: 'ERROR', message: expect.stringMatching(/^\S.*\S$/s) })
      expect(answer.text).not.toMatch(/sqlite|postgres|select|insert|constraint|node_modules|\.ts/i)
    }
  })

  it.skipIf(!present)('refuses wrong methods, media types and addresses with the matching status', async () => {
    const patched = await shop.askRaw('PATCH', '/customer', '{}')
    expect([patched.status, patched.headers.get('allow')]).toEqual([405, 'GET, POST, PUT'])
    const deleted = await shop.askRaw('DELETE', '/customer')
    expect([deleted.status, deleted.headers.get('allow')]).toEqual([405, 'GET, POST, PUT'])
    const posted = await shop.askRaw('POST', '/customer/1', '{}')
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, DELETE'])
    expect(
      (await shop.askRaw('POST', '/customer', 'name=Ann', { 'content-type': 'application/x-www-form-urlencoded' }))
        .status,
    ).toBe(415)
    expect((await shop.askRaw('POST', '/customer', '{"name":')).status).toBe(400)
    expect((await shop.askRaw('POST', '/customer', '[1]')).status).toBe(400)
    expect((await shop.askRaw('POST', '/customer', `{"name":"${'x'.repeat(6_000_000)}"}`)).status).toBe(413)
    expect((await shop.askRaw('POST', '/customer', `{"extra":${'['.repeat(5000)}${']'.repeat(5000)}}`)).status).toBe(
      400,
    )
    for (const path of [
      '/nothing',
      '/nothing/1',
      '/customer/1/nothing',
      '/_aggregate/customer/nothing',
      '/_history/customer/1',
    ]) {
      expect([path, (await shop.askRaw('GET', path)).status]).toEqual([path, 404])
    }
    expect((await instance.fetch('/api/nothing/1.0/customer')).status).toBe(404)
    expect((await instance.fetch('/api/shop/2.0/customer')).status).toBe(404)
  })

  it.skipIf(!present)('preserves long numbers of a body exactly or refuses them', async () => {
    const made = await shop.askRaw('POST', '/customer', '{"name":"Long","points":9007199254740993}')
    expect(made.body['customer']).toMatchObject({ points: '9007199254740993' })
    const overflow = await shop.askRaw('POST', '/customer', '{"name":"Long","points":9223372036854775808}')
    expect(overflow.status).toBe(400)
    const inside = await shop.askRaw('POST', '/customer', '{"name":"Long","extra":{"n":9007199254740993}}')
    expect(inside.status).toBe(400)
    expect(inside.body['message']).toBe('The number 9007199254740993 cannot be stored exactly: send it as a string.')
  })

  it.skipIf(!present)('treats values in addresses as data, never as SQL', async () => {
    for (const text of ["' OR 1=1 --", '%', '_', '\\', '"', '🙂', '$1', '?', '\'; DROP TABLE "Customer"; --']) {
      const encoded = encodeURIComponent(text)
      expect((await shop.ask('GET', `/customer?filter[name]=${encoded}`)).body).toMatchObject({
        total: 0,
        customer: [],
      })
      expect((await shop.ask('GET', `/item/${encoded}`)).status).toBe(404)
      const sku = `${text}!`
      await shop.ask('POST', '/item', { sku, amount: 1 })
      expect((await shop.ask('GET', `/item/${encodeURIComponent(sku)}`)).body['item']).toMatchObject({ sku })
      expect((await shop.ask('GET', `/item?search=${encodeURIComponent(sku)}`)).body).toMatchObject({ total: 1 })
    }
  })
})

function idOf(record: unknown): number {
  const id = typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined
  if (typeof id !== 'number') throw new TypeError('The record has no id.')
  return id
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value : []
}
