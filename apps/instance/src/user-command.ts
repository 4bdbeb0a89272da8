// `npm run instance:user` manages the user directory. A running instance notices changes at once.
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

/** An error that ends the command with its message. */
class CommandError extends Error {}

try {
  process.stdout.write(`${await run(process.argv.slice(2))}\n`)
} catch (error) {
  if (!(error instanceof CommandError || error instanceof ConfigError || isAboutArguments(error))) throw error
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
    if (!users.remove(name)) throw new CommandError(`There is no user '${name}'.`)
    return `'${name}' is removed.`
  }
  if (word !== 'add') throw new CommandError(usage)
  if (!isUserName(name)) throw new CommandError(userNameRule)
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

/** Reads one line of standard input, ended by Ctrl-D in a terminal. */
async function password(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Password, then Enter and Ctrl-D: ')
  const line = (await text(process.stdin)).replace(/\r?\n$/, '')
  const { length } = line.split(/\r\n|\r|\n/)
  if (length > 1) throw new CommandError(`Standard input must be the password on one line; it has ${length} lines.`)
  if (!isGoodPassword(line)) throw new CommandError(passwordRule)
  return line
}

function isAboutArguments(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
