import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { signInHeader } from '@cadmus/model/contract/routes'
import { authorize, signIn } from '@cadmus/model/contract/sso'
import { compileCache } from '@cadmus/testing/children'
import { startConsole } from '@cadmus/testing/console'
import { makeSmallDisk, smallDiskAvailability } from '@cadmus/testing/small-disk'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { spawn } from 'node:child_process'
import { chmodSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Browser } from './testing/browser.ts'
import { ConsoleClient } from './testing/client.ts'
import { bootstrapToken, clickThrough } from './testing/console.ts'

const env = { CADMUS_BOOTSTRAP_TOKEN: bootstrapToken }
const megabyte = 1024 * 1024

describe.skipIf(!smallDiskAvailability().present)('A full disk', () => {
  it('rejects a save with 507, keeps serving reads, and recovers once there is room', async () => {
    const disk = makeSmallDisk(64 * megabyte)
    const server = await startConsole({ env, dataDir: disk.folder })
    const client = scriptOf(server.url)
    const { entity } = await client.call(createEntity, { body: { entity: { name: 'Kept', description: 'before' } } })
    const save = (description: string) =>
      client.send(updateEntity, {
        params: { id: entity.id },
        body: { entity: { name: 'Kept', description } },
        ifMatch: '*',
      })
    disk.fill()
    const refused = await untilRefused(save)
    expect(refused.status).toBe(507)
    expect(refused.headers.get('retry-after')).not.toBeNull()
    const answer: unknown = await refused.json()
    expect(answer).toMatchObject({ code: 'storage_full' })
    expect(JSON.stringify(answer)).toContain('the disk of the server is full')
    const read = await client.call(getEntity, { params: { id: entity.id } })
    expect(read.entity.name).toBe('Kept')
    disk.clear()
    expect((await save('after')).status).toBe(200)
    expect((await client.call(getEntity, { params: { id: entity.id } })).entity.description).toBe('after')
    disk.fill()
    await untilRefused(save)
    await server.kill()
    const { code, output } = await run(disk.folder)
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^Cadmus cannot start: the disk of .* is full\. Free space/),
    ])
    disk.remove()
  }, 60_000)

  it('rejects a sign-in with 507 and recovers once there is room', async () => {
    const disk = makeSmallDisk(64 * megabyte)
    const server = await startConsole({ env, dataDir: disk.folder })
    const client = scriptOf(server.url)
    const { entity } = await client.call(createEntity, { body: { entity: { name: 'Kept' } } })
    const browser = new Browser(server.url)
    const visitor = new ConsoleClient(browser, '', undefined, { [signInHeader]: '1' })
    const { url } = await visitor.call(authorize, {})
    const query = await clickThrough(browser, url, 'designer')
    const other = new Browser(server.url)
    const departure = await new ConsoleClient(other, '', undefined, { [signInHeader]: '1' }).call(authorize, {})
    const page = await (await other.follow(departure.url)).answer.text()
    const action = /action="([^"]*\/designer)"/.exec(page)?.[1] ?? ''
    disk.fill()
    await untilRefused(description =>
      client.send(updateEntity, {
        params: { id: entity.id },
        body: { entity: { name: 'Kept', description } },
        ifMatch: '*',
      }),
    )
    for (let time = 0; time < 2; time++)
      expect(await visitor.refusal(signIn, { query })).toMatchObject({ status: 507, answer: { code: 'storage_full' } })
    // Includes the development provider's pages, whose own file is on that disk.
    const sentence = 'This was not saved: the disk of the server is full.'
    const chosen = await untilRefused(() => other.fetch(action, { method: 'POST' }))
    expect([chosen.status, await chosen.text()]).toEqual([507, expect.stringContaining(sentence)])
    const asPage = { headers: { accept: 'text/html' } }
    const started = await untilRefused(() => new Browser(server.url).fetch(url, asPage))
    expect([started.status, await started.text()]).toEqual([507, expect.stringContaining(sentence)])
    expect(started.headers.get('retry-after')).toBe('60')
    disk.clear()
    expect((await other.follow(action, { method: 'POST' })).url.pathname).toBe('/sso/login')
    expect((await visitor.call(signIn, { query })).eccUser.username).toBe('designer')
    await server.stop()
    disk.remove()
  }, 60_000)

  it('is named at a failed start, without blaming another process', async () => {
    const disk = makeSmallDisk(megabyte)
    for (const left of [0, 4096, 65_536]) {
      disk.clear()
      disk.fill(left)
      const { code, output } = await run(disk.folder)
      expect(code).toBe(1)
      expect(output).toMatch(/no space left|is full/)
      expect(output).not.toContain('Another Cadmus')
      expect(output).not.toMatch(/\n\s+at /)
    }
    disk.remove()
  }, 60_000)
})

describe('The files of the store', () => {
  it('stop the start unchanged if emptied, truncated or overwritten', async () => {
    const dataDir = temporaryFolder('damaged')
    const file = join(dataDir, 'cadmus.sqlite')
    await (await startConsole({ env, dataDir })).stop()
    const whole = statSync(file).size
    const damages: [string, () => void, RegExp][] = [
      ['cut off', () => truncateSync(file, Math.floor(whole / 2)), /is damaged/],
      ['cut off in its first page', () => truncateSync(file, 100), /is damaged/],
      ['overwritten', () => writeFileSync(file, 'x'.repeat(10_000)), /is damaged/],
      ['emptied', () => truncateSync(file, 0), /is empty, although it contained data before/],
    ]
    for (const [how, damage, words] of damages) {
      damage()
      const size = statSync(file).size
      const { code, output } = await run(dataDir)
      expect([how, code]).toEqual([how, 1])
      expect(output).toMatch(words)
      expect(output).toContain('Restore it from a backup')
      expect(output).not.toMatch(/\n\s+at /)
      expect(statSync(file).size).toBe(size)
    }
    removeFolder(dataDir)
  }, 60_000)

  it('are readable by their owner only, including files left open by older releases', async () => {
    const dataDir = temporaryFolder('private')
    await (await startConsole({ env, dataDir })).stop()
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644)
    chmodSync(dataDir, 0o755)
    const server = await startConsole({ env, dataDir })
    await scriptOf(server.url).call(createEntity, { body: { entity: { name: 'Private' } } })
    const names = readdirSync(dataDir)
    expect(names).toEqual(expect.arrayContaining(['cadmus.sqlite', 'cadmus.sqlite-wal', 'cadmus.sqlite-shm']))
    for (const name of names) {
      expect([name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)]).toEqual([name, '600'])
    }
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe('700')
    await server.stop()
    removeFolder(dataDir)
  }, 60_000)

  it('leave the mode of a directory with foreign files unchanged', async () => {
    const dataDir = temporaryFolder('shared')
    writeFileSync(join(dataDir, 'notes.txt'), 'mine')
    chmodSync(dataDir, 0o755)
    await (await startConsole({ env, dataDir })).stop()
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe('755')
    removeFolder(dataDir)
  }, 60_000)
})

function scriptOf(url: string): ConsoleClient {
  return new ConsoleClient(new Browser(url), 'bootstrap', 'ACME', { authorization: `Bearer ${bootstrapToken}` })
}

/** Saves until rejected, because the write-ahead log may still have room. */
async function untilRefused(save: (description: string) => Promise<Response>): Promise<Response> {
  for (let time = 0; time < 400; time++) {
    const answer = await save(`${time} ${'x'.repeat(9000)}`)
    if (answer.status === 429) await wait(500)
    if (answer.status === 429) continue
    if (answer.status >= 400) return answer
  }
  throw new Error('The disk never was full.')
}

/** Runs the program until it exits. */
function run(dataDir: string): Promise<{ code: number | null; output: string }> {
  const program = join(import.meta.dirname, 'main.ts')
  const settings = { PATH: process.env['PATH'], ...compileCache, CADMUS_DATA_DIR: dataDir, CADMUS_PORT: '0', ...env }
  const child = spawn(process.execPath, [program], { env: settings })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', part => (output += String(part)))
  return new Promise(resolve => child.once('close', code => resolve({ code, output })))
}
