import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { writeArchive } from '@cadmus/formats/archive'
import { writePackage } from '@cadmus/formats/package/write'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { startInstance } from '@cadmus/testing/instance'
import { startOwnPostgres } from '@cadmus/testing/postgres'
import { machine } from './machine.ts'
import { comparedCalls } from './serve-calls.ts'
import { tried } from './serve-measure.ts'

// Measures the memory of an instance under load: `node bench/src/load.ts [minutes] [callers] [pause]`. Two packages of
// a shop, one on the embedded database and one on PostgreSQL, are read and written over REST, GraphQL and SOAP; some
// calls are invalid on purpose. `pause`: milliseconds after each call of a caller. Samples the memory every ten
// seconds.

const minutes = Number(process.argv[2] ?? 10)
const callers = Number(process.argv[3] ?? 8)
const pause = Number(process.argv[4] ?? 5)

type Sample = { second: number; requests: number; memory: number }

const postgres = await startOwnPostgres()
const database = await postgres.createDatabase()
const instance = await startInstance()
try {
  const { hostname, port, pathname, username } = new URL(database.url)
  const url = `jdbc:postgresql://${hostname}:${port}${pathname}`
  await upload('shop', { type: 'POSTGRESQL', url, databaseName: pathname.slice(1), username })
  await upload('kiosk', { type: 'HSQL', databaseName: 'embedded' })
  await fill()
  console.log(`${machine()}; load ${loadavg()[0]?.toFixed(1)}; ${callers} callers, ${pause} ms between calls\n`)
  report(await run())
} finally {
  await instance.stop()
  await postgres.stop()
}

async function upload(name: string, connection: NonNullable<Parameters<typeof aConfiguration>[0]>['connection']) {
  const source = aPackageSource({ name, configuration: aConfiguration({ connection }) })
  const files = new Map(writePackage({ ...source, organisation: 'acme' }))
  const path = `${name}/conf/properties/package.properties`
  files.set(path, (files.get(path) ?? '').replace('${database.password}', ''))
  await instance.upload(writeArchive(files), name)
}

/** Creates the records that the calls refer to, through the API. */
async function fill(): Promise<void> {
  for (const name of ['shop', 'kiosk']) {
    for (let at = 1; at <= 1000; at += 1) {
      await send(name, 'customer', { name: `Customer ${at}`, level: at % 5 === 0 ? 'gold' : 'plain' })
    }
    for (let at = 1; at <= 100; at += 1) await send(name, 'order', { number: `O-${at}`, total: '9.90', customerId: at })
    for (let at = 1; at <= 300; at += 1)
      await send(name, 'item', { sku: `S-${at}`, amount: at, orderId: 1 + (at % 100) })
  }
}

async function send(name: string, entity: string, record: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const call = { method: 'POST', path: `/api/${name}/1.0/${entity}`, body: JSON.stringify(record), headers }
  await tried({ root: instance.url, pid: instance.pid }, call)
}

async function run(): Promise<{ samples: Sample[]; failed: number; refused: number }> {
  const server = { root: instance.url, pid: instance.pid }
  const calls = comparedCalls('').flatMap(({ name, ours }) => (name.includes('token') ? [] : [ours]))
  const counts = { done: 0, failed: 0, refused: 0 }
  const began = performance.now()
  const end = began + minutes * 60_000
  const caller = async (number: number) => {
    for (let at = number; performance.now() < end; at += callers) {
      const call = calls[at % calls.length]?.(at)
      if (!call) continue
      const isOther = at % 2 === 0
      // One of fifty requests a missing record, so that error responses are covered.
      const isWrong = at % 50 === 7
      const path = isOther ? call.path.replace('/shop/', '/kiosk/') : call.path
      const body = isOther ? call.body?.replace('urn:cadmus:shop:', 'urn:cadmus:kiosk:') : call.body
      const actual = { ...call, path: isWrong ? `/api/shop/1.0/customer/${10 ** 9 + at}` : path, ...(body && { body }) }
      try {
        await tried(server, isWrong ? { method: 'GET', path: actual.path } : actual)
      } catch {
        counts[isWrong ? 'refused' : 'failed'] += 1
      }
      counts.done += 1
      await wait(pause)
    }
  }
  const samples: Sample[] = []
  const clock = setInterval(() => {
    const second = Math.round((performance.now() - began) / 1000)
    samples.push({ second, requests: counts.done, memory: memoryNow() })
  }, 10_000)
  await Promise.all(Array.from({ length: callers }, (_, number) => caller(number)))
  clearInterval(clock)
  return { samples, failed: counts.failed, refused: counts.refused }
}

/** Resident memory in megabytes. */
function memoryNow(): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${instance.pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

function report({ samples, failed, refused }: Awaited<ReturnType<typeof run>>): void {
  console.log('| Seconds | Requests | Memory |\n|---|---|---|')
  for (const { second, requests, memory } of samples)
    console.log(`| ${second} | ${requests} | ${memory.toFixed(0)} MB |`)
  const later = samples.slice(Math.floor(samples.length / 3))
  console.log(`\nFailed: ${failed}; refused as they should be: ${refused}.`)
  console.log(`Growth after the first third: ${growthOf(later).toFixed(1)} MB a minute.`)
}

/** Megabytes per minute, by linear regression over all samples. */
function growthOf(samples: readonly Sample[]): number {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [second, memory] = [mean(one => one.second), mean(one => one.memory)]
  const along = samples.reduce((sum, one) => sum + (one.second - second) * (one.memory - memory), 0)
  return (along / samples.reduce((sum, one) => sum + (one.second - second) ** 2, 0)) * 60
}
