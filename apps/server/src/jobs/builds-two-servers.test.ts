import { buildManifest, listPackages, type PackageItem } from '@cadmus/model/contract/package'
import { createManifest } from '@cadmus/model/contract/manifest'
import { postgresAvailability } from '@cadmus/testing/availability'
import { type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { type PostgresDatabase, startPostgres } from '@cadmus/testing/postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from '../store/database.ts'
import { Browser } from '../testing/browser.ts'
import { ConsoleClient } from '../testing/client.ts'
import { built } from '../testing/packages.ts'

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
  const holders = async () => {
    const rows = await store.shared.selectFrom('job').select(['holder', 'state']).where('kind', '=', 'build').execute()
    return new Set(rows.filter(({ state }) => state === 'running').map(({ holder }) => holder))
  }

  it('that are asked of one are made by both, each once, and both tell of them', async () => {
    // So large that what waits behind the first two waits longer than the other server leaves between two looks.
    const id = await manifestOf('Shared', 1000)
    const versions = Array.from({ length: 8 }, (_, at) => `1.0.${at}`)
    await Promise.all(versions.map(version => client(0).call(buildManifest, { params: { id }, body: { version } })))
    const packageOf = async (at: number): Promise<PackageItem | undefined> =>
      (await client(at).call(listPackages, { query: { manifestId: id } })).packages[0]
    await expect.poll(async () => (await packageOf(1))?.versions.length, { interval: 200, timeout: 90_000 }).toBe(8)
    expect(await packageOf(0)).toEqual(await packageOf(1))
    const jobs = await store.shared
      .selectFrom('job')
      .select(['attempts', 'holder'])
      .where('kind', '=', 'build')
      .execute()
    expect(jobs.map(({ attempts }) => attempts)).toEqual(Array(8).fill(1))
    expect(new Set(jobs.map(({ holder }) => holder)).size).toBe(2)
  }, 120_000)

  it('one that was killed in the middle is made by the other within 60 s', async () => {
    const id = await manifestOf('Killed', 1500)
    const asked = await client(1).call(buildManifest, { params: { id }, body: {} })
    await expect.poll(async () => (await holders()).size, { interval: 5, timeout: 60_000 }).toBeGreaterThan(0)
    await servers[1]?.kill()
    const killed = performance.now()
    const { versions } = await built(client(0), asked.packageId)
    expect(versions).toEqual(['1.0.0'])
    expect(performance.now() - killed).toBeLessThan(60_000)
    const jobs = await store.shared
      .selectFrom('job')
      .select(['attempts', 'state'])
      .where('kind', '=', 'build')
      .execute()
    expect(jobs).toContainEqual({ attempts: 2, state: 'done' })
  }, 150_000)
})
