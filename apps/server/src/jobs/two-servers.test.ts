import { getEntity, listEntities } from '@cadmus/model/contract/entity'
import { progressAnswer } from '@cadmus/model/contract/shared'
import { createManifest, getManifest } from '@cadmus/model/contract/manifest'
import { buildManifest, listPackages, type PackageItem } from '@cadmus/model/contract/package'
import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { createToken, revokeToken } from '@cadmus/model/contract/token'
import { generatedFolder } from '@cadmus/formats/testing/generated-folder'
import { postgresAvailability } from '@cadmus/testing/availability'
import { type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { type PostgresDatabase, startPostgres } from '@cadmus/testing/postgres'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openStore, type Store } from '../store/store.ts'
import { organisationByCode } from '../store/organisation.ts'
import { Browser } from '../testing/browser.ts'
import { ConsoleClient } from '../testing/client.ts'
import { signInAs } from '../testing/console.ts'
import { typeAttributeBody } from '../testing/entities.ts'
import { scriptOf, tokenBody, withSecret } from '../testing/personal-tokens.ts'

const token = 'two-servers-token-0123456789-0123456789'
const headers = { authorization: `Bearer ${token}`, 'x-organisation-code': 'ACME' }
const folder = generatedFolder(900, 12)

describe.skipIf(!postgresAvailability().present)('Two servers on one PostgreSQL', () => {
  let database: PostgresDatabase
  let servers: ConsoleServer[]
  let store: Store
  let organisationId: number
  const start = () =>
    startConsole({
      env: { CADMUS_BOOTSTRAP_TOKEN: token, CADMUS_DATABASE_URL: database.url, CADMUS_SECRET: '5a'.repeat(32) },
    })
  beforeAll(async () => {
    database = await (await startPostgres()).createDatabase()
    servers = await Promise.all([start(), start()])
    store = openStore({ kind: 'postgres', url: database.url })
    organisationId = (await organisationByCode(store.shared, 'ACME'))?.id ?? -1
  })
  afterAll(async () => {
    await store.close()
    await Promise.all(servers.map(server => server.stop()))
    await database.drop()
  })

  /** All rows of an organisation, visible or not. */
  async function rows() {
    const db = store.of(organisationId)
    const count = async (table: 'entity' | 'manifest' | 'content' | 'audit_entry' | 'loose_content') => {
      const result = await db
        .selectFrom(table)
        .select('organisation_id')
        .where('organisation_id', '=', organisationId)
        .execute()
      return result.length
    }
    const counts = [count('entity'), count('manifest'), count('content'), count('audit_entry'), count('loose_content')]
    const [entities = 0, manifests, contents, entries, loose] = await Promise.all(counts)
    return { entities, manifests, contents, entries, loose }
  }

  function send(server: ConsoleServer | undefined, key: string): Promise<Response> {
    const form = new FormData()
    form.set('manifestFile', new Blob([new Uint8Array(folder)]), 'made-up.zip')
    return fetch(`${server?.url}/1.0/cdm/manifest/import?key=${key}`, { method: 'POST', headers, body: form })
  }

  /** Undefined if there is no such import. */
  async function progress(server: ConsoleServer | undefined, key: string) {
    const answer = await fetch(`${server?.url}/1.0/cdm/manifest/import/${key}`, { headers })
    return answer.ok ? progressAnswer.parse(await answer.json()) : undefined
  }

  it('Decisions §4 started at once on an empty database fill it once', async () => {
    const shared = await store.shared.selectFrom('organisation').select('code').execute()
    expect(shared.map(row => row.code).toSorted()).toEqual([...new Set(shared.map(row => row.code))].toSorted())
    const db = store.of(organisationId)
    const manifests = await db
      .selectFrom('manifest')
      .select('name')
      .where('organisation_id', '=', organisationId)
      .execute()
    expect(manifests.map(row => row.name).toSorted()).toEqual(['Catalogue', 'Shop'])
    const library = await store.of(0).selectFrom('entity').select('path').where('organisation_id', '=', 0).execute()
    expect(library.length).toBeGreaterThan(20)
    expect(new Set(library.map(row => row.path)).size).toBe(library.length)
    expect(servers.map(server => server.output()).join('\n')).not.toMatch(/error/i)
  })

  it('accept an access token of either, and reject it once either has revoked it', async () => {
    const [first, second] = servers
    const { browser, userId } = await signInAs(new Browser(first?.url ?? ''), 'designer')
    const { script, secret, id } = await scriptOf(new ConsoleClient(browser, userId, 'ACME'))
    const elsewhere = withSecret(new ConsoleClient(new Browser(second?.url ?? ''), userId, 'ACME'), secret)
    const statuses = async () => [
      (await script.send(listEntities, {})).status,
      (await elsewhere.send(listEntities, {})).status,
    ]
    expect(await statuses()).toEqual([200, 200])
    await new ConsoleClient(browser, userId, 'ACME').call(revokeToken, { params: { id } })
    expect(await statuses()).toEqual([401, 401])
  })

  it('create only one of two concurrent access tokens with the same name', async () => {
    const [first, second] = servers
    const { browser, userId } = await signInAs(new Browser(first?.url ?? ''), 'designer')
    const other = new Browser(second?.url ?? '')
    for (const [name, cookie] of browser.cookies) other.cookies.set(name, cookie)
    const clients = [browser, other].map(one => new ConsoleClient(one, userId, 'ACME'))
    for (let round = 0; round < 5; round++) {
      const body = tokenBody({ name: `Round ${round}` })
      const made = await Promise.all([...clients, ...clients].map(client => client.send(createToken, { body })))
      expect(made.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    }
  })
  it("two servers report and cancel each other's imports, and nothing is stored", async () => {
    const before = await rows()
    const key = randomUUID()
    const running = send(servers[0], key)
    await expect
      .poll(async () => (await progress(servers[1], key))?.done ?? 0, { interval: 50, timeout: 60_000 })
      .toBeGreaterThan(0)
    const answer = await fetch(`${servers[1]?.url}/1.0/cdm/manifest/import/${key}`, { method: 'DELETE', headers })
    // The import may finish before it is cancelled, or before the other server learns of it; then nothing may be missing.
    expect([200, 404]).toContain(answer.status)
    const { code, counts } = z
      .object({ code: z.string(), counts: z.object({ entities: z.number() }) })
      .partial()
      .parse(await (await running).json())
    const ending = counts === undefined ? 'cancelled' : 'done'
    expect([code ?? ending, (await progress(servers[1], key))?.state]).toEqual([ending, ending])
    const after = await rows()
    expect(after.entities - before.entities).toBe(counts?.entities ?? 0)
    expect(counts === undefined ? after : before).toEqual(before)
  })

  it('two servers validate the content saved by the other', async () => {
    const call = async (server: ConsoleServer | undefined, method: string, path: string, body?: object) => {
      const answer = await fetch(`${server?.url}/1.0/cdm/${path}`, {
        method,
        headers: { ...headers, 'if-match': '*', ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const read: unknown = await answer.json()
      expect({ status: answer.status, read }).toMatchObject({ status: 200 })
      return read
    }
    const created = getManifest.answer.parse(
      await call(servers[0], 'POST', 'manifest', { manifestName: 'Shared', exclusiveEntities: ['Alpha', 'Beta'] }),
    )
    const { id, entityPaths } = created.manifest
    const validated = async (server: ConsoleServer | undefined) =>
      validateManifest.answer.parse(await call(server, 'POST', `manifest/${id}/validate`)).problems
    const codes = async (server: ConsoleServer | undefined) => (await validated(server)).map(({ code }) => code)
    expect(await Promise.all(servers.map(codes))).toEqual([[], []])
    for (let round = 0; round < 6; round += 1) {
      const [writes, reads] = round % 2 === 0 ? servers : servers.toReversed()
      const entity = entityPaths[round % entityPaths.length]
      const path = `entity/${entity?.id}`
      const { entity: before } = getEntity.answer.parse(await call(writes, 'GET', path))
      const name = `wide${round}`
      const added = { name, maxLength: 20_000, unique: true }
      const typeAttributes = [...before.typeAttributes.map(typeAttributeBody), added]
      await call(writes, 'PUT', path, { entity: { name: before.name, typeAttributes } })
      const seen = await validated(reads)
      expect(seen.filter(({ path: way }) => way.at(-1)?.name === name).length).toBeGreaterThan(0)
      expect(await validated(writes)).toEqual(seen)
    }
  })

  const client = (at: number): ConsoleClient =>
    new ConsoleClient(new Browser(servers[at]?.url ?? ''), '', 'ACME', { authorization: `Bearer ${token}` })
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
  const requestBuilds = async (manifestName: string, count: number) => {
    const id = await manifestOf(manifestName, 100)
    const versions = Array.from({ length: count }, (_, at) => `1.0.${at}`)
    await Promise.all(versions.map(version => client(0).call(buildManifest, { params: { id }, body: { version } })))
    return id
  }
  const packageOf = async (id: number, at: number): Promise<PackageItem | undefined> =>
    (await client(at).call(listPackages, { query: { manifestId: id } })).packages[0]
  const builds = () =>
    store.shared.selectFrom('job').select(['id', 'attempts', 'holder']).where('kind', '=', 'build').execute()

  it('both servers share the builds, run each once, and report all of them', async () => {
    const finish = await holdEnds()
    const id = await requestBuilds('SharedBuilds', 8)
    await expect.poll(async () => (await holders()).length).toBe(4)
    await finish()
    await expect.poll(async () => (await packageOf(id, 1))?.versions.length, { interval: 200, timeout: 90_000 }).toBe(8)
    expect(await packageOf(id, 0)).toEqual(await packageOf(id, 1))
    const made = await builds()
    expect(made.map(({ attempts }) => attempts)).toEqual(Array(8).fill(1))
    expect(new Set(made.map(({ holder }) => holder)).size).toBe(2)
  })

  it('jobs of a killed server are cleaned up and its builds are finished by the other within 60 s', async () => {
    const built = new Set((await builds()).map(({ id }) => id))
    const finish = await holdEnds()
    const id = await requestBuilds('Killed', 4)
    await expect.poll(async () => (await holders()).length).toBe(4)
    const before = await rows()
    const key = randomUUID()
    const running = send(servers[1], key)
    running.catch(() => undefined)
    await expect
      .poll(async () => (await rows()).entities, { interval: 50, timeout: 60_000 })
      .toBeGreaterThan(before.entities)
    await servers[1]?.kill()
    await expect(running).rejects.toThrow(/fetch failed|terminated|closed/)
    expect((await rows()).contents).toBeGreaterThan(before.contents ?? 0)
    await finish()
    // Only the builds of the killed server are left.
    await expect.poll(async () => (await holders()).length).toBe(2)
    await endLeases()
    // The other server looks for expired jobs every ten seconds.
    await expect
      .poll(async () => (await progress(servers[0], key))?.state, { interval: 200, timeout: 60_000 })
      .toBe('failed')
    const { entities, manifests, loose } = before
    const after = await rows()
    expect(after).toMatchObject({ entities, manifests, loose })
    // Each finished build adds a log entry.
    expect((after.contents ?? 0) - (before.contents ?? 0)).toBeLessThanOrEqual(4)
    expect((await progress(servers[0], key))?.message).toContain('Nothing was saved')
    await expect.poll(async () => (await packageOf(id, 0))?.versions.length, { interval: 200, timeout: 60_000 }).toBe(4)
    const made = (await builds()).filter(job => !built.has(job.id))
    expect(made.map(({ attempts }) => attempts).toSorted()).toEqual([1, 1, 2, 2])
    expect(new Set(made.map(({ holder }) => holder)).size).toBe(1)
  }, 240_000)

  /** Expires the leases of all running jobs, after checking that they would expire within 20 s. */
  async function endLeases(): Promise<void> {
    const [row] = await database.query(
      "select max(lease_until) - extract(epoch from clock_timestamp()) * 1000 as left from job where state = 'running'",
    )
    expect(Number(row?.['left'])).toBeLessThanOrEqual(20_000)
    await store.shared.updateTable('job').set({ lease_until: 1 }).where('state', '=', 'running').execute()
  }
})
