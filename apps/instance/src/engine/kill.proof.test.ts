import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { propertiesOf, testDatabases } from '../testing/databases.ts'
import { type InstanceProcess, startInstanceProcess } from '../testing/instance-process.ts'
import { packageZip } from '../testing/package-zip.ts'

const kills = proofCount('write_kills', 2, 100)
const writers = 8
const page = 1000
const listed = z.object({ customer: z.array(z.object({ name: z.string() })) })

describe.each(testDatabases)('instance on $name', ({ name, present, create }) => {
  it.skipIf(!present)(`keeps every acknowledged record over ${kills} kills (-9) with ${writers} writers`, async () => {
    const began = performance.now()
    const random = seededRandom(proofSeed())
    const database = await create()
    const dataDir = temporaryFolder('instance-writes')
    const acknowledged = new Set<string>()
    let running = await startInstanceProcess(dataDir)
    await running.upload(packageZip({ properties: propertiesOf(database.settings) }), 'stateOnCreate=STARTED')
    await running.once(() => answers(running))
    for (let kill = 0; kill < kills; kill += 1) {
      const written = new Set<string>()
      const writing = Array.from({ length: writers }, (_, writer) => write(running.url, `${kill}-${writer}`, written))
      await wait(random.between(50, 600))
      await running.child.stop('SIGKILL')
      await Promise.all(writing)
      running = await startInstanceProcess(dataDir)
      await running.once(() => answers(running))
      const stored = await namesOf(running.url, `${kill}-`)
      expect([...written].filter(one => !stored.has(one))).toEqual([])
      for (const one of written) acknowledged.add(one)
    }
    const stored = await namesOf(running.url, '-')
    expect([...acknowledged].filter(one => !stored.has(one))).toEqual([])
    await running.child.stop()
    expect(acknowledged.size).toBeGreaterThan(kills)
    removeFolder(dataDir)
    await database.drop()
    recordProof({
      name: `No record that an instance over ${name} acknowledged is lost by kills (-9) under parallel writers`,
      counts: { kills, writers, acknowledged: acknowledged.size },
      durationMs: performance.now() - began,
    })
  })
})

/** Throws with the state of the package. */
async function answers({ url, manage }: InstanceProcess): Promise<void> {
  const { ok } = await fetch(`${url}/api/shop/1.0/customer?limit=1`)
  if (!ok) throw new Error(await (await manage('/packages/shop')).text())
}

/** Creates records until the instance is killed and collects the acknowledged names. */
async function write(root: string, prefix: string, written: Set<string>): Promise<void> {
  for (let number = 0; ; number += 1) {
    const name = `${prefix}-${number}`
    const answer = await fetch(`${root}/api/shop/1.0/customer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    }).catch(() => undefined)
    if (answer === undefined) return
    if (answer.ok) written.add(name)
  }
}

async function namesOf(root: string, prefix: string): Promise<Set<string>> {
  const stored = new Set<string>()
  for (let offset = 0; ; offset += page) {
    const query = new URLSearchParams({ fields: 'name', limit: String(page), offset: String(offset), search: prefix })
    const answer = await fetch(`${root}/api/shop/1.0/customer?${query}`)
    const { customer } = listed.parse(await answer.json())
    for (const { name } of customer) stored.add(name)
    if (customer.length < page) return stored
  }
}
