import { buildManifest, listPackages, type PackageItem } from '@cadmus/model/contract/package'
import { createManifest } from '@cadmus/model/contract/manifest'
import { postgresAvailability } from '@cadmus/testing/availability'
import { type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { type PostgresDatabase, startPostgres } from '@cadmus/testing/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from '../store/database.ts'
import { Browser } from '../testing/browser.ts'
import { ConsoleClient } from '../testing/client.ts'

const token = 'two-servers-token-0123456789-0123456789'

describe.skipIf(!postgresAvailability().present)('Builds of two servers on one PostgreSQL', () => {
  let database: PostgresDatabase
  let servers: ConsoleServer[]
  let clients: ConsoleClient[]
  let store: Store
  const start = () =>
    startConsole({
      env: { CADMUS_BOOTSTRAP_TOKEN: token, CADMUS_DATABASE_URL: database.url, CADMUS_SECRET: '5a'.repeat(32) },
    })
  beforeAll(async () => {
    database = await (await startPostgres()).createDatabase()
    servers = await Promise.all([start(), start()])
    clients = servers.map(
      ({ url }) => new ConsoleClient(new Browser(url), '', 'ACME', { authorization: `Bearer ${token}` }),
    )
    store = openStore({ kind: 'postgres', url: database.url })
  }, 180_000)
  afterAll(async () => {
    await store.close()
    await Promise.all(servers.map(server => server.stop()))
    await database.drop()
  })

  const client = (at: number): ConsoleClient => clients[at] ?? expect.unreachable()
  const manifestOf = async (name: string, entities: number) => {
    const exclusiveEntities = Array.from({ length: entities }, (_, at) => `Entity${at}`)
    const body = { manifestName: name, exclusiveEntities }
    return (await client(0).call(createManifest, { body })).manifest.id
  }
  /** The distinct holders of builds. */
  const holders = async () => {
    const rows = await store.shared.selectFrom('job').select(['holder', 'state']).where('kind', '=', 'build').execute()
    return rows.filter(({ state }) => state === 'running').map(({ holder }) => holder)
  }

  /** Blocks the end of all builds until released, whatever the machine's speed. */
  async function holdEnds(): Promise<() => Promise<void>> {
    const gate = await database.connect()
    await gate.run('select pg_advisory_lock(1)', [])
    await database.execute(`
      create or replace function wait_at_gate() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock_shared(1); return new; end';
      create or replace trigger gate before update on package_version for each row execute function wait_at_gate()`)
    return () => gate.end()
  }
  const ask = async (manifestName: string, builds: number) => {
    const id = await manifestOf(manifestName, 100)
    const versions = Array.from({ length: builds }, (_, at) => `1.0.${at}`)
    await Promise.all(versions.map(version => client(0).call(buildManifest, { params: { id }, body: { version } })))
    return id
  }
  const packageOf = async (id: number, at: number): Promise<PackageItem | undefined> =>
    (await client(at).call(listPackages, { query: { manifestId: id } })).packages[0]
  const jobs = () =>
    store.shared.selectFrom('job').select(['id', 'attempts', 'holder']).where('kind', '=', 'build').execute()

  it('are shared by both servers, each built once, and reported by both', async () => {
    const finish = await holdEnds()
    const id = await ask('Shared', 8)
    await expect.poll(async () => (await holders()).length, { timeout: 60_000 }).toBe(4)
    await finish()
    await expect.poll(async () => (await packageOf(id, 1))?.versions.length, { interval: 200, timeout: 90_000 }).toBe(8)
    expect(await packageOf(id, 0)).toEqual(await packageOf(id, 1))
    const made = await jobs()
    expect(made.map(({ attempts }) => attempts)).toEqual(Array(8).fill(1))
    expect(new Set(made.map(({ holder }) => holder)).size).toBe(2)
  }, 180_000)

  it('builds of a killed server are finished by another server within 60 s', async () => {
    const before = new Set((await jobs()).map(({ id }) => id))
    const finish = await holdEnds()
    const id = await ask('Killed', 4)
    await expect.poll(async () => (await holders()).length, { timeout: 60_000 }).toBe(4)
    await servers[1]?.kill()
    await finish()
    await expect.poll(async () => (await packageOf(id, 0))?.versions.length, { interval: 500, timeout: 60_000 }).toBe(4)
    const made = (await jobs()).filter(job => !before.has(job.id))
    expect(made.map(({ attempts }) => attempts).toSorted()).toEqual([1, 1, 2, 2])
    expect(new Set(made.map(({ holder }) => holder)).size).toBe(1)
  }, 180_000)
})
