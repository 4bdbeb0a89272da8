import { waitFor } from '@cadmus/testing/temporary'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../engine/engine.ts'
import { OperationError } from '../engine/errors.ts'
import { insertCustomers } from '../testing/insert-customers.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

describe('caller that does not read answers', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await startTestInstance({
      openEngine: async (...engineOptions) => {
        const engine = await openEngine(...engineOptions)
        return {
          ...engine,
          write: async (operation, ...rest) => {
            if (operation.entity === 'Order') throw new OperationError({ kind: 'unavailable', message: 'Away.' })
            return engine.write(operation, ...rest)
          },
        }
      },
    })
    await instance.upload(packageZip())
    await instance.settled('shop')
    await insertCustomers(instance, { name: 'Ada', email: 'x'.repeat(5_000_000) }, 8)
  })
  afterAll(() => instance.stop())

  const refused = () => instance.log.filter(line => line.includes('Too many of your responses are unread.')).length
  const large = '/api/shop/1.0/customer'
  const unreadOf = (paths: readonly string[], address = '127.0.0.1'): Socket => {
    const socket = connect(instance.context.port, '127.0.0.1')
    socket.pause()
    const head = `HTTP/1.1\r\nHost: localhost:${instance.context.port}\r\nX-Forwarded-For: ${address}\r\n\r\n`
    socket.write(paths.map(path => `GET ${path} ${head}`).join(''))
    return socket
  }
  const statuses = (socket: Socket, count: number): Promise<number[]> =>
    new Promise((resolve, reject) => {
      const statusesRead: number[] = []
      socket.on('data', part => {
        for (const [, status] of String(part).matchAll(/HTTP\/1\.1 (\d+)/g)) statusesRead.push(Number(status))
        if (statusesRead.length === count) resolve(statusesRead)
      })
      socket.resume()
      socket.once('close', () => reject(new Error(`Closed after ${statusesRead.length} answers.`)))
    })

  it('a caller gets one large answer, and 429 for further ones until the first is read', async () => {
    const before = refused()
    const socket = unreadOf(Array.from({ length: 4 }, () => large))
    await waitFor(async () => expect(refused() - before).toBe(3), 60_000)
    const other = await instance.fetch(large)
    expect([other.status, other.headers.get('retry-after'), await other.json()]).toEqual([
      429,
      '1',
      { result: 'ERROR', message: 'Too many of your responses are unread. Read them, then try again.' },
    ])
    expect((await instance.fetch(`${large}?fields=id`)).status).toBe(200)
    expect((await statuses(socket, 4)).toSorted()).toEqual([200, 429, 429, 429])
    socket.destroy()
    await waitFor(async () => {
      const again = await instance.fetch(large)
      expect([again.status, (await again.arrayBuffer()).byteLength > 40_000_000]).toEqual([200, true])
    }, 60_000)
  })

  it('the count of unread answers includes partial GraphQL answers with status 503', async () => {
    const query = '{ customerList { records { email } } order(id: 1) { number } }'
    const path = `/graphql/shop/1.0?query=${encodeURIComponent(query)}`
    const whole = await instance.fetch(path)
    const { data, errors } = JSON.parse(await whole.text())
    expect([whole.status, whole.headers.get('retry-after'), data.customerList.records.length, errors.length]).toEqual([
      503,
      '2',
      8,
      1,
    ])
    const socket = unreadOf([path])
    await new Promise(resolve => socket.once('readable', resolve))
    expect((await instance.fetch(large)).status).toBe(429)
    socket.destroy()
  })

  it('a caller may queue fifty requests on a connection and gets 429 for further ones', async () => {
    const before = refused()
    const socket = unreadOf([large, ...Array.from({ length: 60 }, () => `${large}?fields=id`)])
    await waitFor(async () => expect(refused() - before).toBe(10), 60_000)
    const statusesRead = await statuses(socket, 61)
    expect(statusesRead.filter(status => status === 200)).toHaveLength(51)
    expect(statusesRead.slice(51)).toEqual(Array.from({ length: 10 }, () => 429))
    socket.destroy()
  })

  it('a caller gets 503 if all callers together leave too much unread', async () => {
    const sockets: Socket[] = []
    const started = () => instance.log.filter(line => line.includes('Too many responses are unread.')).length
    for (let at = 1; started() === 0; at += 1) {
      expect(at).toBeLessThan(10)
      const socket = unreadOf([large], `192.0.2.${at}`)
      sockets.push(socket)
      // Waits for the first bytes of the answer or of the refusal.
      await new Promise(resolve => socket.once('readable', resolve))
    }
    expect(sockets).toHaveLength(7)
    const other = await instance.fetch(large)
    expect([other.status, other.headers.get('retry-after'), await other.json()]).toEqual([
      503,
      '1',
      { result: 'ERROR', message: 'Too many responses are unread. Try again in a moment.' },
    ])
    for (const socket of sockets) socket.destroy()
    await waitFor(async () => {
      const again = await instance.fetch(large)
      expect([again.status, (await again.arrayBuffer()).byteLength > 40_000_000]).toEqual([200, true])
    }, 60_000)
  })

  it('a change without room for its answer or a relation in it changes nothing', async () => {
    const body = JSON.stringify({ name: 'Ada', email: 'x'.repeat(1_500_000) })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    await (await instance.fetch(large, init)).text()
    // Together they leave too little room for a large answer.
    const sockets = []
    for (const path of [`${large}?limit=8`, `${large}?offset=3`]) {
      const socket = unreadOf([path])
      sockets.push(socket)
      await new Promise(resolve => socket.once('readable', resolve))
    }
    const change = (id: number) => `c${id}: updateCustomer(record: { id: ${id}, name: "changed" }) { email }`
    const query = `mutation { ${change(1)} ${change(2)} }`
    for (let count = 0; count < 3; count += 1) {
      const answer = await instance.fetch('/graphql/shop/1.0', { ...init, body: JSON.stringify({ query }) })
      const { data, errors } = JSON.parse(await answer.text())
      expect([answer.status, data === null, errors?.length]).toEqual([200, true, 1])
      const names = await instance.fetch(`${large}?fields=name&limit=2`)
      expect(await names.json()).toMatchObject({ customer: [{ name: 'Ada' }, { name: 'Ada' }] })
    }
    // The change is small, the relation in its answer is not.
    const order = 'insertOrder(record: { number: "1", total: 1, customerId: 1 }) { id customer { email } }'
    const insert = async () => {
      const answer = await instance.fetch('/graphql/shop/1.0', {
        ...init,
        body: JSON.stringify({ query: `mutation { ${order} }` }),
      })
      return JSON.parse(await answer.text())
    }
    const { data: none, errors: refusals } = await insert()
    expect([none, refusals.length]).toEqual([null, 1])
    for (const socket of sockets) socket.destroy()
    await waitFor(async () => {
      const { data } = await insert()
      // The first id: the refused mutations inserted nothing.
      expect([data?.insertOrder.id, data?.insertOrder.customer.email.length]).toEqual([1, 5_000_000])
    }, 60_000)
  })
})
