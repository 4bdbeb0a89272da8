import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { startChild } from '@cadmus/testing/children'
import { type InstanceServer, startInstance } from '@cadmus/testing/instance'
import { type PostgresDatabase, startPostgres } from '@cadmus/testing/postgres'
import { freePort, waitFor } from '@cadmus/testing/temporary'
import { join, resolve } from 'node:path'
import { machine } from './machine.ts'
import { type Compared, comparedCalls, customers } from './serve-calls.ts'
import { cpuOfOne, type Measured, measured, p99, type Server, tried } from './serve-measure.ts'

// Compares the three protocols of a package with a hand-written server on the same tables, and calls with a token with
// those without: `node bench/src/serve.ts [rounds] [requests] [folder] [part of a name]`. `folder`: another working
// copy whose instance takes turns on the same database; '' for none.

const rounds = Number(process.argv[2] ?? 5)
const requests = Number(process.argv[3] ?? 1000)
const folder = process.argv[4] ?? ''
const namePart = process.argv[5] ?? ''
/** Warm-up calls. After 10,000 the JIT compiler is still busy, in threads whose time counts. */
const warmUp = 40_000

type Configured = NonNullable<Parameters<typeof aConfiguration>[0]>
const guardedBy: Configured = {
  security: 'OAUTH2',
  scopes: { enableRbac: true, globalScopes: ['shop:all'], identityProvider: 'MARTINI_USER_DIRECTORY' },
}
const user = { name: 'keeper', password: 'correct horse battery', groups: ['shop:all'] }

const postgres = await startPostgres()
const databases = { shop: await postgres.createDatabase(), guarded: await postgres.createDatabase() }
// Shared by both instances, as each would reject the tables of another package.
const zips = { shop: zipOf('shop', databases.shop), guarded: zipOf('guarded', databases.guarded, guardedBy) }
const instance = await startInstance()
const other = folder === '' ? null : await startOther(folder)
const port = await freePort()
for (const one of other ? [instance, other] : [instance]) await prepare(one)
for (const database of Object.values(databases)) await fill(database)
const hand = join(import.meta.dirname, 'hand-written.ts')
const written = startChild(process.execPath, [hand, databases.shop.url, String(port)])
const byHand: Server = { root: `http://localhost:${port}`, pid: written.pid }
try {
  await waitFor(() => fetch(`http://localhost:${port}/customer/1`), 20_000, 50)
  process.stdout.write(`${machine()}; ${rounds} rounds of ${requests} requests\n`)
  const calls = comparedCalls(await tokenOf(instance))
  const before = other ? comparedCalls(await tokenOf(other)) : []
  for (const [index, call] of calls.entries()) {
    if (call.name.includes(namePart)) process.stdout.write(`${await line(call, before[index])}\n`)
  }
} finally {
  await written.stop()
  await instance.stop()
  await other?.stop()
  await postgres.stop()
}

/** In the order of a round: the call, the compared call, and the same call of the other working copy. */
async function line(call: Compared, before: Compared | undefined): Promise<string> {
  const own = { root: instance.url, pid: instance.pid }
  const turns = [
    { server: own, caller: call.ours },
    { server: call.with === 'by hand' ? byHand : own, caller: call.theirs },
    ...(before && other ? [{ server: { root: other.url, pid: other.pid }, caller: before.ours }] : []),
  ].map(turn => ({ ...turn, cpu: 0, times: [] as number[] }))
  for (const { server, caller } of turns) {
    await tried(server, caller(0))
    await measured(server, caller, warmUp)
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < turns.length; at += 1) {
      const turn = turns[(at + round) % turns.length]
      if (!turn) continue
      const measurement = await measured(turn.server, turn.caller, requests)
      Object.assign(turn, { cpu: turn.cpu + measurement.cpu, times: [...turn.times, ...measurement.times] })
    }
  }
  return rowOf(call, turns)
}

function rowOf({ name, aim }: Compared, [ours, theirs, before]: readonly Measured[]): string {
  if (!ours || !theirs) return name
  const each = (one: Measured) => `${cpuOfOne(one).toFixed(0)} µs, p99 ${p99(one).toFixed(1)} ms`
  const reached = (one: Measured) => (cpuOfOne(theirs) / cpuOfOne(one)).toFixed(2)
  const other = before ? ` ${each(before)} | ${reached(before)} |` : ''
  const slowest = (p99(ours) / p99(theirs)).toFixed(1)
  return `| ${name} |${other} ${each(ours)} | ${each(theirs)} | **${reached(ours)}** | ${aim} | ${slowest} |`
}

async function startOther(root: string): Promise<InstanceServer> {
  const measurement: { startInstance: typeof startInstance } = await import(resolve(root, 'testing/src/instance.ts'))
  return measurement.startInstance()
}

/** Uploads the shop without security, and again with tokens and scopes. */
async function prepare(server: InstanceServer): Promise<void> {
  await server.upload(zips.shop, 'shop')
  await server.upload(zips.guarded, 'guarded')
  const saved = await server.manage('POST', '/esbapi/users', user)
  if (!saved.ok) throw new Error(`The user is not taken: ${await saved.text()}`)
}

function zipOf(name: string, database: PostgresDatabase, more: Configured = {}): Uint8Array {
  const { hostname, port: databasePort, pathname, username } = new URL(database.url)
  const url = `jdbc:postgresql://${hostname}:${databasePort}${pathname}`
  const connection = { type: 'POSTGRESQL' as const, url, databaseName: pathname.slice(1), username }
  const source = aPackageSource({ name, configuration: aConfiguration({ ...more, connection }) })
  const files = new Map(writePackage({ ...source, organisation: 'acme' }))
  const properties = `${name}/conf/properties/package.properties`
  return writeArchive(files.set(properties, (files.get(properties) ?? '').replace('${database.password}', '')))
}

async function fill(database: PostgresDatabase): Promise<void> {
  await database.execute(`
    INSERT INTO "Customer" (name, email, level) SELECT 'Customer ' || n, n || '@example.com', CASE WHEN n % 5 = 0 THEN 'gold' ELSE 'plain' END
      FROM generate_series(1, ${customers}) n;
    INSERT INTO "Order" (number, total, "customerId") SELECT 'O-' || n, n, n FROM generate_series(1, 100) n;
    INSERT INTO "Item" (sku, amount, "orderId") SELECT 'S-' || n, n, 1 + n % 100 FROM generate_series(1, 1000) n;
    ANALYZE`)
}

async function tokenOf({ url }: InstanceServer): Promise<string> {
  const fields = { grant_type: 'password', username: user.name, password: user.password }
  const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })
  const body: { access_token?: string } = JSON.parse(await answer.text())
  if (body.access_token === undefined) throw new Error('No token is given.')
  return body.access_token
}
