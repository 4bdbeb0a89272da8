import { signInHeader } from '@cadmus/model/contract/routes'
import { signIn } from '@cadmus/model/contract/sso'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ssoRoutes } from '../routes/sso.ts'
import { ConsoleClient } from '../testing/client.ts'
import { startConsole, type TestConsole } from '../testing/console.ts'
import { probeRoutes, probeWho } from '../testing/probe.ts'

describe('Rate limits', () => {
  let console: TestConsole
  beforeAll(async () => {
    console = await startConsole({ frozen: true, routes: [...ssoRoutes, ...probeRoutes] })
  })
  afterAll(() => console.stop())

  it('allow a user 200 requests at once and 50 a second, then answer 429 with Retry-After', async () => {
    const designer = await console.as('designer')
    const admin = await console.as('admin')
    const statuses = await burst(designer, 230)
    expect(statuses.filter(status => status === 200)).toHaveLength(200)
    expect(statuses.filter(status => status === 429)).toHaveLength(30)
    const refused = await designer.refusal(probeWho, {})
    expect(refused).toMatchObject({ status: 429, answer: { code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect((await admin.send(probeWho, {})).status).toBe(200)
    console.advance(1000)
    expect((await burst(designer, 60)).filter(status => status === 200)).toHaveLength(50)
  })

  it('count invalid tokens for their address', async () => {
    const visitor = new ConsoleClient(console.visitor(), '', 'ACME', { authorization: 'Bearer wrong' })
    const statuses = await burst(visitor, 230)
    expect([...new Set(statuses)].toSorted()).toEqual([401, 429])
    expect(statuses.filter(status => status === 401).length).toBeLessThanOrEqual(200)
    console.advance(10_000)
  })

  it('ignore the probes and the page', async () => {
    for (let i = 0; i < 300; i++) expect((await console.visitor().fetch('/health')).status).toBe(200)
  })

  it('allow an address 10 sign-ins a minute', async () => {
    console.advance(120_000)
    const visitor = new ConsoleClient(console.visitor(), '', undefined, { [signInHeader]: '1' })
    const attempt = async () => (await visitor.refusal(signIn, { query: { code: 'x', state: 'y' } })).status
    for (let i = 0; i < 10; i++) expect(await attempt()).toBe(401)
    expect(await attempt()).toBe(429)
    console.advance(6500)
    expect(await attempt()).toBe(401)
    expect(await attempt()).toBe(429)
  })
})

async function burst(client: ConsoleClient, count: number): Promise<number[]> {
  const statuses: number[] = []
  // Small batches, to stay below the limit of concurrent answers.
  while (statuses.length < count) {
    const part = Array.from({ length: Math.min(40, count - statuses.length) }, () => client.send(probeWho, {}))
    for (const { status } of await Promise.all(part)) statuses.push(status)
  }
  return statuses
}
