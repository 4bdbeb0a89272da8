import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { recordEngine, sqliteVersion } from '@cadmus/testing/engine-versions'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { type InstanceProcess, startInstanceProcess } from '../testing/instance-process.ts'
import { packageZip } from '../testing/package-zip.ts'

const kills = proofCount('upload_kills', 2, 100)
const packageState = z.object({ version: z.string(), status: z.string() })

it('Done when: a kill (-9) during an upload leaves the complete old or new package', async () => {
  const began = performance.now()
  recordEngine('SQLite', sqliteVersion)
  const random = seededRandom(proofSeed())
  const dataDir = temporaryFolder('instance-kill')
  const files = {
    'code/filler.txt': Buffer.from(Array.from({ length: 300_000 }, () => random.between(0, 255))).toString('base64'),
  }
  let previous = 0
  const outcomes = new Set<string>()
  for (let version = 1; version <= kills; version += 1) {
    const running = await startInstanceProcess(dataDir)
    if (version === 1) {
      previous = await upload(running, packageZip({ version: '0.0.0', files })).then(() => settled(running))
    }
    const ending = upload(running, packageZip({ version: `${version}.0.0`, files })).catch(() => undefined)
    await wait(random.between(0, 60))
    await running.child.stop('SIGKILL')
    await ending
    const again = await startInstanceProcess(dataDir)
    const now = await settled(again)
    expect([version, previous].includes(now), `${now} after ${version}, with ${previous} before`).toBe(true)
    expect(readdirSync(join(dataDir, 'packages', 'shop'))).toHaveLength(2)
    outcomes.add(now === version ? 'new' : 'old')
    previous = now
    await again.child.stop('SIGKILL')
  }
  expect(outcomes.size).toBe(kills >= 20 ? 2 : outcomes.size)
  removeFolder(dataDir)
  recordProof({
    name: 'An upload that a kill (-9) interrupts leaves the old package or the new one, whole',
    counts: { kills },
    durationMs: performance.now() - began,
  })
})

async function upload(instance: InstanceProcess, zip: Uint8Array): Promise<void> {
  expect((await instance.upload(zip, 'stateOnCreate=LOADED&replaceExisting=true')).status).toBe(200)
}

/** The major version of the loaded package. */
function settled({ manage, once }: InstanceProcess): Promise<number> {
  return once(async () => {
    const { version, status } = packageState.parse(await (await manage('/packages/shop')).json())
    if (status !== 'LOADED') throw new Error(`It is ${status}.`)
    return Number(version.split('.')[0])
  })
}
