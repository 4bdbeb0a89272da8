import { proofCount, recordProof } from '@cadmus/testing/proof'
import { expect, it } from 'vitest'
import { startTestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'
import { probe, probeEngines } from '../testing/probe.ts'

const swaps = proofCount('swaps', 6, 50)
const requests = proofCount('swap_requests', 3000, 100_000)
const callers = 16

it('Done when: no request fails while a package is replaced again and again', async () => {
  const began = performance.now()
  const { openEngine, opened } = probeEngines()
  const instance = await startTestInstance({ openEngine, protocols: [probe] })
  await instance.upload(packageZip({ version: '0.0.0' }))
  await instance.settled('shop')
  let asked = 0
  let replaced = 0
  const failures: string[] = []
  const seen = new Set<string>()
  const isOver = () => asked >= requests && replaced >= swaps
  const calling = Array.from({ length: callers }, async (_, caller) => {
    while (!isOver()) {
      asked += 1
      // Some are in the middle of it when the package that they found is replaced.
      const answer = await instance.fetch(`/probe/shop/Customer/select?wait=${caller % 4 === 0 ? 20 : 0}`)
      const text = await answer.text()
      if (answer.status === 200) seen.add(text)
      else failures.push(`${answer.status} ${text}`)
    }
  })
  for (let version = 1; version <= swaps; version += 1) {
    await instance.upload(packageZip({ version: `${version}.0.0` }))
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', version: `${version}.0.0` })
    replaced = version
    while (asked < (requests / swaps) * version) await new Promise(resolve => setTimeout(resolve, 5))
  }
  await Promise.all(calling)
  expect(failures).toEqual([])
  expect(seen.size).toBe(swaps + 1)
  await expect.poll(() => opened.filter(({ closed }) => !closed).length).toBe(1)
  await instance.stop()
  recordProof({
    name: 'No request fails while a package is replaced under load',
    counts: { swaps, requests: asked, callers },
    durationMs: performance.now() - began,
  })
})
