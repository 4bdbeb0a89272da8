import { getEntity, listEntities } from '@cadmus/model/contract/entity'
import { progressAnswer } from '@cadmus/model/contract/shared'
import { getManifest } from '@cadmus/model/contract/manifest'
import { validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { createToken, revokeToken } from '@cadmus/model/contract/token'
import { generatedFolder } from '@cadmus/formats/testing/generated-folder'
import { postgresAvailability } from '@cadmus/testing/availability'
import { type ConsoleServer, startConsole } from '@cadmus/testing/console'
import { type PostgresDatabase, startPostgres } from '@cadmus/testing/postgres'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openStore, type Store } from '../store/database.ts'
import { organisationByCode } from '../store/organisation.ts'
import { Browser } from '../testing/browser.ts'
import { ConsoleClient } from '../testing/client.ts'
import { signInAs } from '../testing/console.ts'
import { typeAttributeBody } from '../testing/entities.ts'
import { scriptOf, tokenBody, withSecret } from '../testing/personal-tokens.ts'

const token = 'two-servers-token-0123456789-0123456789'
const headers = { authorization: `Bearer ${token}`, 'x-organisation-code': 'ACME' }
const folder = generatedFolder(1500, 12)

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
  }, 180_000)
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
    expect(answer.status).toBe(200)
    // The other server learns of it within a second and may finish before; then nothing may be missing.
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

  it('fail and clean up the jobs of a killed one within 60 s', async () => {
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
    await expect
      .poll(async () => (await progress(servers[0], key))?.state, { interval: 500, timeout: 60_000 })
      .toBe('failed')
    expect(await rows()).toEqual(before)
    expect((await progress(servers[0], key))?.message).toContain('Nothing was saved')
  }, 150_000)
})
