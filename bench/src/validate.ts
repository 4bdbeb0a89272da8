import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { postgresAvailability } from '@cadmus/testing/availability'
import { startConsole, type ConsoleServer } from '@cadmus/testing/console'
import { startOwnPostgres, type PostgresServer } from '@cadmus/testing/postgres'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { machine } from './machine.ts'

/**
 * Measures validation on a running console, on both stores: `node bench/src/validate.ts [entities] [attributes]
 * [rounds] ['integers']`. A manifest is validated for five databases over HTTP: first, again, and after each save of
 * one of its entities. Processor time is measured for the whole server from the request to the last byte of the
 * compressed answer; best and median of all rounds. With 'integers' no attribute is a text, so that there are few
 * notes.
 */
const token = 'bench-token-0123456789-0123456789-0123456789'
const organisation = 'ACME'
const entities = Number(process.argv[2] ?? 1000)
const attributes = Number(process.argv[3] ?? 20)
const rounds = Number(process.argv[4] ?? 40)
const kind = process.argv[5] ?? ''
const filler = resolve(import.meta.dirname, '../../apps/server/src/testing/fill-store.ts')

type Bench = { server: ConsoleServer; manifestId: number; entityIds: readonly number[] }
type Edit = (bench: Bench, round: number) => Promise<void>
type Cost = { worked: number; waited: number; bytes: number }

const edits: readonly [string, Edit][] = [
  [
    'after an attribute was added',
    (bench, round) => save(bench, round, () => ({ added: { name: `added${round}`, maxLength: 50 } })),
  ],
  ['after an entity was renamed', (bench, round) => save(bench, round, name => ({ name: `${name}X` }))],
  ['after a relationship was added', relate],
]

const agent = new Agent({ keepAlive: true })

console.log(
  `${entities} entities of ${attributes} attributes${kind && `, all ${kind}`}; ${machine()}; load ${loadavg()[0]?.toFixed(1)}\n`,
)
console.log(
  '| Store | What | Processor time: best | median | Wait: best | median | Answer |\n|---|---|---|---|---|---|---|',
)
await measure('embedded SQLite', undefined)
if (postgresAvailability().present) {
  const postgres = await startOwnPostgres()
  await measure('PostgreSQL', postgres)
  await postgres.stop()
}

async function measure(store: string, postgres: PostgresServer | undefined): Promise<void> {
  const folder = temporaryFolder('validate')
  const bench = await startFilled(folder, postgres)
  const first = await validate(bench)
  report(store, 'at first', [first])
  report(store, 'again', await times(() => validate(bench)))
  for (const [what, edit] of edits) {
    const costs = await times(async round => {
      await edit(bench, round)
      return validate(bench)
    })
    report(store, what, costs)
  }
  await bench.server.stop()
  removeFolder(folder)
}

/** A console whose store was filled before its start. */
async function startFilled(dataDir: string, postgres: PostgresServer | undefined): Promise<Bench> {
  const database = await postgres?.createDatabase()
  const url = database && { CADMUS_DATABASE_URL: database.url, CADMUS_SECRET: '5a'.repeat(32) }
  const options = { dataDir, env: { ...url, CADMUS_BOOTSTRAP_TOKEN: token } }
  await (await startConsole(options)).stop()
  const database_ = database?.url ?? join(dataDir, 'cadmus.sqlite')
  const args = [organisation, '50', String(entities), database_, '0', String(attributes), kind]
  const filledStore: { wide: { id: number } } = JSON.parse(execFileSync(process.execPath, [filler, ...args]).toString())
  const server = await startConsole(options)
  const path = `manifest/${filledStore.wide.id}`
  const { manifest }: { manifest: { entityPaths: { id: number }[] } } = await call({ server }, 'GET', path)
  return { server, manifestId: filledStore.wide.id, entityIds: manifest.entityPaths.map(({ id }) => id) }
}

/** A different entity in each round. */
function anEntity({ entityIds }: Bench, round: number): number {
  return entityIds[(round * 37) % entityIds.length] ?? -1
}

/** The answer is not decompressed, to measure only the server. */
async function validate({ server, manifestId }: Bench): Promise<Cost> {
  const before = cpuByThread(server.pid)
  const begin = performance.now()
  const { promise: bytes, resolve: answered, reject } = Promise.withResolvers<number>()
  const requestHeaders = { ...headers(), 'accept-encoding': 'gzip' }
  const path = `${server.url}/1.0/cdm/manifest/${manifestId}/validate`
  const question = request(path, { method: 'POST', agent, headers: requestHeaders }, answer => {
    let count = 0
    if (answer.statusCode !== 200) reject(new Error(`A validation was refused: ${answer.statusCode}.`))
    answer.on('data', (part: Buffer) => (count += part.length))
    answer.on('end', () => answered(count))
  })
  question.on('error', reject)
  question.end()
  const size = await bytes
  return { worked: since(before, server.pid), waited: performance.now() - begin, bytes: size }
}

/** Milliseconds of processor time by thread id. */
function cpuByThread(pid: number): Map<string, number> {
  const folder = `/proc/${pid}/task`
  const threads = readdirSync(folder)
  return new Map(
    threads.map(thread => {
      const [nanoseconds = '0'] = readFileSync(join(folder, thread, 'schedstat'), 'utf8').split(' ')
      return [thread, Number(nanoseconds) / 1e6]
    }),
  )
}

/** Threads that ended in between were idle. */
function since(before: ReadonlyMap<string, number>, pid: number): number {
  return cpuByThread(pid)
    .entries()
    .reduce((sum, [thread, worked]) => sum + worked - (before.get(thread) ?? 0), 0)
}

type AttributeAnswer = { uid: string; name: string; nullable: boolean; [field: string]: unknown }

async function save(
  bench: Bench,
  round: number,
  change: (name: string) => { name?: string; added?: object },
): Promise<void> {
  const path = `entity/${anEntity(bench, round)}`
  const { entity }: { entity: { name: string; typeAttributes: AttributeAnswer[] } } = await call(bench, 'GET', path)
  const existing = entity.typeAttributes.map(
    ({ nullable, isDefault: _, isPrimaryKey: __, appliedTraits: ___, ...item }) => ({
      ...item,
      isNullable: nullable,
    }),
  )
  const { name = entity.name, added } = change(entity.name)
  await call(bench, 'PUT', path, { entity: { name, typeAttributes: [...existing, ...(added ? [added] : [])] } })
}

async function relate(bench: Bench, round: number): Promise<void> {
  await call(bench, 'POST', `entity/${anEntity(bench, round)}/associatedEntity`, {
    associatedEntityId: anEntity(bench, round + 500),
    associatedEntityTypeAttribute: 'id',
    foreignKeyAttribute: { typeAttributeName: `link${round}` },
  })
}

async function call<T>({ server }: Pick<Bench, 'server'>, method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${server.url}/1.0/cdm/${path}`, {
    method,
    headers: { ...headers(), 'if-match': '*', ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was refused: ${text}`)
  return JSON.parse(text)
}

async function times(work: (round: number) => Promise<Cost>): Promise<Cost[]> {
  const costs: Cost[] = []
  for (let round = 1; round <= rounds; round += 1) costs.push(await work(round))
  return costs
}

function report(store: string, what: string, costs: readonly Cost[]): void {
  const worked = costs.map(cost => cost.worked).toSorted((a, b) => a - b)
  const waited = costs.map(cost => cost.waited).toSorted((a, b) => a - b)
  const figures = [worked, waited].flatMap(list => [list[0], list[list.length >> 1]])
  const texts = figures.map(figure => `${(figure ?? Number.NaN).toFixed(1)} ms`)
  console.log(`| ${store} | ${what} | ${texts.join(' | ')} | ${((costs.at(-1)?.bytes ?? 0) / 1e6).toFixed(1)} MB |`)
}

function headers(): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'x-organisation-code': organisation }
}
