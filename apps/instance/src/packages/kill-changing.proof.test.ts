import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { recordEngine, sqliteVersion } from '@cadmus/testing/engine-versions'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { fillCustomers } from '../testing/fill-customers.ts'
import { type InstanceProcess, startInstanceProcess } from '../testing/instance-process.ts'
import { packageZip } from '../testing/package-zip.ts'

const kills = proofCount('change_kills', 2, 100)
const rows = 20_000
const packageState = z.object({ version: z.string(), status: z.string(), runningVersion: z.string().nullable() })
const listed = z.object({ total: z.number(), customer: z.array(z.record(z.string(), z.unknown())) })

it('a kill (-9) during a table change leaves the old or the new version with every record', async () => {
  const startedAt = performance.now()
  recordEngine('SQLite', sqliteVersion)
  const random = seededRandom(proofSeed())
  const dataDir = temporaryFolder('instance-change-kill')
  let running = await startInstanceProcess(dataDir)
  await running.upload(zipOf(0), 'stateOnCreate=LOADED')
  await settled(running)
  await running.manage('/packages/shop/start', { method: 'PUT' })
  await settled(running)
  await running.child.stop()
  fillCustomers(dataDir, rows)
  let before = 0
  const counts = { kills, old: 0, changed: 0 }
  for (let version = 1; version <= kills; version += 1) {
    running = await startInstanceProcess(dataDir)
    await settled(running)
    await running.upload(zipOf(version), 'stateOnCreate=STARTED&replaceExisting=true')
    await wait(random.between(0, 700))
    await running.child.stop('SIGKILL')
    running = await startInstanceProcess(dataDir)
    const now = await settled(running)
    expect([before, version], `${now} after ${version}`).toContain(now)
    const { total, customer } = await list(running)
    expect([total, Object.keys(customer[0] ?? {}).includes('remark')]).toEqual([rows, now % 2 === 1])
    expect(readdirSync(join(dataDir, 'packages', 'shop'))).toHaveLength(2)
    counts[now === version ? 'changed' : 'old'] += 1
    before = now
    await running.child.stop('SIGKILL')
  }
  removeFolder(dataDir)
  recordProof({
    name: 'A change of tables that a kill (-9) interrupts leaves the old version or the new one, with every record',
    counts,
    durationMs: performance.now() - startedAt,
  })
})

/** The major version of the running package. */
function settled({ manage, once }: InstanceProcess): Promise<number> {
  return once(async () => {
    const { version, status, runningVersion } = packageState.parse(await (await manage('/packages/shop')).json())
    if (status === 'LOADED' && runningVersion === null && version === '0.0.0') return 0
    if (status !== 'STARTED' || runningVersion !== version) throw new Error(`It is ${status}.`)
    return Number(version.split('.')[0])
  })
}

async function list({ url }: InstanceProcess) {
  return listed.parse(await (await fetch(`${url}/api/shop/1.0/customer?limit=1`)).json())
}

/** Every second version has a further field. */
function zipOf(version: number): Uint8Array {
  return packageZip({ version: `${version}.0.0`, hasRemark: version % 2 === 1 })
}
