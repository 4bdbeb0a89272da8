import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  adminGetOrganisationSummary,
  adminListOrganisationEntities,
  adminListOrganisationManifests,
} from '@cadmus/model/contract/admin-documents'
import { adminCreateOrganisation, adminListOrganisations } from '@cadmus/model/contract/admin-organisation'
import { createEntity, deleteEntity, listEntities } from '@cadmus/model/contract/entity'
import { createManifest, deleteManifest, listManifests } from '@cadmus/model/contract/manifest'
import { importManifest } from '@cadmus/model/contract/manifest-transfer'
import { holds } from '@cadmus/testing/holds'
import { historyOf } from '../store/history.ts'
import { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { signInStranger } from '../testing/unknown-user.ts'
import { zipFolder } from '../testing/zip-folder.ts'

const day = 24 * 60 * 60 * 1000

describeOnBothStores.whenProving('The content of an organisation', store => {
  let server: TestConsole
  let designer: ConsoleClient
  /** Signed in without an organisation. */
  let admin: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    const { browser, userId } = await signInStranger(server, [], '', true)
    admin = new ConsoleClient(browser, userId, undefined, { 'X-Cadmus': '1' })
  })
  afterAll(() => server.stop())
  // Stays below the limit of fifty requests a second.
  beforeEach(() => server.advance(4000))

  const acme = { code: 'ACME' }
  const summary = (code: string, query: object = {}) =>
    admin.call(adminGetOrganisationSummary, { params: { code }, query })
  const entities = (query: object) => admin.call(adminListOrganisationEntities, { params: acme, query })
  const manifests = (query: object) => admin.call(adminListOrganisationManifests, { params: acme, query })
  const freshOrganisation = async (code: string) => {
    await admin.call(adminCreateOrganisation, { body: { code, name: code } })
    return server.bootstrap(code)
  }

  it(
    'the content of an organisation is summarised as the numbers of its own entities, manifests and packages',
    holds('M7.88', 'M3.51'),
    async () => {
      const { organisation } = await summary('ACME')
      const own = { query: { filter: 'PRIVATE' as const, limit: 1 } }
      const { totalElements: totalEntities } = await designer.call(listEntities, own)
      const { totalElements: totalManifests } = await designer.call(listManifests, own)
      expect(totalEntities).toBeGreaterThan(10)
      expect(totalManifests).toBeGreaterThan(1)
      expect(organisation).toEqual({
        id: await organisationId(server),
        code: 'ACME',
        name: 'Acme Trading',
        totalEntities,
        totalManifests,
        totalPackages: 0,
      })
      const { organisations } = await admin.call(adminListOrganisations, { query: { search: 'acme' } })
      expect(organisations).toEqual([organisation])
      await designer.call(createEntity, { body: { entity: { name: 'OneMore' } } })
      expect((await summary('acme')).organisation.totalEntities).toBe(totalEntities + 1)
    },
  )

  it('the content of an organisation has a daily history, computed from creations and deletions', async () => {
    const client = await freshOrganisation('PAST')
    const id = await organisationId(server, 'PAST')
    const make = async (name: string) => (await client.call(createEntity, { body: { entity: { name } } })).entity.id
    /** Moves entries after the sequence number to a given number of days ago. */
    const daysAgo = async (days: number) => {
      const at = new Date(Date.now() - days * day).toISOString()
      const db = server.context.store.of(id)
      const dated = db.updateTable('audit_entry').set({ at }).where('organisation_id', '=', id)
      await dated.where('sequence', '>', reported).execute()
      reported = (
        await db.selectFrom('audit_sequence').select('last').where('organisation_id', '=', id).executeTakeFirstOrThrow()
      ).last
    }
    let reported = 0
    const first = await make('First')
    await make('Second')
    await daysAgo(20)
    await client.call(createManifest, { body: { manifestName: 'Early', exclusiveEntities: ['Inner', 'Other'] } })
    await daysAgo(10)
    await client.call(deleteEntity, { params: { id: first } })
    await daysAgo(5)
    await make('Third')
    const { history, organisation } = await summary('PAST', { days: 22 })
    expect(organisation).toMatchObject({ totalEntities: 4, totalManifests: 1, totalPackages: 0 })
    expect(history).toHaveLength(22)
    expect(history.map(({ date }) => date)).toEqual(
      Array.from({ length: 22 }, (_, at) =>
        new Date(server.context.now() - (21 - at) * day).toISOString().slice(0, 10),
      ),
    )
    const counts = [
      ...Array(1).fill([0, 0]),
      ...Array(10).fill([2, 0]),
      ...Array(5).fill([4, 1]),
      ...Array(5).fill([3, 1]),
      [4, 1],
    ]
    expect(history.map(one => [one.entities, one.manifests])).toEqual(counts)
    expect(history.map(({ packages }) => packages)).toEqual(history.map(() => 0))
    expect((await summary('PAST', { days: 3 })).history).toEqual(history.slice(-3))
    expect((await summary('PAST')).history).toHaveLength(84)
  })

  it('the content of an organisation is summarised one request at a time, without delaying other organisations', async () => {
    await freshOrganisation('ASKED')
    const end = await server.context.summaries.begin(await organisationId(server))
    const waiting = summary('ACME')
    expect((await summary('ASKED')).organisation.code).toBe('ASKED')
    expect(await Promise.race([waiting, wait(300, 'waits')])).toBe('waits')
    end()
    expect((await waiting).organisation.code).toBe('ACME')
  })

  it('the history of an organisation is no longer computed when the caller disconnects', async () => {
    const id = await organisationId(server)
    const removed = new AbortController()
    const totals = { totalEntities: 1, totalManifests: 0, totalPackages: 0 }
    const { store: all, now } = server.context
    const reading = historyOf(all.of(id), id, totals, { days: 7, now: now(), signal: removed.signal })
    removed.abort(new Error('gone'))
    await expect(reading).rejects.toThrow('gone')
  })

  it('the history of an organisation counts imported entities and entities deleted with a manifest', async () => {
    const client = await freshOrganisation('BULK')
    const clinic = zipFolder(resolve(import.meta.dirname, '../../../../journeys/data/clinic'))
    const { manifest } = await client.call(importManifest, {
      files: { manifestFile: { name: 'clinic.zip', bytes: clinic } },
    })
    const now = async () => (await summary('BULK', { days: 2 })).history.map(one => [one.entities, one.manifests])
    expect(await now()).toEqual([
      [0, 0],
      [10, 3],
    ])
    await client.call(deleteManifest, { params: { id: manifest.id }, query: { onReferences: 'remove' } })
    const { organisation } = await summary('BULK')
    await expect.poll(now).toEqual([
      [0, 0],
      [organisation.totalEntities, organisation.totalManifests],
    ])
    expect(organisation.totalManifests).toBe(2)
  })

  it.each([{ days: 0 }, { days: 367 }, { days: -1 }, { days: 'all' }, { days: 1.5 }])(
    'rejects a history of %j',
    async query => {
      const answer = await admin.send(adminGetOrganisationSummary, { params: acme, query })
      expect(answer.status).toBe(400)
    },
  )

  it('lists its custom entities, with pages and search', holds('M7.89', 'M7.90'), async () => {
    const all = await entities({})
    expect(all).toMatchObject({ size: 1000, page: 0, result: 'OK', message: '', next: null })
    const own = await designer.call(listEntities, { query: { filter: 'PRIVATE' } })
    expect(all.entities).toEqual(own.entity)
    expect(all.totalElements).toBe(own.totalElements)
    const first = await entities({ limit: 1 })
    expect([first.entities, first.size]).toEqual([all.entities.slice(0, 1), 1])
    expect((await entities({ limit: 1, page: 1 })).entities).toEqual(all.entities.slice(1, 2))
    expect((await entities({ limit: 1, after: first.next ?? '' })).entities).toEqual(all.entities.slice(1, 2))
    const { name } = all.entities[3] ?? { name: '' }
    const match = await entities({ search: name.toUpperCase() })
    expect(match.entities.map(item => item.name)).toContain(name)
    expect(match.totalElements).toBeLessThan(all.totalElements)
  })

  it('lists its custom manifests, with pages, search and exclusion', holds('M7.91', 'M7.92', 'M7.93'), async () => {
    const all = await manifests({})
    expect(all).toMatchObject({ size: 1000, page: 0, result: 'OK', message: '', next: null })
    expect(all.manifests.map(({ name }) => name)).toEqual(expect.arrayContaining(['Shop', 'Catalogue']))
    expect(all.manifests).toEqual((await designer.call(listManifests, { query: { filter: 'PRIVATE' } })).manifests)
    expect((await manifests({ limit: 1 })).manifests).toEqual(all.manifests.slice(0, 1))
    expect((await manifests({ limit: 1, page: 1 })).manifests).toEqual(all.manifests.slice(1, 2))
    expect((await manifests({ search: 'SHO' })).manifests.map(({ name }) => name)).toEqual(['Shop'])
    const shop = all.manifests.find(({ name }) => name === 'Shop')
    const others = await manifests({ excludeManifest: shop?.id })
    expect(others.manifests).toEqual(all.manifests.filter(item => item !== shop))
    expect(others.totalElements).toBe(all.totalElements - 1)
  })

  it('the content of an organisation is 404 for an unknown organisation and forbidden to non-administrators', async () => {
    for (const call of [adminGetOrganisationSummary, adminListOrganisationEntities, adminListOrganisationManifests]) {
      for (const code of ['NOWHERE', '0', 'ACME%', '..'])
        expect((await admin.send(call, { params: { code } })).status).toBe(404)
      expect((await designer.send(call, { params: acme })).status).toBe(403)
      expect((await admin.send(call, { params: { code: 'x'.repeat(201) } })).status).toBe(400)
    }
    for (const query of [
      { limit: 0 },
      { limit: 1001 },
      { page: -1 },
      { search: 'x'.repeat(201) },
      { excludeManifest: 'x' },
    ])
      expect((await admin.send(adminListOrganisationManifests, { params: acme, query })).status).toBe(400)
  })
})
