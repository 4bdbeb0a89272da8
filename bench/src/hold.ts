import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { postgresAvailability } from '@cadmus/testing/availability'
import { startConsole, type ConsoleServer } from '@cadmus/testing/console'
import { startOwnPostgres, type PostgresServer } from '@cadmus/testing/postgres'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'

/**
 * How long `/health` and a small entity take while something heavy goes on. `node bench/src/hold.ts [members] [store]`: `members`
 * of the manifest that is read, exported and deleted. Both are asked every twenty milliseconds, over connections of their own.
 */
const token = 'bench-token-0123456789-0123456789-0123456789'
const organisation = 'ACME'
const members = Number(process.argv[2] ?? 19_000)
const only = process.argv[3]
const every = 20
const filler = resolve(import.meta.dirname, '../../apps/server/src/testing/fill-store.ts')

type Made = { first: { id: number; entityId: number }; wide: { id: number } }
type Bench = { server: ConsoleServer; made: Made }

if (only !== 'postgres') await measure('embedded SQLite', undefined)
if (only !== 'sqlite' && postgresAvailability().present) {
  const postgres = await startOwnPostgres({ durable: true })
  await measure('PostgreSQL', postgres)
  await postgres.stop()
}

async function measure(store: string, postgres: PostgresServer | undefined): Promise<void> {
  const folder = temporaryFolder('hold')
  const bench = await filled(folder, postgres)
  const deep = await chain(bench, 12, 2000)
  const heavy: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['nothing', () => wait(2000)],
    ['20 readers of 12 × 2,000 inherited attributes', () => together(20, () => call(bench, `entity/${deep}`))],
    ['6 saves of 4,900 attributes at once', () => together(6, index => large(bench, `Large${index}`, 4900))],
    [`20 readers of a manifest of ${members}`, () => together(20, () => call(bench, `manifest/${bench.made.wide.id}`))],
    [`validation of it`, () => call(bench, `manifest/${bench.made.wide.id}/validate`, 'POST')],
    [`a version of it`, () => call(bench, `manifest/${bench.made.wide.id}/version?version=1.0.1`, 'POST')],
    [`its duplicate`, () => duplicate(bench)],
    [`its deletion`, () => call(bench, `manifest/${bench.made.wide.id}`, 'DELETE')],
  ]
  for (const [what, act] of heavy) await report(store, bench, what, act)
  await bench.server.stop()
  removeFolder(folder)
}

async function filled(dataDir: string, postgres: PostgresServer | undefined): Promise<Bench> {
  const database = await postgres?.createDatabase()
  const url = database && { CADMUS_DATABASE_URL: database.url, CADMUS_SECRET: '5a'.repeat(32) }
  const options = { dataDir, env: { ...url, CADMUS_BOOTSTRAP_TOKEN: token } }
  await (await startConsole(options)).stop()
  const args = [organisation, '100', String(members), database?.url ?? join(dataDir, 'cadmus.sqlite')]
  const made: Made = JSON.parse(execFileSync(process.execPath, [filler, ...args]).toString())
  return { server: await startConsole(options), made }
}

async function report(store: string, bench: Bench, what: string, act: () => Promise<unknown>): Promise<void> {
  let isOver = false
  const began = performance.now()
  const acting = act().finally(() => void (isOver = true))
  const times: number[] = []
  while (!isOver) {
    for (const path of ['/health', `/1.0/cdm/entity/${bench.made.first.entityId}`]) {
      const begin = performance.now()
      const answer = await fetch(bench.server.url + path, { headers: headers() })
      await answer.arrayBuffer()
      times.push(performance.now() - begin)
    }
    await wait(every)
  }
  const answered = await acting
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  const seconds = Math.round((performance.now() - began) / 100) / 10
  process.stdout.write(
    `${JSON.stringify({ store, what, seconds, probes: times.length, median: at(0.5), p99: at(0.99), most: at(1), answered })}\n`,
  )
}

async function together(count: number, act: (index: number) => Promise<unknown>): Promise<unknown> {
  const answers = await Promise.all(Array.from({ length: count }, (_none, index) => act(index)))
  return [...new Set(answers)].join()
}

/** Entities that extend one another, with so many attributes each; answers the last one's id. */
async function chain(bench: Bench, depth: number, columns: number): Promise<number> {
  let id = -1
  for (let level = 0; level < depth; level++) {
    const entity = {
      name: `Link${level}`,
      typeAttributes: attributes(columns, `c${level}x`),
      extendsEntity: id < 0 ? null : { id },
    }
    id = (await made(bench, entity)).id
  }
  return id
}

function attributes(count: number, start: string) {
  return Array.from({ length: count }, (_none, index) => ({ name: `${start}${index}`, description: 'what it is for' }))
}

async function large(bench: Bench, name: string, columns: number): Promise<string> {
  await made(bench, { name, typeAttributes: attributes(columns, 'c') })
  return '200'
}

async function made({ server }: Bench, entity: object): Promise<{ id: number }> {
  const answer = await fetch(`${server.url}/1.0/cdm/entity`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify({ entity }),
  })
  if (!answer.ok) throw new Error(`An entity was refused: ${answer.status} ${await answer.text()}`)
  return JSON.parse(await answer.text()).entity
}

async function duplicate({ server, made: { wide } }: Bench): Promise<number> {
  const answer = await fetch(`${server.url}/1.0/cdm/manifest/wizard`, {
    method: 'POST',
    headers: { ...headers(), 'content-type': 'application/json' },
    body: JSON.stringify({ manifestName: 'Twin', duplicateManifest: wide.id }),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Answers the status: some of these are refused, which is work too. */
async function call({ server }: Bench, path: string, method = 'GET'): Promise<number> {
  const answer = await fetch(`${server.url}/1.0/cdm/${path}`, { method, headers: headers() })
  await answer.arrayBuffer()
  return answer.status
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-organisation-code': organisation }
}
