import { readFileSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { type InstanceServer, startInstance } from '@cadmus/testing/instance'
import { startOwnMariadb } from '@cadmus/testing/mariadb'
import { startOwnPostgres } from '@cadmus/testing/postgres'
import { temporaryFolder, waitFor } from '@cadmus/testing/temporary'
import { machine } from './machine.ts'
import type { Call } from './serve-calls.ts'
import { cpuOf, type Server, tried } from './serve-measure.ts'

// Measures callers that request large answers and disconnect: `node bench/src/departed.ts [callers] [folder] [stay]`.
// Each requests six records of 3 MB and closes its connection at once; with `stay` it reads the answer. Reports the
// slowest /health until the instance is idle, the number of answers written, and the processor time. `folder`: another
// working copy to measure as well; '' for none.

const callers = Number(process.argv[2] ?? 12)
const folder = process.argv[3] ?? ''
const stays = process.argv[4] === 'stay'
const watch = resolve(import.meta.dirname, 'answers-watch.ts')
/** The instance counts as idle when /health was fast for this long, in milliseconds. */
const idlePeriod = 1500
const slowThreshold = 40

type Connection = NonNullable<Parameters<typeof aConfiguration>[0]>['connection']

const post = (path: string, body: string, type = 'application/json'): Call => ({
  method: 'POST',
  path,
  body,
  headers: { 'content-type': type },
})
const fields = 'records { id name email }'
const list = '<SelectAllCustomer xmlns="urn:cadmus:shop:1.0"><limit>1000</limit></SelectAllCustomer>'
const envelope = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${list}</e:Body></e:Envelope>`
const graphQl = (query: string) => post('/graphql/shop/1.0', JSON.stringify({ query }))
const calls: Readonly<Record<string, Call>> = {
  REST: { method: 'GET', path: '/api/shop/1.0/customer?limit=1000' },
  GraphQL: graphQl(`{ customerList(limit: 1000) { ${fields} } }`),
  'GraphQL with an alias': graphQl('{ customerList(limit: 1000) { records { id name mail: email } } }'),
  SOAP: post('/soap/shop/1.0', envelope, 'text/xml'),
}

const postgres = await startOwnPostgres()
const mariadb = await startOwnMariadb()
process.stdout.write(`${machine()}; load ${loadavg()[0]?.toFixed(1)}; ${callers} callers\n`)
process.stdout.write(
  '| Copy | Database | Call | /health at most | Answers | Processor time |\n|---|---|---|---|---|---|\n',
)
try {
  const other: { startInstance: typeof startInstance } | null =
    folder === '' ? null : await import(resolve(folder, 'testing/src/instance.ts'))
  if (other) await measure('other', other.startInstance)
  await measure('this', startInstance)
} finally {
  await mariadb.stop()
  await postgres.stop()
}

async function measure(copy: string, start: typeof startInstance): Promise<void> {
  const connections: Readonly<Record<string, Connection>> = {
    SQLite: { type: 'HSQL', databaseName: 'embedded' },
    PostgreSQL: connectionTo('POSTGRESQL', 'postgresql', (await postgres.createDatabase()).url),
    MariaDB: connectionTo('MYSQL', 'mysql', (await mariadb.createDatabase()).url),
  }
  for (const [database, connection] of Object.entries(connections)) {
    const countFile = join(temporaryFolder('departed'), 'answers')
    const env = { ANSWERS_WATCH: countFile, NODE_OPTIONS: `--import ${watch}` }
    const instance = await start(env)
    await instance.upload(zipWith(connection), 'shop')
    await fill(instance)
    for (const [name, call] of Object.entries(calls)) {
      const { slowest, answers, cpu } = await measureDeparture(instance, call, countFile)
      const figures = [`${slowest.toFixed(0)} ms`, answers, `${(cpu / 1000).toFixed(2)} s`]
      process.stdout.write(`| ${[copy, database, name, ...figures].join(' | ')} |\n`)
    }
    await instance.stop()
  }
}

function connectionTo(type: 'POSTGRESQL' | 'MYSQL', scheme: string, address: string): Connection {
  const { hostname, port, pathname, username } = new URL(address)
  const url = `jdbc:${scheme}://${hostname}:${port}${pathname}`
  return { type, url, databaseName: pathname.slice(1), username }
}

function zipWith(connection: Connection): Uint8Array {
  const source = aPackageSource({ name: 'shop', configuration: aConfiguration({ connection }) })
  const files = new Map(writePackage({ ...source, organisation: 'acme' }))
  const path = 'shop/conf/properties/package.properties'
  return writeArchive(files.set(path, (files.get(path) ?? '').replace('${database.password}', '')))
}

async function fill(instance: InstanceServer): Promise<void> {
  const body = JSON.stringify({ name: 'Ada', email: 'x'.repeat(3_000_000) })
  for (let count = 0; count < 6; count += 1) await tried(serverOf(instance), post('/api/shop/1.0/customer', body))
}

function serverOf({ url, pid }: InstanceServer): Server {
  return { root: url, pid }
}

async function measureDeparture(instance: InstanceServer, call: Call, countFile: string) {
  await answersSince(instance, countFile)
  const health = healthOf(instance)
  const before = cpuOf(instance.pid)
  await Promise.all(Array.from({ length: callers }, () => requestAndLeave(instance, call)))
  const slowest = await health
  const cpu = cpuOf(instance.pid) - before
  return { slowest, answers: await answersSince(instance, countFile), cpu }
}

async function answersSince({ pid }: InstanceServer, countFile: string): Promise<string> {
  rmSync(countFile, { force: true })
  process.kill(pid, 'SIGUSR2')
  return waitFor(
    async () => readFileSync(countFile, 'utf8') || Promise.reject(new Error('Not written yet.')),
    120_000,
    20,
  )
}

function requestAndLeave({ url }: InstanceServer, { method, path, body = '', headers = {} }: Call): Promise<void> {
  const { port, host } = new URL(url)
  const own = Object.entries({
    host,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  })
  const lines = own.map(([name, value]) => `${name}: ${value}`)
  return new Promise(done => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.on('close', () => done())
    if (stays) socket.resume()
    socket.write([`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n'), () => {
      if (!stays) setTimeout(() => socket.destroy(), 5)
    })
  })
}

/** The slowest /health in milliseconds until the instance is idle. */
async function healthOf({ url }: InstanceServer): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let slowest = 0
  let since = performance.now()
  while (performance.now() - since < idlePeriod) {
    const began = performance.now()
    await new Promise((done, reject) => {
      get(`${url}/health`, { agent }, answer => answer.resume().once('end', done)).once('error', reject)
    })
    const took = performance.now() - began
    slowest = Math.max(slowest, took)
    if (took > slowThreshold) since = performance.now()
    await wait(2)
  }
  agent.destroy()
  return slowest
}
