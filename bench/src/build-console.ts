import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startConsole } from '@cadmus/testing/console'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { machine } from './machine.ts'

// Measures a package build on a running console with the embedded store: `node bench/src/build-console.ts [entities]
// [attributes] [builds] [neighbours]`. Each entity refers to the given number of following ones. The first build is
// cold.

const token = 'bench-token-0123456789-0123456789-0123456789'
const headers = { authorization: `Bearer ${token}`, 'x-organisation-code': 'ACME', 'content-type': 'application/json' }
const [entities = '1000', attributes = '20', builds = '4', neighbours = '3'] = process.argv.slice(2)
const filler = resolve(import.meta.dirname, '../../apps/server/src/testing/fill-store.ts')

const dataDir = temporaryFolder('build-console')
const options = { dataDir, env: { CADMUS_BOOTSTRAP_TOKEN: token } }
await (await startConsole(options)).stop()
const args = [filler, 'ACME', '50', entities, join(dataDir, 'cadmus.sqlite'), '0', attributes, '', neighbours]
const filled: { wide: { id: number } } = JSON.parse(execFileSync(process.execPath, args).toString())
const server = await startConsole(options)
const path = `/1.0/cdm/manifest/${filled.wide.id}`
const protocols = { configurationBuild: { apiConfiguration: { type: ['REST', 'SOAP', 'GRAPHQL'] } } }
await call('POST', `${path}/configuration`, protocols)
console.log(
  `${machine()}; load ${loadavg()[0]?.toFixed(1)}; ${entities} entities of ${attributes} attributes and ${neighbours} relationships\n`,
)
console.log('| Build | Time | Processor time | Most memory so far |\n|---|---|---|---|')
for (let build = 1; build <= Number(builds); build += 1) {
  const before = processorOf(server.pid)
  const began = performance.now()
  const { packageId }: { packageId: number } = await call('POST', `${path}/build`, {})
  for (let status = 'PROCESSING'; status === 'PROCESSING';) {
    await wait(50)
    const answer: { packages: { status: string; reason: string }[] } = await call(
      'GET',
      `/1.0/cdm/packages/status?packageIds=${packageId}`,
    )
    status = answer.packages[0]?.status ?? 'gone'
    if (status !== 'PROCESSING' && status !== 'SUCCESS') throw new Error(`${status}: ${answer.packages[0]?.reason}`)
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const memory = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
  const cpu = (processorOf(server.pid) - before).toFixed(1)
  console.log(`| ${build} | ${seconds} s | ${cpu} s | ${Math.round(Number(memory) / 1024)} MB |`)
}
await server.stop()
removeFolder(dataDir)

/** Seconds of processor time of all threads, including those that ended. */
function processorOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  // In hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function call<T>(method: string, at: string, body?: unknown): Promise<T> {
  const init = { method, headers: { ...headers, 'if-match': '*' } }
  const answer = await fetch(server.url + at, body === undefined ? init : { ...init, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`)
  const json: T = await answer.json()
  return json
}
