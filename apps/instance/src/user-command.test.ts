import { compileCache } from '@cadmus/testing/children'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startTestInstance } from './testing/instance.ts'

const program = join(import.meta.dirname, 'user-command.ts')

it('adds, lists and removes users with immediate effect on a running instance', async () => {
  const instance = await startTestInstance()
  const users = join(temporaryFolder('users'), 'users')
  await instance.restart({ CADMUS_INSTANCE_USERS: users })
  const run = (args: string[], input = '') => runCommand(args, input, { CADMUS_INSTANCE_USERS: users })
  const signIn = async (password: string) => {
    const body = new URLSearchParams({ grant_type: 'password', username: 'ada', password })
    return (await instance.fetch('/oauth/token', { method: 'POST', body })).status
  }
  expect(await run(['list'])).toEqual([0, 'There are no users.\n'])
  const add = ['add', 'ada', '--groups', 'administrators,shop:read', '--tenant', 'north']
  expect(await run(add, 'correct horse\n')).toEqual([0, "'ada' may sign in.\n"])
  expect(await run(['list'])).toEqual([0, 'ada  administrators,shop:read  tenant north\n'])
  await expect.poll(() => signIn('correct horse')).toBe(200)
  expect(await run(add, 'another horse')).toEqual([0, "'ada' may sign in.\n"])
  await expect.poll(() => signIn('another horse')).toBe(200)
  expect(await signIn('correct horse')).toBe(400)
  expect(await run(['remove', 'ada'])).toEqual([0, "'ada' is removed.\n"])
  await expect.poll(() => signIn('another horse')).toBe(400)
  expect(await run(['remove', 'ada'])).toEqual([1, "There is no user 'ada'.\n"])
  expect(await run(['add', 'bob'], 'short')).toEqual([1, 'A password must have 8 to 1000 characters.\n'])
  const lines = 'Standard input must be the password on one line; it has 2 lines.\n'
  for (const end of ['\n', '\r\n'])
    expect(await run(['add', 'bob'], `correct horse${end}correct horse${end}`)).toEqual([1, lines])
  expect((await run(['add', 'a:b'], 'correct horse'))[0]).toBe(1)
  expect(await run([])).toEqual([1, expect.stringContaining('npm run instance:user -- add')])
  expect((await run(['list', '--wrong']))[0]).toBe(1)
  await instance.stop()
  removeFolder(join(users, '..'))
})

function runCommand(args: string[], input: string, env: Record<string, string>): Promise<[number | null, string]> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], ...compileCache, ...env },
  })
  let output = ''
  child.stdout.on('data', part => (output += String(part)))
  child.stderr.on('data', part => (output += String(part)))
  child.stdin.end(input)
  return new Promise(resolve => child.once('close', code => resolve([code, output])))
}
