import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { signInHeader } from '@cadmus/model/contract/routes'
import { authorize, signIn } from '@cadmus/model/contract/sso'
import { compileCache } from '@cadmus/testing/children'
import { startConsole } from '@cadmus/testing/console'
import { copyPreparedData } from '@cadmus/testing/prepared'
import { isProving } from '@cadmus/testing/proof'
import { makeSmallDisk, smallDiskAvailability } from '@cadmus/testing/small-disk'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { spawn } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { DataDirRefused } from './data-dir.ts'
import { startServer } from './start.ts'
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
  })

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
  })

  it('is named at a failed start, without blaming another process', async () => {
    const disk = makeSmallDisk(megabyte)
    for (const left of isProving() ? [0, 4096, 65_536] : [4096]) {
      disk.clear()
      disk.fill(left)
      const { code, output } = await run(disk.folder)
      expect(code).toBe(1)
      expect(output).toMatch(/no space left|is full/)
      expect(output).not.toContain('Another Cadmus')
      expect(output).not.toMatch(/\n\s+at /)
    }
    disk.remove()
  })
})

describe('The files of the store', () => {
  it('stop the start unchanged if emptied, truncated or overwritten', async () => {
    const filled = temporaryFolder('filled')
    await copyPreparedData(filled)
    await (await started(filled)).close()
    const damages: [string, (file: string) => void, RegExp][] = [
      ['cut off', file => truncateSync(file, Math.floor(statSync(file).size / 2)), /is damaged/],
      ['cut off in its first page', file => truncateSync(file, 100), /is damaged/],
      ['overwritten', file => writeFileSync(file, 'x'.repeat(10_000)), /is damaged/],
      ['emptied', file => truncateSync(file, 0), /is empty, although it contained data before/],
    ]
    for (const [how, damage, words] of damages) {
      const dataDir = temporaryFolder('damaged')
      cpSync(filled, dataDir, { recursive: true })
      const file = join(dataDir, 'cadmus.sqlite')
      damage(file)
      const size = statSync(file).size
      // One case runs in a separate process, which prints the message.
      const output = how === 'cut off' ? await outputOf(dataDir) : await refusalOf(dataDir)
      expect([how, output]).toEqual([how, expect.stringMatching(words)])
      expect(output).toContain('Restore it from a backup')
      expect(output).not.toMatch(/\n\s+at /)
      expect(statSync(file).size).toBe(size)
      removeFolder(dataDir)
    }
    removeFolder(filled)
  })

  it('are readable by their owner only, including files left open by older releases', async () => {
    const dataDir = temporaryFolder('private')
    await copyPreparedData(dataDir)
    await (await started(dataDir)).close()
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644)
    chmodSync(dataDir, 0o755)
    const server = await started(dataDir)
    const { origin } = server.context.publicUrl
    await scriptOf(origin).call(createEntity, { body: { entity: { name: 'Private' } } })
    const names = readdirSync(dataDir)
    expect(names).toEqual(expect.arrayContaining(['cadmus.sqlite', 'cadmus.sqlite-wal', 'cadmus.sqlite-shm']))
    for (const name of names) {
      expect([name, (statSync(join(dataDir, name)).mode & 0o777).toString(8)]).toEqual([name, '600'])
    }
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe('700')
    await server.close()
    removeFolder(dataDir)
  })

  it('leave the mode of a directory with foreign files unchanged', async () => {
    const dataDir = temporaryFolder('shared')
    writeFileSync(join(dataDir, 'notes.txt'), 'mine')
    chmodSync(dataDir, 0o755)
    await copyPreparedData(dataDir)
    await (await started(dataDir)).close()
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe('755')
    removeFolder(dataDir)
  })
})

/** Starts the server in this process, which is cheaper than a separate one. */
function started(dataDir: string): ReturnType<typeof startServer> {
  const config = readConfig({ CADMUS_DATA_DIR: dataDir, CADMUS_PORT: '0', ...env })
  return startServer(config, { log: pino({ level: 'silent' }) })
}

async function refusalOf(dataDir: string): Promise<string> {
  const error: unknown = await started(dataDir).catch((refusal: unknown) => refusal)
  if (!(error instanceof DataDirRefused)) throw new Error('The start was not refused.', { cause: error })
  return error.message
}

async function outputOf(dataDir: string): Promise<string> {
  const { code, output } = await run(dataDir)
  expect(code).toBe(1)
  return output
}

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
