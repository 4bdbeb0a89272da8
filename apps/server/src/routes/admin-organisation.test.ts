import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  adminCreateOrganisation,
  adminGetOrganisation,
  adminListOrganisationLogs,
  adminListOrganisations,
  adminUpdateOrganisation,
} from '@cadmus/model/contract/admin-organisation'
import { createEntity, listEntityLogs } from '@cadmus/model/contract/entity'
import { createManifest, listManifestLogs } from '@cadmus/model/contract/manifest'
import { signInHeader } from '@cadmus/model/contract/routes'
import { holds } from '@cadmus/testing/holds'
import { organisationByCode, upsertOrganisation } from '../store/organisation.ts'
import { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('Administration of organisations', store => {
  let server: TestConsole
  let admin: ConsoleClient
  let bootstrap: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    admin = await server.as('admin')
    bootstrap = server.bootstrap('CADMUS')
  })
  afterAll(() => server.stop())
  // Stays below the limit of fifty requests a second.
  beforeEach(() => server.advance(4000))

  const create = (code: string, name = `Organisation ${code}`) =>
    admin.callWithTag(adminCreateOrganisation, { body: { code, name } })
  const get = (code: string) => admin.callWithTag(adminGetOrganisation, { params: { code } })
  const logsOf = async (code: string) =>
    (await admin.call(adminListOrganisationLogs, { params: { code } })).organisationLogs

  it(
    'lists organisations by name in pages, with the counts of their own objects',
    holds('M7.86', 'M7.87'),
    async () => {
      const all = await admin.call(adminListOrganisations, {})
      expect(all).toMatchObject({ totalElements: 3, size: 1000, page: 0, result: 'OK', message: '' })
      expect(all.organisations.map(({ code, name }) => [code, name])).toEqual([
        ['ACME', 'Acme Trading'],
        ['CADMUS', 'Cadmus'],
        ['GLOBEX', 'Globex'],
      ])
      const acme = all.organisations[0]
      const designer = await server.as('designer')
      const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Counted' } } })
      await designer.call(createManifest, { body: { manifestName: 'CountedToo', entities: [entity.id] } })
      const after = (await get('acme')).answer.organisation
      // The manifest contains its own copy.
      expect(after.totalEntities).toBe((acme?.totalEntities ?? 0) + 2)
      expect(after.totalManifests).toBe((acme?.totalManifests ?? 0) + 1)
      expect(after.totalPackages).toBe(0)
      const second = await admin.call(adminListOrganisations, { query: { limit: 1, page: 1 } })
      expect(second.organisations.map(({ code }) => code)).toEqual(['CADMUS'])
      const behind = await admin.call(adminListOrganisations, { query: { limit: 1, after: second.next ?? '' } })
      expect(behind.organisations.map(({ code }) => code)).toEqual(['GLOBEX'])
    },
  )

  it('finds organisations by a part of name or code, case-insensitively', holds('M7.87'), async () => {
    const match = async (search: string) =>
      (await admin.call(adminListOrganisations, { query: { search } })).organisations.map(({ code }) => code)
    expect(await match('TRAD')).toEqual(['ACME'])
    expect(await match('glo')).toEqual(['GLOBEX'])
    expect(await match('a%')).toEqual([])
  })

  it('creates an organisation with the default licence and no members, and logs the author', async () => {
    const { answer, etag } = await create('NEW_1', 'Neue Söhne')
    expect(answer.organisation).toMatchObject({
      code: 'NEW_1',
      name: 'Neue Söhne',
      licenceLimits: 'mc=50|rs=1|gqls=1|db=mysql~hsql~oracle~postgresql~mssql',
      totalEntities: 0,
      totalManifests: 0,
      totalMembers: 0,
      totalSubscriptions: 0,
      namedByProvider: false,
    })
    expect(etag).toBe((await get('new_1')).etag)
    const [entry] = await logsOf('NEW_1')
    expect(entry).toMatchObject({
      USER_NAME: 'Ada Admin',
      ACTION_TYPE: 'CREATE',
      DESCRIPTION: 'Created organisation NEW_1.',
    })
    // A new organisation works like any other.
    const made = await server.bootstrap('NEW_1').call(createEntity, { body: { entity: { name: 'First' } } })
    expect(made.entity.name).toBe('First')
  })

  it('requires a valid code that is unique, case-insensitively', async () => {
    await create('TWICE')
    const again = await admin.refusal(adminCreateOrganisation, { body: { code: 'TWICE', name: 'Two' } })
    expect(again).toMatchObject({
      status: 409,
      answer: { errors: [{ path: 'code', message: 'An organisation with the code "TWICE" already exists.' }] },
    })
    await upsertOrganisation(server.context.store.shared, {
      id: 99_999_999,
      code: 'mixed',
      name: 'M',
      licenceLimits: '',
    })
    expect((await admin.refusal(adminCreateOrganisation, { body: { code: 'MIXED', name: 'Two' } })).status).toBe(409)
    for (const [code, name, path, message] of [
      ['low', 'Fine', 'code', "this must contain only upper-case letters, digits, '_' and '-'."],
      ['X', 'Fine', 'code', 'this must be 2 to 50 characters long.'],
      ['FINE', ' Fine', 'name', 'this must not begin or end with a space.'],
      ['FINE', 'Fi\u202Ene', 'name', '"Fi‹U+202E›ne" contains invisible characters.'],
      ['FINE', '', 'name', 'this is a required field'],
    ] as const) {
      const refusal = await admin.refusal(adminCreateOrganisation, { body: { code, name } })
      expect(refusal.status).toBe(400)
      expect(refusal.answer.errors?.[0]).toEqual({ path, message })
    }
    expect((await admin.refusal(adminGetOrganisation, { params: { code: 'FINE' } })).status).toBe(404)
    expect((await admin.refusal(adminGetOrganisation, { params: { code: 'A\u0000' } })).status).toBe(400)
  })

  it('creates an organisation once for two concurrent requests with the same code', async () => {
    const both = await Promise.all(
      [admin, bootstrap].map(client => client.send(adminCreateOrganisation, { body: { code: 'RACE', name: 'Race' } })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await logsOf('RACE')).length).toBe(1)
  })

  it('renames an organisation and keeps its content', async () => {
    const { etag } = await create('NAMED', 'Before')
    const input = { params: { code: 'NAMED' }, body: { name: 'After' } }
    expect((await admin.refusal(adminUpdateOrganisation, input)).status).toBe(428)
    const renamed = await admin.callWithTag(adminUpdateOrganisation, { ...input, ifMatch: etag })
    expect(renamed.answer.organisation).toMatchObject({ code: 'NAMED', name: 'After' })
    expect(renamed.etag).not.toBe(etag)
    expect((await logsOf('NAMED')).map(entry => entry.DESCRIPTION)).toEqual([
      'Renamed organisation NAMED from Before to After.',
      'Created organisation NAMED.',
    ])
    const match = await admin.call(adminListOrganisations, { query: { search: 'aFTER' } })
    expect(match.organisations.map(({ code }) => code)).toEqual(['NAMED'])
  })

  it('a save of licence limits keeps unknown parts of the licence', async () => {
    const { store: stored } = server.context
    await create('SPECIAL')
    const row = await organisationByCode(stored.shared, 'SPECIAL')
    const licence_limits = 'seats=9|mc=3|rs=1|gqls=1|db=DB2~psql~mysql'
    await stored.shared
      .updateTable('organisation')
      .set({ licence_limits })
      .where('id', '=', row?.id ?? 0)
      .execute()
    const { answer, etag } = await get('SPECIAL')
    expect(answer.organisation.licence).toEqual({
      manifestLimit: 3,
      rest: true,
      graphql: true,
      databaseTypes: ['postgresql', 'mysql'],
    })
    const licence = {
      manifestLimit: 4,
      rest: false,
      graphql: true,
      databaseTypes: ['mysql' as const, 'oracle' as const],
    }
    const params = { code: 'SPECIAL' }
    const saved = await admin.call(adminUpdateOrganisation, { params, body: { licence }, ifMatch: etag })
    expect(saved.organisation.licenceLimits).toBe('seats=9|mc=4|rs=0|gqls=1|db=mysql~oracle~DB2')
    expect(saved.organisation.licence).toEqual(licence)
    expect((await logsOf('SPECIAL'))[0]?.DESCRIPTION).toBe(
      'Changed the licence limits of organisation SPECIAL: manifest limit from 3 to 4; REST API no longer included; database types from PostgreSQL, MySQL to MySQL, Oracle.',
    )
  })

  it('validates licence limits per field and applies them to the next request', async () => {
    const { answer, etag } = await create('LICENSED')
    const licence = answer.organisation.licence
    const params = { code: 'LICENSED' }
    for (const [wrong, path] of [
      [{ manifestLimit: -1 }, 'licence.manifestLimit'],
      [{ manifestLimit: 1.5 }, 'licence.manifestLimit'],
      [{ manifestLimit: 1_000_001 }, 'licence.manifestLimit'],
      [{ manifestLimit: '5' }, 'licence.manifestLimit'],
      [{ rest: 1 }, 'licence.rest'],
      [{ databaseTypes: [] }, 'licence.databaseTypes'],
      [{ databaseTypes: ['mysql', 'mysql'] }, 'licence.databaseTypes'],
      [{ databaseTypes: ['db2'] }, 'licence.databaseTypes.0'],
    ] as const) {
      const body = { licence: { ...licence, ...wrong } }
      const answered = await admin.send(adminUpdateOrganisation, { params, body, ifMatch: etag })
      expect(answered.status).toBe(400)
      expect(JSON.stringify(await answered.json())).toContain(`"path":"${path}"`)
    }
    const none = { licence: { ...licence, manifestLimit: 0 } }
    await admin.call(adminUpdateOrganisation, { params, body: none, ifMatch: etag })
    const refusal = await server
      .bootstrap('LICENSED')
      .refusal(createManifest, { body: { manifestName: 'Beyond', entities: [] } })
    expect(refusal.answer.message).toContain('Manifest limit of 0 reached.')
  })

  it('merges concurrent changes and reports conflicting fields', async () => {
    const { answer, etag } = await create('SHARED', 'Shared')
    const { licence } = answer.organisation
    const params = { code: 'SHARED' }
    const update = { params, ifMatch: etag }
    await bootstrap.call(adminUpdateOrganisation, { ...update, body: { licence: { ...licence, manifestLimit: 7 } } })
    // Another field of the same licence, and the name: both are kept.
    const merged = await admin.call(adminUpdateOrganisation, {
      ...update,
      body: { name: 'Ours', licence: { ...licence, rest: false } },
    })
    expect(merged.organisation).toMatchObject({ name: 'Ours', licence: { manifestLimit: 7, rest: false } })
    const stale = await admin.refusal(adminUpdateOrganisation, {
      ...update,
      body: { licence: { ...licence, manifestLimit: 9 } },
    })
    expect(stale.status).toBe(409)
    expect(stale.answer.conflicts).toEqual([
      // The author of the conflicting change, not of a later one.
      expect.objectContaining({ field: 'manifestLimit', mine: 9, theirs: 7, who: 'bootstrap' }),
    ])
    const existing = (stale.answer.etag ?? '').replaceAll('"', '')
    expect(existing).toBe((await get('SHARED')).etag)
    // Omitted fields keep the other user's values.
    const body = { licence: { manifestLimit: 9 } }
    const saved = await admin.call(adminUpdateOrganisation, { params, body, ifMatch: existing })
    expect(saved.organisation.licence).toMatchObject({ manifestLimit: 9, rest: false })
  })

  it('reads only as much of the log as needed to name the author of a change', async () => {
    const { answer, etag } = await create('LOGGED')
    const { licence, id } = answer.organisation
    const params = { code: 'LOGGED' }
    const limited = (manifestLimit: number) => ({ licence: { ...licence, manifestLimit } })
    await bootstrap.call(adminUpdateOrganisation, { params, body: limited(7), ifMatch: etag })
    // Reading further fails.
    const log = server.context.store.of(id).updateTable('audit_entry').set({ restoration: 'unreadable' })
    await log.where('organisation_id', '=', id).where('action_type', '=', 'CREATE').execute()
    const { status, answer: refused } = await admin.refusal(adminUpdateOrganisation, {
      params,
      body: limited(9),
      ifMatch: etag,
    })
    expect(status).toBe(409)
    expect(refused.conflicts).toEqual([expect.objectContaining({ field: 'manifestLimit', who: 'bootstrap' })])
  })

  it('loses no change of many concurrent ones', async () => {
    const { answer, etag } = await create('CROWD')
    const { licence } = answer.organisation
    const params = { code: 'CROWD' }
    const bodies = [
      { name: 'Crowded' },
      { licence: { ...licence, manifestLimit: 1 } },
      { licence: { ...licence, rest: false } },
      { licence: { ...licence, graphql: false } },
      { licence: { ...licence, databaseTypes: ['oracle' as const] } },
    ]
    await Promise.all(bodies.map(body => admin.call(adminUpdateOrganisation, { params, body, ifMatch: etag })))
    expect((await get('CROWD')).answer.organisation).toMatchObject({
      name: 'Crowded',
      licenceLimits: 'mc=1|rs=0|gqls=0|db=oracle',
    })
    expect((await logsOf('CROWD')).length).toBe(6)
  })

  it('the log of an organisation is separate from the logs of its entities and manifests', async () => {
    const designer = await server.as('designer')
    const logs = async () => [
      (await designer.call(listEntityLogs, {})).totalElements,
      (await designer.call(listManifestLogs, {})).totalElements,
    ]
    const before = await logs()
    const params = { code: 'ACME' }
    await admin.call(adminUpdateOrganisation, { params, body: { name: 'Acme & Co' }, ifMatch: '*' })
    await designer.call(createEntity, { body: { entity: { name: 'AfterRenaming' } } })
    expect(await logs()).toEqual([(before[0] ?? 0) + 1, before[1]])
    const filtered = { params, query: { userName: 'ada', limit: 1 } }
    const match = await admin.call(adminListOrganisationLogs, filtered)
    expect(match.organisationLogs[0]).toMatchObject({
      ENTITY_NAME: 'Acme & Co',
      PATH: 'ACME',
      CONTENT_KIND: 'organisation',
      USER_EMAIL: 'admin@example.com',
    })
    await admin.call(adminUpdateOrganisation, { params, body: { name: 'Acme Trading' }, ifMatch: '*' })
  })

  it('lets the built-in administrator set up an empty console', async () => {
    const nowhere = new ConsoleClient(bootstrap.browser, 'bootstrap', undefined, {
      authorization: 'Bearer bootstrap-token-of-the-tests-0123456789',
      [signInHeader]: '1',
    })
    await nowhere.call(adminCreateOrganisation, { body: { code: 'SCRIPTED', name: 'By a script' } })
    expect((await logsOf('SCRIPTED'))[0]?.USER_NAME).toBe('bootstrap')
  })
})
