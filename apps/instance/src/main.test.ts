import { compileCache } from '@cadmus/testing/children'
import { freePort, removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startTestInstance } from './testing/instance.ts'

const program = join(import.meta.dirname, 'main.ts')

describe('process of an instance', () => {
  it('the process exits with code 1 and a message for each invalid setting', async () => {
    const { code, output } = await run({ CADMUS_INSTANCE_SECRET: 'short', CADMUS_LOG_LEVEL: 'loud' })
    expect(code).toBe(1)
    expect(output).toContain('CADMUS_INSTANCE_SECRET must have at least 32 characters.')
    expect(output).toContain('CADMUS_LOG_LEVEL must be one of')
    expect(output).not.toContain('at readConfig')
  })

  it('the process refuses a data directory in use and a port in use', async () => {
    const instance = await startTestInstance()
    const sharing = await run({
      CADMUS_INSTANCE_DATA_DIR: instance.dataDir,
      CADMUS_INSTANCE_PORT: String(await freePort()),
    })
    expect([sharing.code, sharing.output]).toEqual([
      1,
      `Another instance is using the data directory ${instance.dataDir}. Stop it first, or choose another one with CADMUS_INSTANCE_DATA_DIR.\n`,
    ])
    const dataDir = temporaryFolder('instance-main')
    const taken = await run({
      CADMUS_INSTANCE_DATA_DIR: dataDir,
      CADMUS_INSTANCE_PORT: String(instance.context.port),
    })
    expect(taken.code).toBe(1)
    expect(taken.output).toContain('Choose another port with CADMUS_INSTANCE_PORT.')
    await instance.stop()
    removeFolder(dataDir)
  })

  it('the process exits with code 0 on SIGTERM and SIGINT, with files readable only by their owner', async () => {
    const dataDir = join(temporaryFolder('instance-main'), 'below')
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { code } = await run({ CADMUS_INSTANCE_DATA_DIR: dataDir, CADMUS_INSTANCE_PORT: '0' }, signal)
      expect(code).toBe(0)
    }
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    expect(statSync(join(dataDir, 'lock')).mode & 0o077).toBe(0)
    removeFolder(dataDir)
  })
})

/** Runs the program to its end; `signal` is sent once the instance is ready. */
function run(env: Record<string, string>, signal?: NodeJS.Signals): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [program], { env: { PATH: process.env['PATH'], ...compileCache, ...env } })
  let output = ''
  let isSignalled = false
  const collect = (part: unknown) => {
    output += String(part)
    if (signal === undefined || isSignalled || !output.includes('The instance is ready')) return
    isSignalled = true
    child.kill(signal)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  return new Promise(resolve => child.once('close', code => resolve({ code, output })))
}
