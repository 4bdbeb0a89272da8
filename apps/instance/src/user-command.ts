// `npm run instance:user`: the instance's user directory from a shell. What it writes a running instance sees at once.
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import {
  type DirectoryUser,
  isGoodPassword,
  isUserName,
  passwordRule,
  UserDirectory,
  userNameRule,
} from './auth/user-directory.ts'
import { ConfigError, readConfig } from './config.ts'

const usage = `npm run instance:user -- list
npm run instance:user -- add <name> [--groups one,two] [--tenant name]   the password comes from standard input
npm run instance:user -- remove <name>

The groups are the scopes that the user has; 'administrators' may manage the instance.`

/** What keeps the command from being done, as a sentence. */
class Refused extends Error {}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`)
} catch (error) {
  if (!(error instanceof Refused || error instanceof ConfigError || isAboutArguments(error))) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function run(args: string[]): Promise<string> {
  const options = { groups: { type: 'string' }, tenant: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ args, options, allowPositionals: true })
  const [word, name = ''] = positionals
  const users = new UserDirectory(readConfig().usersFile)
  if (word === 'list') return listed(users)
  if (word === 'remove') {
    if (!users.remove(name)) throw new Refused(`There is no user '${name}'.`)
    return `'${name}' is removed.`
  }
  if (word !== 'add') throw new Refused(usage)
  if (!isUserName(name)) throw new Refused(userNameRule)
  const groups = (values.groups ?? '').split(',').filter(group => group !== '')
  await users.save({ name, groups, tenant: values.tenant ?? null }, await password())
  return `'${name}' may sign in.`
}

function listed(users: UserDirectory): string {
  const rows = users.list().map(userLine)
  return rows.length === 0 ? 'There are no users.' : rows.join('\n')
}

function userLine({ name, groups, tenant }: DirectoryUser): string {
  return [name, groups.join(','), ...(tenant === null ? [] : [`tenant ${tenant}`])].join('  ').trimEnd()
}

/** One line of standard input; whoever types it ends it with Ctrl-D. */
async function password(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password, then Enter and Ctrl-D: ')
  const given = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (!isGoodPassword(given) || /[\r\n]/.test(given)) throw new Refused(passwordRule)
  return given
}

function isAboutArguments(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
