import { waitFor } from '@cadmus/testing/temporary'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../engine/engine.ts'
import { casesOn, propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { insertCustomers } from '../testing/insert-customers.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

const email = 'x & "é" '.repeat(80_000)
const records = 3
const callers = 12

const list = '<SelectAllCustomer xmlns="urn:cadmus:shop:1.0"><limit>1000</limit></SelectAllCustomer>'
const envelope = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${list}</e:Body></e:Envelope>`
const query = (fields: string) => JSON.stringify({ query: `{ customerList(limit: 1000) { records { ${fields} } } }` })

const requests = [
  { protocol: 'REST', method: 'GET', path: '/api/shop/1.0/customer?limit=1000', type: '', body: '' },
  { protocol: 'GraphQL', method: 'POST', path: '/graphql/shop/1.0', type: 'application/json', body: query('email') },
  {
    protocol: 'GraphQL with aliases',
    method: 'POST',
    path: '/graphql/shop/1.0',
    type: 'application/json',
    body: query('mail: email'),
  },
  { protocol: 'SOAP', method: 'POST', path: '/soap/shop/1.0', type: 'text/xml', body: envelope },
] as const
type Request = (typeof requests)[number]

describe.each(testDatabases)('large answers from $name', ({ name, create, present }) => {
  let database: TestDatabase
  let instance: TestInstance
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
    await insertCustomers(instance, { name: 'Ada', email }, records)
  })
  afterAll(async () => {
    if (!present) return
    await instance.stop()
    await database.drop()
  })

  const sendRequest = ({ method, path, type, body }: Request): Socket => {
    const { port } = instance.context
    const head = [`${method} ${path} HTTP/1.1`, `Host: localhost:${port}`, `Content-Length: ${Buffer.byteLength(body)}`]
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write([...head, ...(type === '' ? [] : [`Content-Type: ${type}`]), '', body].join('\r\n'))
    return socket
  }
  const fetchAnswer = ({ method, path, type, body }: Request) =>
    instance.fetch(path, method === 'GET' ? {} : { method, headers: { 'content-type': type }, body })

  it.skipIf(!present).each(casesOn(name, requests))(
    'runs two of twelve large queries and cancels the others when the callers disconnect: $protocol',
    async call => {
      const { promise, resolve: open } = Promise.withResolvers<void>()
      gate = promise
      Object.assign(runs, { started: 0, done: 0, failed: 0 })
      const sockets = Array.from({ length: callers }, () => sendRequest(call))
      await waitFor(async () => expect([runs.started, runs.done]).toEqual([callers, 2]), 60_000, 5)
      for (const socket of sockets) socket.destroy()
      await waitFor(async () => expect(runs).toEqual({ started: callers, done: 2, failed: callers - 2 }), 60_000, 5)
      open()
      // The slots are free again.
      const answer = await fetchAnswer(call)
      expect([answer.status, (await answer.text()).length > records * email.length]).toEqual([200, true])
    },
  )

  it.skipIf(!present).each(casesOn(name, requests))(
    'answers parallel large queries completely: $protocol',
    async call => {
      const answers = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const answer = await fetchAnswer(call)
          return { status: answer.status, text: await answer.text() }
        }),
      )
      for (const { status, text } of answers) {
        expect([status, textsIn(call, text).filter(one => one === email).length]).toEqual([200, records])
      }
    },
  )
})

/** The values of the large field. */
function textsIn({ protocol }: Request, text: string): string[] {
  if (protocol !== 'SOAP')
    return [...JSON.stringify(JSON.parse(text)).matchAll(/"(?:e?mail)":("(?:[^"\\]|\\.)*")/g)].map(([, json = '']) =>
      JSON.parse(json),
    )
  const values = [...text.matchAll(/<email>([^<]*)<\/email>/g)].map(([, value = '']) => value)
  return values.map(value => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}
