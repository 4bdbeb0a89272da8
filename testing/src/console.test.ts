import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAlive } from './children.ts'
import { startConsole } from './console.ts'
import { removeFolder, temporaryFolder } from './temporary.ts'

const SERVER = `import { createServer } from 'node:http'
createServer((request, response) => response.end(process.env.CADMUS_DATA_DIR)).listen(process.env.CADMUS_PORT, 'localhost')
`
let folder = ''
beforeEach(() => {
  folder = temporaryFolder('program')
  writeFileSync(join(folder, 'good.mjs'), SERVER)
  writeFileSync(join(folder, 'bad.mjs'), `console.error('CADMUS_PORT is taken.'); process.exit(3)`)
})
afterEach(() => removeFolder(folder))

describe('a console under test', () => {
  it('uses its own port and data directory and removes both', async () => {
    const server = await startConsole({ program: join(folder, 'good.mjs') })
    expect(await (await fetch(server.url)).text()).toBe(server.dataDir)
    await server.stop()
    expect(isAlive(server.pid)).toBe(false)
    expect(existsSync(server.dataDir)).toBe(false)
  })

  it('keeps its data when it is killed', async () => {
    const server = await startConsole({ program: join(folder, 'good.mjs') })
    await server.kill()
    expect(isAlive(server.pid)).toBe(false)
    expect(existsSync(server.dataDir)).toBe(true)
    removeFolder(server.dataDir)
  })

  it('fails with the reason if it does not start', async () => {
    await expect(startConsole({ program: join(folder, 'bad.mjs') })).rejects.toThrow('CADMUS_PORT is taken.')
  })
})
