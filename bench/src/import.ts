import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startConsole } from '@cadmus/testing/console'
import { postgresAvailability } from '@cadmus/testing/availability'
import { Probes } from './probes.ts'
import { startOwnPostgres } from '@cadmus/testing/postgres'

/**
 * Imports a CDM zip into a fresh console during other requests. Measures the time from the first byte to the answer,
 * the peak memory of the server (VmHWM) and the latency of the other requests. `node bench/src/import.ts [file.zip]`.
 */
const token = 'bench-token-0123456789-0123456789-0123456789'
const fallback = resolve(import.meta.dirname, '../../../shared/cdm/zips/core-applicationCommon-full.zip')

type Figures = {
  store: string
  file: string
  entities: number
  manifests: number
  relationships: number
  seconds: number
  /** Processor time of all threads, independent of other processes. */
  processorSeconds: number
  mainThreadSeconds: number
  peakMegabytes: number
  idleMegabytes: number
  /** The slowest request in the five seconds before the import: the noise of the machine. */
  quietSlowestMilliseconds: number
  probes: number
  medianMilliseconds: number
  slowestMilliseconds: number
}

const file = process.argv[2] ?? fallback
if (!existsSync(file)) {
  process.stderr.write(`There is no ${file}.\n`)
  process.exit(1)
}
write(await measure('embedded SQLite', {}))
if (postgresAvailability().present) {
  const postgres = await startOwnPostgres({ durable: true })
  const { url } = await postgres.createDatabase()
  write(await measure('PostgreSQL', { CADMUS_DATABASE_URL: url, CADMUS_SECRET: '5a'.repeat(32) }))
  await postgres.stop()
}

async function measure(store: string, env: Record<string, string>): Promise<Figures> {
  const server = await startConsole({ env: { ...env, CADMUS_BOOTSTRAP_TOKEN: token } })
  const headers = { authorization: `Bearer ${token}`, 'x-organisation-code': 'ACME' }
  const idleMegabytes = memoryOf(server.pid)
  const before = new Probes(server.url, headers)
  before.start()
  await wait(5000)
  const quiet = await before.stop()
  const probes = new Probes(server.url, headers)
  const processorBefore = processorOf(server.pid)
  probes.start()
  const started = performance.now()
  const form = new FormData()
  form.set('manifestFile', new Blob([readFileSync(file)]), basename(file))
  const response = await fetch(`${server.url}/1.0/cdm/manifest/import`, { method: 'POST', headers, body: form })
  const answer: { counts: Record<string, number> } = await response.json()
  const seconds = (performance.now() - started) / 1000
  const times = await probes.stop()
  if (!response.ok) throw new Error(`The import was refused: ${JSON.stringify(answer)}`)
  const processor = processorOf(server.pid)
  const peakMegabytes = memoryOf(server.pid)
  await server.stop()
  const { entities = 0, manifests = 0, relationships = 0 } = answer.counts
  return {
    store,
    file: basename(file),
    entities,
    manifests,
    relationships,
    seconds,
    processorSeconds: processor.all - processorBefore.all,
    mainThreadSeconds: processor.main - processorBefore.main,
    peakMegabytes,
    idleMegabytes,
    quietSlowestMilliseconds: quiet.at(-1) ?? 0,
    probes: times.length,
    medianMilliseconds: times[Math.floor(times.length / 2)] ?? 0,
    slowestMilliseconds: times.at(-1) ?? 0,
  }
}

/** Seconds of processor time of the process, including ended threads, and of its main thread. */
function processorOf(pid: number): { all: number; main: number } {
  const secondsIn = (file: string) => {
    const fields = readFileSync(file, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    // In hundredths of a second.
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
  return { all: secondsIn(`/proc/${pid}/stat`), main: secondsIn(`/proc/${pid}/task/${pid}/stat`) }
}

/** The peak memory of the process in megabytes. */
function memoryOf(pid: number): number {
  const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}

function write(figures: Figures): void {
  process.stdout.write(
    `${JSON.stringify(figures, (_key, value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value))}\n`,
  )
}
