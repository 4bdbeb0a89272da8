import { compileCache } from '@cadmus/testing/children'
import { startConsole } from '@cadmus/testing/console'
import { freePort, removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
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

  it('rejects a data directory in use, and frees it when stopped or killed', async () => {
    const dataDir = temporaryFolder('main')
    const first = await startConsole({ dataDir })
    const { code, output } = await run({ CADMUS_DATA_DIR: dataDir, CADMUS_PORT: String(await freePort()) })
    expect(code).toBe(1)
    expect(output).toBe(
      `Another Cadmus process is using the data directory ${dataDir}. Stop it first, or choose another one with CADMUS_DATA_DIR.\n`,
    )
    expect((await fetch(`${first.url}/ready`)).status).toBe(200)
    await first.kill()
    const second = await startConsole({ dataDir })
    await second.stop()
    const third = await startConsole({ dataDir })
    await third.stop()
    expect(readdirSync(dataDir)).toContain('secret')
    for (const file of ['secret', 'identity-provider.json']) {
      expect(statSync(join(dataDir, file)).mode & 0o077).toBe(0)
    }
    removeFolder(dataDir)
  }, 90_000)

  it('exits with code 0 on SIGTERM and SIGINT, and reports a port in use', async () => {
    const dataDir = temporaryFolder('main')
    const console = await startConsole()
    const taken = await run({ CADMUS_DATA_DIR: dataDir, CADMUS_PORT: String(console.port) })
    expect(taken.code).toBe(1)
    expect(taken.output).toContain('Choose another port with CADMUS_PORT.')
    await console.stop()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { code } = await run({ CADMUS_DATA_DIR: dataDir, CADMUS_PORT: '0' }, signal)
      expect(code).toBe(0)
    }
    expect(existsSync(join(dataDir, 'cadmus.sqlite'))).toBe(true)
    removeFolder(dataDir)
  }, 90_000)
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
