import { startChild } from '@cadmus/testing/children'
import { freePort, removeFolder, temporaryFolder, waitFor } from '@cadmus/testing/temporary'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const program = join(import.meta.dirname, '../apps/instance/src/main.ts')

it.skipIf(process.platform !== 'linux')('an instance without packages takes less than 120 MB', async () => {
  const dataDir = temporaryFolder('instance-main')
  const memory: number[] = []
  // The second start uses the compile cache of the first, as under `npm start`.
  for (const _start of [1, 2]) {
    const port = await freePort()
    const env = { CADMUS_INSTANCE_DATA_DIR: dataDir, CADMUS_INSTANCE_PORT: String(port) }
    const compiled = { NODE_COMPILE_CACHE: join(dataDir, 'compiled') }
    const child = startChild(process.execPath, [program], { env: { PATH: process.env['PATH'], ...env, ...compiled } })
    await waitFor(() => fetch(`http://localhost:${port}/health`), 60_000)
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    memory.push(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024)
    await child.stop()
  }
  removeFolder(dataDir)
  expect(memory[1]).toBeLessThan(120)
})
