import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { startChild } from '@cadmus/testing/children'
import { type InstanceServer, startInstance } from '@cadmus/testing/instance'
import { startPostgres } from '@cadmus/testing/postgres'
import { freePort, waitFor } from '@cadmus/testing/temporary'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request as send } from 'node:http'
import { join, resolve } from 'node:path'
import { machine } from './machine.ts'

// REST of a package against a server that was written by hand, on the same tables: `node bench/src/serve.ts [rounds] [requests] [folder]`.
// `folder`: another working copy, whose instance takes its turn as well, on the same database.

const rounds = Number(process.argv[2] ?? 5)
const requests = Number(process.argv[3] ?? 1000)
const folder = process.argv[4]
const callers = 8
const customers = 1000
const agent = new Agent({ keepAlive: true, maxSockets: callers })

type Server = { name: string; root: string; pid: number }
type Call = { method: string; path: string; body?: string }
type Measured = { cpu: number; times: number[] }

const calls: Readonly<Record<string, (at: number) => Call>> = {
  'one by its key': at => ({ method: 'GET', path: `/customer/${(at % customers) + 1}` }),
  'a filtered, sorted list of 20': () => ({ method: 'GET', path: '/customer?filter[level]=gold&sort=name&limit=20' }),
  'an order with its customer and items': at => ({ method: 'GET', path: `/order/${(at % 100) + 1}` }),
  insert: at => ({
    method: 'POST',
    path: '/customer',
    body: JSON.stringify({ name: `New ${at}`, email: 'a@example.com' }),
  }),
  update: at => ({
    method: 'PUT',
    path: '/customer',
    body: JSON.stringify({ id: (at % customers) + 1, email: `${at}@example.com` }),
  }),
}

const postgres = await startPostgres()
const database = await postgres.createDatabase()
const instance = await startInstance()
const other = folder === undefined ? null : await startOther(folder)
const port = await freePort()
const { hostname, port: databasePort, pathname, username } = new URL(database.url)
const url = `jdbc:postgresql://${hostname}:${databasePort}${pathname}`
const configuration = aConfiguration({
  connection: { type: 'POSTGRESQL', url, databaseName: pathname.slice(1), username },
})
const source = aPackageSource({ configuration })
const files = new Map(writePackage({ ...source, organisation: 'acme' }))
const properties = 'shop/conf/properties/package.properties'
files.set(properties, (files.get(properties) ?? '').replace('${database.password}', ''))
await instance.upload(writeArchive(files), 'shop')
await other?.upload(writeArchive(files), 'shop')
await database.execute(`
  INSERT INTO "Customer" (name, email, level) SELECT 'Customer ' || n, n || '@example.com', CASE WHEN n % 5 = 0 THEN 'gold' ELSE 'plain' END
    FROM generate_series(1, ${customers}) n;
  INSERT INTO "Order" (number, total, "customerId") SELECT 'O-' || n, n, n FROM generate_series(1, 100) n;
  INSERT INTO "Item" (sku, amount, "orderId") SELECT 'S-' || n, n, 1 + n % 100 FROM generate_series(1, 1000) n;
  ANALYZE`)
const written = startChild(process.execPath, [join(import.meta.dirname, 'hand-written.ts'), database.url, String(port)])
const servers: Server[] = [
  { name: 'package', root: `${instance.url}/api/shop/1.0`, pid: instance.pid },
  ...(other ? [{ name: 'other', root: `${other.url}/api/shop/1.0`, pid: other.pid }] : []),
  { name: 'by hand', root: `http://localhost:${port}`, pid: written.pid },
]
try {
  await waitFor(() => fetch(`http://localhost:${port}/customer/1`), 20_000, 50)
  process.stdout.write(`${machine()}; ${rounds} rounds of ${requests} requests\n`)
  for (const [name, call] of Object.entries(calls)) {
    const totals = new Map(servers.map(server => [server.name, { cpu: 0, times: [] as number[] }]))
    for (const server of servers) await measured(server, call, requests)
    for (let round = 0; round < rounds; round += 1) {
      for (const server of [...servers.slice(round % servers.length), ...servers.slice(0, round % servers.length)]) {
        const total = totals.get(server.name)
        const found = await measured(server, call, requests)
        if (total) Object.assign(total, { cpu: total.cpu + found.cpu, times: [...total.times, ...found.times] })
      }
    }
    process.stdout.write(`${lineOf(name, totals)}\n`)
  }
} finally {
  await written.stop()
  await instance.stop()
  await other?.stop()
  await postgres.stop()
}

async function startOther(root: string): Promise<InstanceServer> {
  const found: { startInstance: typeof startInstance } = await import(resolve(root, 'testing/src/instance.ts'))
  return found.startInstance()
}

function lineOf(name: string, totals: ReadonlyMap<string, Measured>): string {
  const [ours, theirs] = [totals.get('package'), totals.get('by hand')]
  if (!ours || !theirs) return name
  const each = ({ cpu, times }: Measured) =>
    `${((cpu / times.length) * 1000).toFixed(0)} µs, p99 ${p99(times).toFixed(1)} ms`
  const reached = ({ cpu }: Measured) => (theirs.cpu / cpu).toFixed(2)
  const others = totals.get('other')
  const compared = others ? ` ${each(others)} | ${reached(others)} |` : ''
  return `| ${name} |${compared} ${each(ours)} | ${each(theirs)} | ${reached(ours)} |`
}

function p99(times: number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

/** Processor time of the server's process in milliseconds, and how long each answer took. */
async function measured({ root, pid }: Server, call: (at: number) => Call, count: number): Promise<Measured> {
  const before = cpuOf(pid)
  const times: number[] = []
  let next = 0
  const caller = async () => {
    for (let at = next++; at < count; at = next++) {
      const began = performance.now()
      await answered(root, call(at))
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return { cpu: cpuOf(pid) - before, times }
}

function answered(root: string, { method, path, body }: Call): Promise<void> {
  return new Promise((done, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = send(root + path, { method, agent, headers }, answer => {
      answer.resume()
      answer.once('end', () =>
        answer.statusCode === 200 ? done() : reject(new Error(`${path}: ${answer.statusCode}`)),
      )
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** Of all threads, compilation and the collection of garbage among them, as Linux counts it in nanoseconds. */
function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map(thread => {
    const [time = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(time)
  })
  return threads.reduce((sum, time) => sum + time, 0) / 1e6
}
