import { aTypeAttribute } from '@cadmus/model/testing/builders'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { zipFrom } from '../testing/changed-package.ts'
import { casesOn, propertiesOf, testDatabases, type TestDatabase } from '../testing/databases.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageFiles } from '../testing/package-zip.ts'

const large = 'x'.repeat(4_800_000)
const notes = Array.from({ length: 8 }, (_, at) => `note${at}`)

/** Orders with items that are deleted with them and recorded. */
async function startRecorded({ settings }: TestDatabase): Promise<TestInstance> {
  const services = { applySot: true, sotEntities: ['Item'] }
  const files = packageFiles({ properties: propertiesOf(settings), configuration: { services } })
  const zip = zipFrom(files, '1.0.0', model => {
    const entities = model.entities.map(entity => {
      if (entity.name !== 'Item') return entity
      const more = notes.map((name, at) => aTypeAttribute({ name, nullable: true, position: 50 + at }))
      return { ...entity, typeAttributes: [...entity.typeAttributes, ...more] }
    })
    return { ...model, entities }
  })
  const instance = await startTestInstance()
  await instance.upload(zip)
  expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED' })
  return instance
}

/** Sends a request and reads its answer completely, because unread answers count. */
async function send(instance: TestInstance, method: string, path: string, body?: object | string) {
  const type = typeof body === 'string' ? 'text/xml' : 'application/json'
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const answer = await instance.fetch(path, { method, ...(body && { headers: { 'content-type': type } }), ...sent })
  return { status: answer.status, text: await answer.text() }
}

async function expectDone(answer: ReturnType<typeof send>): Promise<string> {
  const { status, text } = await answer
  expect([status, text.slice(0, 300)]).toEqual([200, expect.not.stringMatching(/"?errors"?|Fault/)])
  return text
}

async function addOrder(instance: TestInstance, number: number): Promise<void> {
  await expectDone(send(instance, 'POST', '/api/shop/1.0/customer', { name: `Customer ${number}` }))
  const order = { number: String(number), total: '1.00', customerId: number }
  await expectDone(send(instance, 'POST', '/api/shop/1.0/order', order))
}

const skuOf = (order: number, at: number) => `${order}-${at}`

/** Adds items with large texts in one request: parsing a text for each would dominate the test. */
async function addItems(
  instance: TestInstance,
  orderId: number,
  { from = 0, to }: { from?: number; to: number },
  texts = ['note0'],
): Promise<void> {
  const given = texts.map(name => `${name}: $text`).join(' ')
  const inserts = Array.from({ length: to - from }, (_, index) => {
    const at = from + index
    const record = `sku: "${skuOf(orderId, at)}" amount: ${at} orderId: ${orderId} ${given}`
    return `i${at}: insertItem(record: { ${record} }) { sku }`
  })
  const query = `mutation ($text: String!) { ${inserts.join(' ')} }`
  await expectDone(send(instance, 'POST', '/graphql/shop/1.0', { query, variables: { text: large } }))
}

const deletions = {
  REST: (instance: TestInstance, id: number) => send(instance, 'DELETE', `/api/shop/1.0/order/${id}`),
  GraphQL: (instance: TestInstance, id: number) =>
    send(instance, 'POST', '/graphql/shop/1.0', { query: `mutation { deleteOrder(id: ${id}) }` }),
  SOAP: (instance: TestInstance, id: number) =>
    send(
      instance,
      'POST',
      '/soap/shop/1.0',
      `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><DeleteOrder xmlns="urn:cadmus:shop:1.0"><id>${id}</id></DeleteOrder></e:Body></e:Envelope>`,
    ),
}

it.each(casesOn('', testDatabases))(
  'a record on $name is deleted over every protocol although its recorded dependents exceed 64 MB together',
  async ({ present, create }) => {
    if (!present) return
    const database = await create()
    const instance = await startRecorded(database)
    for (const [at, remove] of Object.values(deletions).entries()) {
      const id = at + 1
      await addOrder(instance, id)
      // The first record is deleted over REST with all dependents; the others show that the rule belongs to the engine.
      const count = at === 0 ? 14 : 1
      for (let from = 0; from < count; from += 7) await addItems(instance, id, { from, to: Math.min(count, from + 7) })
      await expectDone(remove(instance, id))
      expect((await send(instance, 'GET', `/api/shop/1.0/item/${skuOf(id, 0)}`)).status).toBe(404)
      const history = await expectDone(send(instance, 'GET', `/api/shop/1.0/_history/item/${skuOf(id, count - 1)}`))
      const changes: { operation: string; before: { amount: number; note0: string } | null }[] =
        JSON.parse(history).item
      expect(changes.map(({ operation, before }) => [operation, before?.amount, before?.note0.length])).toEqual([
        ['insert', undefined, undefined],
        ['delete', count - 1, large.length],
      ])
    }
    await instance.stop()
    await database.drop()
  },
)

// By default, MariaDB refuses a history entry of more than 16 MB.
it.each(casesOn('', testDatabases).filter(({ name }) => name !== 'MariaDB'))(
  'a recorded record on $name is updated although it exceeds 64 MB together with its former state',
  async ({ present, create }) => {
    if (!present) return
    const database = await create()
    const instance = await startRecorded(database)
    await addOrder(instance, 1)
    const sku = skuOf(1, 0)
    await addItems(instance, 1, { to: 1 }, notes)
    const changed = await expectDone(send(instance, 'PUT', '/api/shop/1.0/item', { sku, amount: 2 }))
    expect(JSON.parse(changed).item.amount).toBe(2)
    await instance.stop()
    await database.drop()
  },
)

it('a record is deleted with its large dependents although the caller has too many unread answers', async () => {
  const database = await testDatabases[0]?.create()
  if (!database) throw new Error('SQLite is missing.')
  const instance = await startRecorded(database)
  await addOrder(instance, 1)
  await addItems(instance, 1, { to: 2 })
  // Leaves less room than the smallest large answer needs.
  await expectDone(send(instance, 'PUT', '/api/shop/1.0/customer', { id: 1, email: large.slice(800_000) }))
  const unread: Socket[] = []
  const { port } = instance.context
  for (const path of [...Array.from({ length: 13 }, () => `item/${skuOf(1, 0)}`), 'customer/1']) {
    const socket = connect(port, '127.0.0.1')
    unread.push(socket)
    socket.write(`GET /api/shop/1.0/${path} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`)
    // Waits for the first bytes of the answer.
    await new Promise(resolve => socket.once('readable', resolve))
  }
  expect((await send(instance, 'GET', `/api/shop/1.0/item/${skuOf(1, 0)}`)).status).toBe(429)
  await expectDone(deletions.REST(instance, 1))
  for (const socket of unread) socket.destroy()
  await instance.stop()
  await database.drop()
})
