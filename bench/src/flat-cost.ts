import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { postgresAvailability } from '@cadmus/testing/availability'
import { startConsole, type ConsoleServer } from '@cadmus/testing/console'
import { startOwnPostgres, type PostgresServer } from '@cadmus/testing/postgres'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'

/**
 * Compares operations on a store of 50,000 entities with a store of 100: two consoles take turns, the median counts.
 * `node bench/src/flat-cost.ts [entities] [sqlite | postgres]`. One request at a time over HTTP; the ratio matters, not
 * the milliseconds. `own` is the processor time of the server process, which is largely independent of other processes.
 */
const token = 'bench-token-0123456789-0123456789-0123456789'
const organisation = 'ACME'
const fewEntities = 100
const manyEntities = Number(process.argv[2] ?? 50_000)
const only = process.argv[3]
const members = 10_000
const rounds = 40
const warmUp = 5
/** Milliseconds between operations, to remain below the rate limit of fifty requests per second. */
const pace = 25
const filler = resolve(import.meta.dirname, '../../apps/server/src/testing/fill-store.ts')

type Group = { id: number; entityId: number }
type FilledStore = { first: Group; wide: Group | null }
type Timing = { waited: number; own: number }
type Side = { server: ConsoleServer; filledStore: FilledStore; times: Map<string, Timing[]> }

type Act = (side: Side, round: number) => Promise<void>

const operations: readonly (readonly [name: string, act: Act])[] = [
  ['open', async one => void (await get(one, `entity/${one.filledStore.first.entityId}`))],
  ['save', save],
  ['list', async one => void (await get(one, 'entity?limit=20'))],
  ['list by after', async one => void (await get(one, 'entity?limit=20&filter=PRIVATE&after=WyJyZWNvcmQ5MCIsMF0'))],
  ['search', async one => void (await get(one, 'entity?limit=20&search=needle'))],
  ['search of two letters', async one => void (await get(one, 'entity?limit=20&search=zz'))],
  ['search of what all names have', async one => void (await get(one, 'entity?limit=20&search=record'))],
  ['the same, likely first', async one => void (await get(one, 'entity?limit=20&search=record&order=match'))],
  ['two letters, likely first', async one => void (await get(one, 'entity?limit=20&search=ec&order=match'))],
  ['search for an attribute', async one => void (await get(one, 'attribute?search=od'))],
  ['logs', async one => void (await get(one, 'entity/logs?limit=20'))],
  ['expand', async one => void (await get(one, `manifest/${one.filledStore.first.id}/entities?limit=20`))],
  ['navigator', async one => void (await get(one, 'navigator'))],
  ['manifests', async one => void (await get(one, 'manifest?limit=20'))],
]

if (only !== 'postgres') await compare('embedded SQLite', undefined)
if (only !== 'sqlite' && postgresAvailability().present) {
  const postgres = await startOwnPostgres({ durable: true })
  await compare('PostgreSQL', postgres)
  await postgres.stop()
}

async function compare(store: string, postgres: PostgresServer | undefined): Promise<void> {
  const folders = [temporaryFolder('flat'), temporaryFolder('flat')]
  const small = await side(fewEntities, folders[0] ?? '', postgres)
  const large = await side(manyEntities, folders[1] ?? '', postgres)
  for (let round = 0; round < warmUp + rounds; round++) {
    if (round === warmUp) for (const { times } of [small, large]) times.clear()
    for (const [name, act] of operations) {
      // The order alternates between rounds.
      for (const one of round % 2 === 0 ? [small, large] : [large, small]) await time(one, name, () => act(one, round))
      await wait(pace)
    }
  }
  for (const [name] of operations) {
    const [a, b] = [small, large].map(({ times }) => times.get(name) ?? [])
    const waited = comparison(a, b, timing => timing.waited)
    write({ store, operation: name, ...waited, own: comparison(a, b, timing => timing.own) })
  }
  await wide(store, large)
  for (const { server } of [small, large]) await server.stop()
  for (const folder of folders) removeFolder(folder)
}

function comparison(a: readonly Timing[] = [], b: readonly Timing[] = [], of: (timing: Timing) => number) {
  const [x, y] = [median(a.map(of)), median(b.map(of))]
  return { [fewEntities]: tenths(x), [manyEntities]: tenths(y), ratio: Math.round((y / x) * 100) / 100 }
}

/** Milliseconds of processor time of all threads. */
function ownTime({ server }: Pick<Side, 'server'>): number {
  const tasks = `/proc/${server.pid}/task`
  const nanoseconds = readdirSync(tasks).map(task =>
    Number(readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6
}

/** A console whose store was filled before its start. */
async function side(entities: number, dataDir: string, postgres: PostgresServer | undefined): Promise<Side> {
  const database = await postgres?.createDatabase()
  const url = database && { CADMUS_DATABASE_URL: database.url, CADMUS_SECRET: '5a'.repeat(32) }
  const options = { dataDir, env: { ...url, CADMUS_BOOTSTRAP_TOKEN: token } }
  await (await startConsole(options)).stop()
  const args = [organisation, String(entities), entities > fewEntities ? String(members) : '0']
  const output = execFileSync(process.execPath, [filler, ...args, database?.url ?? join(dataDir, 'cadmus.sqlite')])
  // A running server does this within the hour.
  if (database) await database.execute('VACUUM ANALYZE')
  const filledStore: FilledStore = JSON.parse(output.toString())
  return { server: await startConsole(options), filledStore, times: new Map() }
}

async function save(one: Side, round: number): Promise<void> {
  const { first } = one.filledStore
  const response = await fetch(`${one.server.url}/1.0/cdm/entity/${first.entityId}`, {
    method: 'PUT',
    headers: { ...headers(), 'content-type': 'application/json', 'if-match': '*' },
    body: JSON.stringify({
      entity: { name: 'Record0Needle', description: `round ${round}`, typeAttributes: [{ name: 'code' }] },
    }),
  })
  if (!response.ok) throw new Error(`A save was refused: ${await response.text()}`)
  await response.text()
}

/** The manifest of 10,000 members: the first request after the start, and the median of all further requests. */
async function wide(store: string, { server, filledStore }: Side): Promise<void> {
  const path = `manifest/${filledStore.wide?.id ?? -1}`
  const times: number[] = []
  const owns: number[] = []
  for (let round = 0; round < 21; round++) {
    const [begin, own] = [performance.now(), ownTime({ server })]
    await get({ server }, path)
    times.push(performance.now() - begin)
    owns.push(ownTime({ server }) - own)
  }
  write({
    store,
    operation: `GET manifest of ${members}`,
    first: tenths(times[0] ?? 0),
    median: tenths(median(times.slice(1))),
    own: tenths(median(owns.slice(1))),
  })
}

async function get({ server }: Pick<Side, 'server'>, path: string): Promise<string> {
  const response = await fetch(`${server.url}/1.0/cdm/${path}`, { headers: headers() })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} was refused: ${response.status} ${text}`)
  return text
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-organisation-code': organisation }
}

async function time(one: Side, name: string, act: () => Promise<void>): Promise<void> {
  const [begin, own] = [performance.now(), ownTime(one)]
  await act()
  const timing = { waited: performance.now() - begin, own: ownTime(one) - own }
  one.times.set(name, [...(one.times.get(name) ?? []), timing])
}

function median(times: readonly number[] = []): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}

function write(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
