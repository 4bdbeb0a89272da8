import { postgresAvailability } from '@cadmus/testing/availability'
import { type OwnPostgresServer, startOwnPostgres } from '@cadmus/testing/postgres'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresSettings, propertiesOf } from '../testing/databases.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

describe.skipIf(!postgresAvailability().present)('REST during an outage of the database', () => {
  let server: OwnPostgresServer
  let instance: TestInstance
  beforeAll(async () => {
    server = await startOwnPostgres({ durable: true })
    instance = await startTestInstance()
    await instance.upload(packageZip({ properties: propertiesOf(postgresSettings(server.url)) }))
    await instance.settled('shop')
  })
  afterAll(async () => {
    await instance.stop()
    await server.stop()
  })

  it('answers 503 with Retry-After, recovers by itself, and keeps every acknowledged record', async () => {
    const acknowledged: string[] = []
    const refused: { status: number; retryAfter: string | null; text: string }[] = []
    let isOver = false
    const writing = Array.from({ length: 4 }, async (_, writer) => {
      for (let number = 0; !isOver; number += 1) {
        const answer = await instance.fetch('/api/shop/1.0/customer', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ name: `${writer}-${number}` }),
        })
        const text = await answer.text()
        if (answer.ok) acknowledged.push(`${writer}-${number}`)
        else refused.push({ status: answer.status, retryAfter: answer.headers.get('retry-after'), text })
        await wait(5)
      }
    })
    for (const how of ['SIGINT', 'SIGKILL'] as const) {
      await wait(300)
      await server.restart(how, 700)
    }
    const before = acknowledged.length
    while (acknowledged.length < before + 8) await wait(50)
    isOver = true
    await Promise.all(writing)
    expect(refused.length).toBeGreaterThan(0)
    expect(new Set(refused.map(({ text }) => text))).toEqual(
      new Set([
        JSON.stringify({
          result: 'ERROR',
          message: 'The database cannot be reached at the moment. Try again shortly.',
        }),
      ]),
    )
    expect(new Set(refused.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(new Set(['503 2']))
    const answer = await instance.fetch('/api/shop/1.0/customer?fields=name&limit=1000')
    const { customer }: { customer: { name: string }[] } = JSON.parse(await answer.text())
    const names = new Set(customer.map(({ name }) => name))
    expect(acknowledged.filter(name => !names.has(name)).slice(0, 5)).toEqual([])
  })
})
