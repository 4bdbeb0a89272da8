import { recordEngine, sqliteVersion } from '@cadmus/testing/engine-versions'
import { proofCount, recordProof } from '@cadmus/testing/proof'
import { expect, it } from 'vitest'
import { startTestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

const swaps = proofCount('swaps', 5, 50)
const requests = proofCount('swap_requests', 800, 100_000)
const callers = 12

it('Done when: repeated replacements of a package fail no request and lose no record', async () => {
  const began = performance.now()
  recordEngine('SQLite', sqliteVersion)
  const instance = await startTestInstance()
  const swap = async (version: string) => {
    await instance.upload(packageZip({ version }))
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version })
  }
  await swap('0.0.0')
  let sent = 0
  let made = 0
  const failures: string[] = []
  const versions = new Set<string>()
  const ask = async (path: string, init?: RequestInit) => {
    sent += 1
    const answer = await instance.fetch(`/api/shop/1.0${path}`, init)
    const text = await answer.text()
    if (answer.status !== 200) failures.push(`${answer.status} ${path} ${text}`)
    return text
  }
  const headers = { 'content-type': 'application/json' }
  const calls = [
    async () => {
      await ask('/customer', { method: 'POST', headers, body: '{"name":"Ann","credit":"1"}' })
      made += 1
    },
    async () => versions.add(/"version":"([\d.]+)"/.exec(await ask('/openapi.json'))?.[1] ?? 'none'),
    () => ask('/customer?limit=5'),
    // A search would read every record.
    () => ask('/customer/1'),
  ]
  await calls[0]?.()
  let isOver = false
  const calling = Array.from({ length: callers }, async (_, caller) => {
    while (!isOver) await calls[caller % calls.length]?.()
  })
  for (let version = 1; version <= swaps; version += 1) {
    await swap(`${version}.0.0`)
    while (sent < (requests / swaps) * version) await new Promise(resolve => setTimeout(resolve, 5))
  }
  isOver = true
  await Promise.all(calling)
  expect(failures).toEqual([])
  expect(versions.size).toBe(swaps + 1)
  expect(JSON.parse(await ask('/customer?limit=1'))).toMatchObject({ total: made })
  await instance.stop()
  recordProof({
    name: 'No request fails while a package is replaced under load',
    counts: { swaps, requests: sent, callers },
    durationMs: performance.now() - began,
  })
})
