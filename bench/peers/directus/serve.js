// Directus on a database, which it puts its own tables into: `node serve.js <database> <port> <token of its administrator>`.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [database, port, token] = process.argv.slice(2)
const { hostname, port: databasePort, pathname, username } = new URL(database)
const program = join(dirname(createRequire(import.meta.url).resolve('directus/package.json')), 'cli.js')
const env = {
  PATH: process.env.PATH,
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PORT: port,
  PUBLIC_URL: `http://localhost:${port}`,
  SECRET: 'a-secret-of-a-bench-0123456789-0123456789',
  ADMIN_EMAIL: 'admin@example.com',
  ADMIN_PASSWORD: 'a-password-of-a-bench',
  ADMIN_TOKEN: token,
  DB_CLIENT: 'pg',
  DB_HOST: hostname,
  DB_PORT: databasePort,
  DB_DATABASE: pathname.slice(1),
  DB_USER: username,
  DB_POOL__MIN: '0',
  DB_POOL__MAX: '10',
  LOG_LEVEL: 'warn',
  TELEMETRY: 'false',
  CACHE_ENABLED: 'false',
  RATE_LIMITER_ENABLED: 'false',
  // It refuses requests on a busy machine.
  PRESSURE_LIMITER_ENABLED: 'false',
  WEBSOCKETS_ENABLED: 'false',
}
const options = ['--import', new URL('without-sandbox.js', import.meta.url).href, program]
const { status, stderr } = spawnSync(process.execPath, [...options, 'bootstrap'], { env, encoding: 'utf8' })
if (status !== 0) throw new Error(stderr)
// In this very process, whose processor time is measured.
Object.assign(process.env, env)
process.argv.splice(1, process.argv.length, program, 'start')
await import('./without-sandbox.js')
await import(pathToFileURL(program).href)
