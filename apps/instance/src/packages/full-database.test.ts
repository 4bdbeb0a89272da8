import { makeSmallDisk, smallDiskAvailability } from '@cadmus/testing/small-disk'
import { removeFolder, temporaryFolder, waitFor } from '@cadmus/testing/temporary'
import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { startInstanceProcess } from '../testing/instance-process.ts'
import { startTestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

type Ask = (path: string, init?: RequestInit) => Promise<Response>

const full = { result: 'ERROR', message: 'The database is full. Existing records can be read.' }

it.skipIf(!smallDiskAvailability().present)(
  'a full disk under the embedded database refuses writes and table changes but serves reads, until it has space again',
  async () => {
    const disk = makeSmallDisk(40_000_000)
    const instance = await startTestInstance({ env: { CADMUS_INSTANCE_DATA_DIR: disk.folder } })
    for (const name of ['shop', 'other']) await instance.upload(packageZip({ name }))
    await Promise.all(['shop', 'other'].map(instance.settled))
    let acknowledged = 200
    const made = await Promise.all(Array.from({ length: acknowledged }, (_, at) => create(instance.fetch, `Bob ${at}`)))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([200]))
    for (const left of [0, 40_000, 200_000]) {
      disk.fill(left)
      const written = await writeUntilRefused(instance.fetch)
      acknowledged += written.count
      expect([written.status, written.answer]).toEqual([503, full])
      expect(await totalOf(instance.fetch)).toBe(acknowledged)
      expect((await instance.fetch('/health')).status).toBe(200)
      expect((await instance.upload(packageZip({ version: '1.1.0', hasRemark: true }))).status).toBe(507)
      disk.clear()
      expect((await create(instance.fetch, 'room')).status).toBe(200)
      acknowledged += 1
    }
    disk.fill(150_000)
    expect((await instance.upload(packageZip({ version: '1.1.0', hasRemark: true }))).status).toBe(200)
    const refused = { status: 'START_FAILED', version: '1.1.0', reason: full.message, runningVersion: '1.0.0' }
    expect(await instance.settled('shop')).toMatchObject(refused)
    expect(await totalOf(instance.fetch)).toBe(acknowledged)
    disk.fill()
    await instance.restart()
    for (const name of ['shop', 'other']) expect((await instance.settled(name)).status).toMatch(/^START/)
    disk.clear()
    await waitFor(async () => expect(await totalOf(instance.fetch)).toBe(acknowledged), 60_000)
    await instance.upload(packageZip({ version: '1.1.0', hasRemark: true }))
    expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED', runningVersion: '1.1.0' })
    expect(await totalOf(instance.fetch)).toBe(acknowledged)
    await instance.stop()
    disk.remove()
  },
)

it.skipIf(process.platform !== 'linux')('a file size limit refuses writes without ending the instance', async () => {
  const dataDir = temporaryFolder('instance-limit')
  const running = await startInstanceProcess(dataDir, { maxFileSize: 1_048_576 })
  const ask: Ask = (path, init) => fetch(`${running.url}${path}`, init)
  const upload = (zip: Uint8Array) => running.upload(zip, 'stateOnCreate=STARTED&replaceExisting=true')
  await upload(packageZip())
  await waitFor(async () => expect(await totalOf(ask)).toBe(0), 60_000)
  const { count, status } = await writeUntilRefused(ask)
  expect(status).toBe(503)
  expect(await totalOf(ask)).toBe(count)
  const filler = randomBytes(1_500_000).toString('base64')
  expect((await upload(packageZip({ name: 'large', files: { 'code/filler.txt': filler } }))).status).toBe(507)
  expect((await ask('/health')).status).toBe(200)
  await running.child.stop()
  removeFolder(dataDir)
})

function create(ask: Ask, name: string): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return ask('/api/shop/1.0/customer', {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, email: 'x'.repeat(40_000) }),
  })
}

/** The number of acknowledged writes, and the first refusal. */
async function writeUntilRefused(ask: Ask): Promise<{ count: number; status: number; answer: unknown }> {
  for (let count = 0; ; count += 1) {
    const answer = await create(ask, `Ann ${count}`)
    if (answer.status !== 200) return { count, status: answer.status, answer: await answer.json() }
    await answer.text()
  }
}

async function totalOf(ask: Ask): Promise<unknown> {
  const { total }: { total: unknown } = JSON.parse(await (await ask('/api/shop/1.0/customer?limit=1')).text())
  return total
}
