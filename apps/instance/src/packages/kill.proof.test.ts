import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { type Child, startChild } from '@cadmus/testing/children'
import { proofCount, proofSeed, recordProof } from '@cadmus/testing/proof'
import { freePort, removeFolder, temporaryFolder, waitFor } from '@cadmus/testing/temporary'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { consoleSecret } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

const kills = proofCount('upload_kills', 4, 100)
const program = join(import.meta.dirname, '../main.ts')
const told = z.object({ version: z.string(), status: z.string() })
const headers = { authorization: `Bearer ${consoleSecret}` }

it('Done when: an instance that is killed (-9) during an upload has the old package or the new one, whole', async () => {
  const began = performance.now()
  const random = seededRandom(proofSeed())
  const dataDir = temporaryFolder('instance-kill')
  const files = {
    'code/filler.txt': Buffer.from(Array.from({ length: 300_000 }, () => random.between(0, 255))).toString('base64'),
  }
  let least = 0
  const found = new Set<string>()
  for (let version = 1; version <= kills; version += 1) {
    const { child, url } = await start(dataDir)
    if (version === 1) least = await upload(url, packageZip({ version: '0.0.0', files })).then(() => settled(url))
    const ending = upload(url, packageZip({ version: `${version}.0.0`, files })).catch(() => undefined)
    await wait(random.between(0, 60))
    await child.stop('SIGKILL')
    await ending
    const again = await start(dataDir)
    const now = await settled(again.url)
    expect([version, least].includes(now), `${now} after ${version}, with ${least} before`).toBe(true)
    expect(readdirSync(join(dataDir, 'packages', 'shop'))).toHaveLength(2)
    found.add(now === version ? 'new' : 'old')
    least = now
    await again.child.stop('SIGKILL')
  }
  expect(found.size).toBe(kills >= 20 ? 2 : found.size)
  removeFolder(dataDir)
  recordProof({
    name: 'An upload that a kill (-9) interrupts leaves the old package or the new one, whole',
    counts: { kills },
    durationMs: performance.now() - began,
  })
})

async function start(dataDir: string): Promise<{ child: Child; url: string }> {
  const port = await freePort()
  const env = {
    PATH: process.env['PATH'],
    CADMUS_INSTANCE_PORT: String(port),
    CADMUS_INSTANCE_DATA_DIR: dataDir,
    CADMUS_INSTANCE_SECRET: consoleSecret,
    CADMUS_LOG_LEVEL: 'warn',
  }
  const child = startChild(process.execPath, [program], { env })
  const url = `http://localhost:${port}`
  await waitFor(() => fetch(`${url}/health`), 20_000, 20)
  return { child, url }
}

async function upload(url: string, zip: Uint8Array): Promise<void> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(zip)]), 'package.zip')
  const place = `${url}/esbapi/packages/upload?stateOnCreate=LOADED&replaceExisting=true`
  const answer = await fetch(place, { method: 'POST', headers, body: form })
  expect(answer.status).toBe(200)
}

/** The major version of the package that is loaded. */
function settled(url: string): Promise<number> {
  return waitFor(async () => {
    const { version, status } = told.parse(await (await fetch(`${url}/esbapi/packages/shop`, { headers })).json())
    if (status !== 'LOADED') throw new Error(`It is ${status}.`)
    return Number(version.split('.')[0])
  }, 10_000)
}
