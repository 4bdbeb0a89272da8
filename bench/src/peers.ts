import { existsSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { type Child, startChild } from '@cadmus/testing/children'
import { type InstanceServer, startInstance } from '@cadmus/testing/instance'
import { type PostgresDatabase, startOwnPostgres } from '@cadmus/testing/postgres'
import { freePort, waitFor } from '@cadmus/testing/temporary'
import { machine } from './machine.ts'
import * as peerCalls from './peer-calls.ts'
import { lines, type PeerCalls, type Line } from './peer-calls.ts'
import { customers } from './serve-calls.ts'
import { cpuOfOne, measured, p99, type Server, tried } from './serve-measure.ts'

// Compares the instance with other programs that serve database tables, on the same tables of one PostgreSQL, taking
// turns: `node bench/src/peers.ts [rounds] [requests]`. Peers not installed in `bench/peers/<name>` (`npm install
// --ignore-scripts` there) are skipped. Reports processor time of the serving process per request and the 99th
// percentile of latency for eight concurrent callers.

const rounds = Number(process.argv[2] ?? 5)
const requests = Number(process.argv[3] ?? 400)
const folder = resolve(import.meta.dirname, '../peers')
const token = peerCalls.directusToken

/** `share`: fraction of the requests that are measured, to limit the run time of slow peers. */
type Peer = { name: string; server: Server; calls: PeerCalls; share: number }
type Turn = Peer & { cpu: number; times: readonly number[] }

const postgres = await startOwnPostgres()
const database = await postgres.createDatabase()
const instance = await startInstance()
const children: Child[] = []
try {
  await prepare(instance, database)
  const peers = [...ownPeers(), ...(await others())]
  console.log(`${machine()}; load ${loadavg()[0]?.toFixed(1)}; ${rounds} rounds of ${requests} requests\n`)
  console.log(`| Call | ${peers.map(({ name }) => name).join(' | ')} |\n|---|${peers.map(() => '---|').join('')}`)
  for (const line of lines) console.log(await rowOf(line, peers))
} finally {
  for (const child of children) await child.stop()
  await instance.stop()
  await postgres.stop()
}

function ownPeers(): Peer[] {
  const server = { root: instance.url, pid: instance.pid }
  return [
    { name: 'Cadmus REST', server, calls: peerCalls.instanceRest, share: 1 },
    { name: 'Cadmus GraphQL', server, calls: peerCalls.instanceGraphQl, share: 1 },
  ]
}

async function others(): Promise<Peer[]> {
  const postGraphile = await served('postgraphile', '/graphql?query=%7B__typename%7D')
  const directus = await served('directus', '/server/ping', token)
  const cap = await served('cap', '/odata/Customers(1)')
  if (directus) await relate(directus)
  return [
    ...(postGraphile
      ? [{ name: 'PostGraphile 5.1.5', server: postGraphile, calls: peerCalls.postGraphile, share: 1 }]
      : []),
    ...(directus
      ? [
          { name: 'Directus 12.4.0 REST', server: directus, calls: peerCalls.directusRest, share: 0.15 },
          { name: 'Directus 12.4.0 GraphQL', server: directus, calls: peerCalls.directusGraphQl, share: 0.15 },
        ]
      : []),
    ...(cap ? [{ name: 'SAP CAP 10.1.1 OData', server: cap, calls: peerCalls.cap, share: 0.4 }] : []),
  ]
}

/** Null if the peer is not installed. */
async function served(name: string, ready: string, ...args: string[]): Promise<Server | null> {
  const place = join(folder, name)
  if (!existsSync(join(place, 'node_modules'))) {
    console.log(`${name} is not installed in bench/peers/${name}: skipped.`)
    return null
  }
  const port = await freePort()
  const env = { PATH: process.env['PATH'], NODE_ENV: 'production' }
  const child = startChild(process.execPath, ['serve.js', database.url, String(port), ...args], { cwd: place, env })
  children.push(child)
  const root = `http://localhost:${port}`
  await waitFor(async () => {
    const answer = await fetch(root + ready)
    await answer.text()
    // A rejected request also shows that the server is up.
    if (answer.status === 503) throw new Error(`${name} does not serve: ${child.output()}`)
  }, 180_000)
  return { root, pid: child.pid }
}

/** Defines the lists of related records in Directus, which detects foreign keys from one side only. */
async function relate({ root }: Server): Promise<void> {
  const send = async (method: string, path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    const answer = await fetch(root + path, { method, headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(await answer.text())
  }
  for (const [many, field, one, list] of [
    ['Item', 'orderId', 'Order', 'items'],
    ['Order', 'customerId', 'Customer', 'orders'],
  ]) {
    await send('POST', `/fields/${one}`, { field: list, type: 'alias', meta: { special: ['o2m'] } })
    const relation = { collection: many, field, related_collection: one, meta: { one_field: list } }
    await send('PATCH', `/relations/${many}/${field}`, relation)
  }
}

async function prepare(to: InstanceServer, on: PostgresDatabase): Promise<void> {
  const { hostname, port, pathname, username } = new URL(on.url)
  const url = `jdbc:postgresql://${hostname}:${port}${pathname}`
  const connection = { type: 'POSTGRESQL', url, databaseName: pathname.slice(1), username } as const
  const source = aPackageSource({ configuration: aConfiguration({ connection }) })
  const files = new Map(writePackage({ ...source, organisation: 'acme' }))
  const properties = 'shop/conf/properties/package.properties'
  files.set(properties, (files.get(properties) ?? '').replace('${database.password}', ''))
  await to.upload(writeArchive(files), 'shop')
  await on.execute(`
    INSERT INTO "Customer" (name, email, level)
      SELECT 'Customer ' || n, n || '@example.com', CASE WHEN n % 5 = 0 THEN 'gold' ELSE 'plain' END FROM generate_series(1, ${customers}) n;
    INSERT INTO "Order" (number, total, "customerId") SELECT 'O-' || n, n, n FROM generate_series(1, 100) n;
    INSERT INTO "Item" (sku, amount, "orderId") SELECT 'S-' || n, n, 1 + n % 100 FROM generate_series(1, 1000) n;
    ANALYZE`)
}

async function rowOf(line: Line, peers: readonly Peer[]): Promise<string> {
  const turns: Turn[] = peers.filter(peer => peer.calls[line]).map(peer => ({ ...peer, cpu: 0, times: [] }))
  for (const { server, calls, name, share } of turns) {
    const call = calls[line]
    if (!call) continue
    await tried(server, call(0)).catch((error: unknown) => {
      throw new Error(`${name}, ${line}: ${String(error)}`)
    })
    // Warm-up for the JIT compiler.
    await measured(server, call, Math.ceil(4 * requests * share))
  }
  for (let round = 0; round < rounds; round += 1) {
    for (let at = 0; at < turns.length; at += 1) {
      const turn = turns[(at + round) % turns.length]
      const call = turn?.calls[line]
      if (!turn || !call) continue
      const result = await measured(turn.server, call, Math.ceil(requests * turn.share))
      Object.assign(turn, { cpu: turn.cpu + result.cpu, times: [...turn.times, ...result.times] })
      await wait(50)
    }
  }
  return `| ${line} | ${peers.map(({ name }) => figureOf(turns.find(turn => turn.name === name))).join(' | ')} |`
}

function figureOf(turn: Turn | undefined): string {
  return turn ? `${cpuOfOne(turn).toFixed(0)} µs, p99 ${p99(turn).toFixed(1)} ms` : ''
}
