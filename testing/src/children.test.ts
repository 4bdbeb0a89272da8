import { describe, expect, it } from 'vitest'
import { execute, isAlive, startChild, userIds } from './children.ts'
import { waitFor } from './temporary.ts'

const STUBBORN = `process.on('SIGTERM', () => {}); console.log('ready'); setInterval(() => {}, 1000)`
const CHILDREN = new URL('children.ts', import.meta.url).href
const OWNER = `const { startChild } = await import(${JSON.stringify(CHILDREN)})
console.log('pid ' + startChild(process.execPath, ['-e', ${JSON.stringify(STUBBORN)}]).pid)
setInterval(() => {}, 1000)`

async function outputOf(child: ReturnType<typeof startChild>, pattern: RegExp): Promise<RegExpExecArray> {
  return waitFor(async () => {
    const match = pattern.exec(child.output())
    if (match === null) throw new Error(`Not yet: ${child.output()}`)
    return match
  }, 60_000)
}

describe('a child process', () => {
  it('is killed if it ignores SIGTERM', async () => {
    const child = startChild(process.execPath, ['-e', STUBBORN])
    await outputOf(child, /ready/)
    await child.stop('SIGTERM', 200)
    expect(isAlive(child.pid)).toBe(false)
  })

  it('reports its output when it fails', async () => {
    const program = `console.error('the disk is full'); process.exit(3)`
    await expect(execute(process.execPath, ['-e', program])).rejects.toThrow('the disk is full')
    expect(await execute(process.execPath, ['-e', 'console.log(6 * 7)'])).toBe('42\n')
  })

  it.skipIf(process.platform !== 'linux').each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'ends with its owner on %s',
    async signal => {
      const owner = startChild(process.execPath, ['--input-type=module', '-e', OWNER])
      const pid = Number((await outputOf(owner, /pid (\d+)/))[1])
      expect(isAlive(pid)).toBe(true)
      await owner.stop(signal)
      await waitFor(async () => expect(isAlive(pid)).toBe(false), 60_000)
    },
  )

  it.skipIf(userIds('nobody') === undefined)('runs as another user if started by root', async () => {
    const uid = await execute(process.execPath, ['-p', 'process.getuid()'], { user: 'nobody', cwd: '/' })
    expect(Number(uid)).toBe(userIds('nobody')?.uid)
    expect(userIds('there-is-no-such-user')).toEqual(userIds('nobody'))
  })
})
