import { isProving } from '@cadmus/testing/proof'
import { waitFor } from '@cadmus/testing/temporary'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../engine/engine.ts'
import { casesOn, propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { insertCustomers } from '../testing/insert-customers.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

const email = 'x & "é" '.repeat(170_000)
const callers = 12

const soap = (id: number, name: string) =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><UpdateCustomer xmlns="urn:cadmus:shop:1.0"><record><id>${id}</id><name>${name}</name></record></UpdateCustomer></e:Body></e:Envelope>`
const mutation = (id: number, name: string, fields: string) =>
  JSON.stringify({ query: `mutation { updateCustomer(record: { id: ${id}, name: "${name}" }) { ${fields} } }` })

const updates = [
  {
    protocol: 'REST',
    method: 'PUT',
    path: '/api/shop/1.0/customer',
    type: 'application/json',
    body: (id: number, name: string) => JSON.stringify({ id, name }),
  },
  {
    protocol: 'GraphQL',
    method: 'POST',
    path: '/graphql/shop/1.0',
    type: 'application/json',
    body: (id: number, name: string) => mutation(id, name, 'name email'),
  },
  {
    protocol: 'GraphQL with aliases',
    method: 'POST',
    path: '/graphql/shop/1.0',
    type: 'application/json',
    body: (id: number, name: string) => mutation(id, name, 'name mail: email'),
  },
  { protocol: 'SOAP', method: 'POST', path: '/soap/shop/1.0', type: 'text/xml', body: soap },
] as const
type Update = {
  path: string
  type: string
  method: string
  body(id: number, name: string): string
}

describe.each(testDatabases)('updates of large records on $name', ({ name, create, present }) => {
  let database: TestDatabase
  let instance: TestInstance
  const ids: number[] = []
  const runs = { started: 0, done: 0, failed: 0 }
  let gate = Promise.resolve()
  const countRun = async <T>(work: Promise<T>): Promise<T> => {
    runs.started += 1
    try {
      const result = await work
      runs.done += 1
      await gate
      return result
    } catch (error) {
      runs.failed += 1
      throw error
    }
  }
  beforeAll(async () => {
    if (!present) return
    database = await create()
    instance = await startTestInstance({
      openEngine: async (...engineOptions) => {
        const engine = await openEngine(...engineOptions)
        return {
          ...engine,
          run: (...args) => countRun(engine.run(...args)),
          write: (...args) => countRun(engine.write(...args)),
        }
      },
    })
    await instance.upload(packageZip({ properties: propertiesOf(database.settings) }))
    await instance.settled('shop')
    await insertCustomers(instance, { name: 'before', email }, callers)
    for (let id = 1; id <= callers; id += 1) ids.push(id)
  })
  afterAll(async () => {
    if (!present) return
    await instance.stop()
    await database.drop()
  })

  const insert = async (record: object): Promise<number> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(record) }
    const answer = await instance.fetch('/api/shop/1.0/customer', init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(text)
    return JSON.parse(text).customer.id
  }
  const nameOf = async (id: number): Promise<string> => {
    const answer = await instance.fetch(`/api/shop/1.0/customer/${id}?fields=name`)
    return JSON.parse(await answer.text()).customer.name
  }
  const send = ({ method, path, type, body }: Update, id: number, name: string): Socket => {
    const { port } = instance.context
    const text = body(id, name)
    const head = [`${method} ${path} HTTP/1.1`, `Host: localhost:${port}`, `Content-Type: ${type}`]
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write([...head, `Content-Length: ${Buffer.byteLength(text)}`, '', text].join('\r\n'))
    return socket
  }
  const fetchAnswer = async ({ method, path, type, body }: Update, id: number, name: string) => {
    const answer = await instance.fetch(path, { method, headers: { 'content-type': type }, body: body(id, name) })
    return { status: answer.status, text: await answer.text() }
  }

  it.skipIf(!present).each(casesOn(name, updates))(
    'runs two of twelve updates and cancels the others when the callers disconnect: $protocol',
    async call => {
      const { promise, resolve: open } = Promise.withResolvers<void>()
      gate = promise
      Object.assign(runs, { started: 0, done: 0, failed: 0 })
      const sockets = ids.map(id => send(call, id, call.protocol))
      await waitFor(async () => expect([runs.started, runs.done]).toEqual([callers, 2]), 60_000, 5)
      for (const socket of sockets) socket.destroy()
      await waitFor(async () => expect(runs).toEqual({ started: callers, done: 2, failed: callers - 2 }), 60_000, 5)
      open()
      const names = await Promise.all(ids.map(nameOf))
      expect(names.filter(name => name === call.protocol)).toHaveLength(2)
    },
  )

  it.skipIf(!present).each(casesOn(name, updates))(
    'applies and answers parallel updates completely: $protocol',
    async call => {
      const answers = await Promise.all([0, 1, 2, 3].map(at => fetchAnswer(call, ids[at % 2] ?? 0, `after ${at}`)))
      for (const [at, { status, text }] of answers.entries()) {
        expect([status, text.includes(`after ${at}`), text.length > email.length]).toEqual([200, true, true])
      }
      const names = await Promise.all(ids.slice(0, 2).map(nameOf))
      expect(names.every(name => name.startsWith('after'))).toBe(true)
    },
  )

  // PostgreSQL writes all digits of such a number.
  it.runIf(present && name === 'PostgreSQL')(
    'refuses an insert before applying it if its answer may exceed the limit',
    async () => {
      const insertOf = (record: object): Update => ({
        ...updates[0],
        method: 'POST',
        body: () => JSON.stringify(record),
      })
      const digits = insertOf({ name: 'digits', extra: { data: Array.from({ length: 49_900 }, () => 1e308) } })
      const sockets: Socket[] = []
      for (const call of [digits, digits, digits, digits, insertOf({ name: 'text', email: 'x'.repeat(4_500_000) })]) {
        const socket = send(call, 0, '')
        sockets.push(socket)
        await new Promise(resolve => socket.once('readable', resolve))
      }
      const refused = await fetchAnswer(digits, 0, '')
      for (const socket of sockets) socket.destroy()
      expect(refused.status).toBe(429)
      const stored = await instance.fetch('/api/shop/1.0/customer?fields=name&filter[name]=digits')
      expect(JSON.parse(await stored.text()).total).toBe(4)
    },
  )

  // Answer sizes are counted independently of the database.
  if (name !== 'SQLite' && !isProving()) return

  it.skipIf(!present)('refuses an update whose answer would be too large before applying it', async () => {
    const id = await insert({ name: 'before', email: 'x'.repeat(900_000) })
    const aliases = Array.from({ length: 100 }, (_, at) => `e${at}: email`).join(' ')
    const answer = await instance.fetch('/graphql/shop/1.0', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: mutation(id, 'after', aliases),
    })
    expect([await answer.text(), await nameOf(id)]).toEqual([
      expect.stringContaining('The answer would be larger than 64 MB.'),
      'before',
    ])
    const query = `mutation ($record: CustomerInsert!) { ${Array.from({ length: 20 }, (_, at) => `m${at}: insertCustomer(record: $record) { name email }`).join(' ')} }`
    const many = await instance.fetch('/graphql/shop/1.0', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { record: { name: 'many', email: 'x'.repeat(4_500_000) } } }),
    })
    expect(await many.text()).toContain('The answer would be larger than 64 MB.')
    const countRun = await instance.fetch('/api/shop/1.0/customer?fields=name&filter[name]=many')
    expect(JSON.parse(await countRun.text()).total).toBe(14)
  })

  it.skipIf(!present)('refuses an update before applying it if too many answers are unread', async () => {
    const id = await insert({ name: 'before', email: 'x'.repeat(4_500_000) })
    const more = { id, extra: { text: 'x'.repeat(4_500_000) } }
    const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify(more) }
    expect((await instance.fetch('/api/shop/1.0/customer', init)).status).toBe(200)
    const unread: Socket[] = []
    const refused = () => instance.log.filter(line => line.includes('Too many of your responses are unread.')).length
    const before = refused()
    for (let at = 0; refused() === before; at += 1) {
      expect(at).toBeLessThan(20)
      const socket = send(updates[0], id, `after ${at}`)
      unread.push(socket)
      // Waits for the first bytes of the answer or of the refusal.
      await new Promise(resolve => socket.once('readable', resolve))
    }
    for (const socket of unread) socket.destroy()
    await waitFor(async () => expect(await nameOf(id)).toBe(`after ${unread.length - 2}`), 60_000)
  })

  it.skipIf(!present)('refuses mutations whose relations do not fit next to unread answers, before them', async () => {
    const many = 20
    const customer = await insert({ name: 'related', email: 'x'.repeat(4_500_000) })
    const update = {
      ...updates[0],
      body: () => JSON.stringify({ id: customer, extra: { text: 'x'.repeat(4_500_000) } }),
    }
    expect((await fetchAnswer(update, customer, '')).status).toBe(200)
    const insertOrder = (number: string): Update => ({
      method: 'POST',
      path: '/api/shop/1.0/order',
      type: 'application/json',
      body: () => JSON.stringify({ number, total: '1.00', customerId: customer }),
    })
    const orders: number[] = []
    for (let at = 0; at < many; at += 1) {
      const { text } = await fetchAnswer(insertOrder(`${at}`), 0, '')
      orders.push(JSON.parse(text).order.id)
    }
    // The second mutation is refused although the first is committed.
    const updateOrder: Update = {
      ...updates[1],
      body: id => {
        const fields = 'id customer { email extra }'
        const first = `a: updateOrder(record: { id: ${id}, number: "a${id}" }) { id }`
        return JSON.stringify({
          query: `mutation { ${first} b: updateOrder(record: { id: ${id}, total: "2" }) { ${fields} } }`,
        })
      },
    }
    const answers = await Promise.all(
      orders.map(async id => {
        const socket = send(updateOrder, id, '')
        await new Promise(resolve => socket.once('readable', resolve))
        return { socket, start: String(socket.read(2000) ?? socket.read()) }
      }),
    )
    const refused = answers.filter(({ start }) => start.includes('Too many of your responses are unread.'))
    for (const { socket } of answers) socket.destroy()
    // Seven answers fit, and two are read at a time.
    expect(many - refused.length).toBeLessThanOrEqual(9)
    const changed = async () => {
      const answer = await instance.fetch('/api/shop/1.0/order?fields=id&filter[total]=2')
      return [answer.status, JSON.parse(await answer.text()).total]
    }
    await expect.poll(changed).toEqual([200, many - refused.length])
  })
})
