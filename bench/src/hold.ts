import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { postgresAvailability } from '@cadmus/testing/availability'
import { startConsole, type ConsoleServer } from '@cadmus/testing/console'
import { startOwnPostgres, type PostgresServer } from '@cadmus/testing/postgres'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { call, heavyCalls, createEntity } from './hold-calls.ts'

/**
 * Measures `/health` and a small entity during heavy requests: `node bench/src/hold.ts [members] [store] [part]`.
 * `members`: size of the manifest that is read, exported and deleted; `part`: a regular expression that selects
 * requests. Both are probed every twenty milliseconds over separate connections, and another user saves an entity every
 * hundred (`slowestSave`). Each line also reports how long the server's main thread was blocked, and how much of that
 * was its own work (`loop-watch.ts`); the rest is due to other processes.
 */
const token = 'bench-token-0123456789-0123456789-0123456789'
const organisation = 'ACME'
const members = Number(process.argv[2] ?? 19_000)
const only = process.argv[3]
const part = new RegExp(process.argv[4] ?? '')
const every = 20
const everySave = 100
const versions = 5000
const programs = resolve(import.meta.dirname, '../../apps/server/src/testing')
const watch = resolve(import.meta.dirname, 'loop-watch.ts')

type FilledStore = { first: { id: number; entityId: number }; wide: { id: number } }
type Bench = { server: ConsoleServer; createEntity: FilledStore; loopFile: string; savedId: number; other: string }

if (only !== 'postgres') await measure('embedded SQLite', undefined)
if (only !== 'sqlite' && postgresAvailability().present) {
  const postgres = await startOwnPostgres({ durable: true })
  await measure('PostgreSQL', postgres)
  await postgres.stop()
}

async function measure(store: string, postgres: PostgresServer | undefined): Promise<void> {
  const folder = temporaryFolder('hold')
  const bench = await startFilled(folder, postgres)
  const { first, wide } = bench.createEntity
  const target = { url: bench.server.url, headers: headers(), entityId: first.entityId, manifestId: wide.id }
  for (const [what, act] of await heavyCalls(target)) if (part.test(what)) await report(store, bench, what, act)
  await bench.server.stop()
  removeFolder(folder)
}

async function startFilled(dataDir: string, postgres: PostgresServer | undefined): Promise<Bench> {
  const database = await postgres?.createDatabase()
  const url = database && { CADMUS_DATABASE_URL: database.url, CADMUS_SECRET: '5a'.repeat(32) }
  const loopFile = join(dataDir, 'loop.json')
  const options = { dataDir, env: { ...url, CADMUS_BOOTSTRAP_TOKEN: token } }
  await (await startConsole(options)).stop()
  const file = database?.url ?? join(dataDir, 'cadmus.sqlite')
  const ids: FilledStore = JSON.parse(
    output('fill-store.ts', organisation, '100', String(members), file, String(versions)),
  )
  const env = { ...options.env, LOOP_WATCH: loopFile, NODE_OPTIONS: `--import ${watch}` }
  const server = await startConsole({ dataDir, env })
  const savedId = await createEntity({ url: server.url, headers: headers() }, { name: 'Bystander' })
  const other = output('designer-token.ts', server.url, organisation)
  return { server, createEntity: ids, loopFile, savedId, other }
}

function output(program: string, ...args: string[]): string {
  return execFileSync(process.execPath, [join(programs, program), ...args]).toString()
}

async function report(store: string, bench: Bench, what: string, act: () => Promise<unknown>): Promise<void> {
  await longestHold(bench)
  let isOver = false
  const began = performance.now()
  const acting = act().finally(() => void (isOver = true))
  const times: number[] = []
  const probe = async (path: string) => {
    while (!isOver) {
      const begin = performance.now()
      const answer = await fetch(bench.server.url + path, { headers: headers() })
      await answer.arrayBuffer()
      times.push(performance.now() - begin)
      await wait(every)
    }
  }
  const saves: number[] = []
  const save = async () => {
    while (!isOver) {
      const begin = performance.now()
      await saveBystander(bench, saves.length)
      saves.push(performance.now() - begin)
      await wait(everySave)
    }
  }
  await Promise.all([probe('/health'), probe(`/1.0/cdm/entity/${bench.createEntity.first.entityId}`), save()])
  const result = await acting
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  const latencies = {
    probes: times.length,
    median: at(0.5),
    p99: at(0.99),
    max: at(1),
    slowestSave: Math.round(Math.max(...saves)),
  }
  process.stdout.write(
    `${JSON.stringify({ store, what, seconds, ...latencies, ...(await longestHold(bench)), result })}\n`,
  )
}

async function saveBystander({ server, savedId, other }: Bench, count: number): Promise<void> {
  const entity = { name: 'Bystander', description: `Saved ${count} times at ${Date.now()}.` }
  const status = await call({ url: server.url, headers: headers(other) }, `entity/${savedId}`, 'PUT', { entity })
  if (status !== 200) throw new Error(`A save was answered with ${status}.`)
}

/** The longest block of the server's main thread since the previous call. */
async function longestHold({ server, loopFile }: Bench): Promise<{ target: number; worked: number }> {
  rmSync(loopFile, { force: true })
  process.kill(server.pid, 'SIGUSR2')
  while (!existsSync(loopFile) || readFileSync(loopFile, 'utf8') === '') await wait(every)
  return JSON.parse(readFileSync(loopFile, 'utf8'))
}

function headers(bearer = token): Record<string, string> {
  return { authorization: `Bearer ${bearer}`, 'x-organisation-code': organisation }
}
