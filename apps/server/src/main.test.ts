import { compileCache } from '@cadmus/testing/children'
import { startConsole } from '@cadmus/testing/console'
import { copyPreparedData } from '@cadmus/testing/prepared'
import { freePort, removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const program = join(import.meta.dirname, 'main.ts')

describe('The process', () => {
  it('exits with code 1 and a sentence for each invalid setting', async () => {
    const { code, output } = await run({ CADMUS_BOOTSTRAP_TOKEN: 'short', CADMUS_LOG_LEVEL: 'loud' })
    expect(code).toBe(1)
    expect(output).toContain('CADMUS_BOOTSTRAP_TOKEN must have at least 32 characters.')
    expect(output).toContain('CADMUS_LOG_LEVEL must be one of')
    expect(output).not.toContain('at readConfig')
  })

  it('exits with code 0 when stopped, rejects a data directory and a port in use, and frees them when killed', async () => {
    const dataDir = temporaryFolder('main')
    const elsewhere = temporaryFolder('main')
    await copyPreparedData(elsewhere)
    const first = await startConsole({ dataDir })
    const { code, output } = await run({ CADMUS_DATA_DIR: dataDir, CADMUS_PORT: String(await freePort()) })
    expect(code).toBe(1)
    expect(output).toBe(
      `Another Cadmus process is using the data directory ${dataDir}. Stop it first, or choose another one with CADMUS_DATA_DIR.\n`,
    )
    const taken = await run({ CADMUS_DATA_DIR: elsewhere, CADMUS_PORT: String(first.port) })
    expect(taken.code).toBe(1)
    expect(taken.output).toContain('Choose another port with CADMUS_PORT.')
    expect((await fetch(`${first.url}/ready`)).status).toBe(200)
    await first.kill()
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      expect((await run({ CADMUS_DATA_DIR: dataDir, CADMUS_PORT: '0' }, signal)).code).toBe(0)
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['secret', 'cadmus.sqlite']))
    for (const file of ['secret', 'identity-provider.json']) {
      expect(statSync(join(dataDir, file)).mode & 0o077).toBe(0)
    }
    removeFolder(dataDir)
    removeFolder(elsewhere)
  })
})

/** Runs the program until it exits; sends the signal once the server is ready. */
function run(env: Record<string, string>, signal?: NodeJS.Signals): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program], { env: { PATH: process.env['PATH'], ...compileCache, ...env } })
  let output = ''
  let requested = false
  const hear = (part: unknown) => {
    output += String(part)
    // Only once, because a second signal ends the process immediately.
    if (signal === undefined || requested || !output.includes('Cadmus is ready')) return
    requested = true
    child.kill(signal)
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  return new Promise(resolve => child.once('close', code => resolve({ code, output })))
}
