import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { adminCreateManifest, adminReloadManifest } from '@cadmus/model/contract/admin-documents'
import { createEntity, getEntity } from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  createManifest,
  getManifest,
  listManifestLogs,
  listManifests,
} from '@cadmus/model/contract/manifest'
import { adminOrganisationHeader } from '@cadmus/model/contract/routes'
import { holds } from '@cadmus/testing/holds'
import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { manifestById, manifestContent } from '../store/manifest.ts'
import { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId } from '../testing/entities.ts'
import { signInStranger } from '../testing/unknown-user.ts'
import { writeLibrary } from '../testing/written-library.ts'

describeOnBothStores.whenProving("An administrator's manifest calls", store => {
  let server: TestConsole
  let designer: ConsoleClient
  let admin: ConsoleClient
  let folder: string
  beforeAll(async () => {
    folder = temporaryFolder('library')
    writeLibrary(folder, ['Gauge', 'Valve'])
    server = await startConsole({ store, env: { CADMUS_LIBRARY_DIR: folder } })
    designer = await server.as('designer')
    admin = await signInStranger(server, [{ oc: 'CADMUS', on: 'Cadmus', ng: 1 }], 'CADMUS', true)
  })
  afterAll(async () => {
    await server.stop()
    removeFolder(folder)
  })
  // Stays below the limit of fifty requests a second.
  beforeEach(() => server.advance(4000))

  const nameOf = () => `ByAdmin${++made}`
  let made = 0
  const create = (org: string, manifest: object = {}) => ({
    body: { org, manifest: { manifestName: nameOf(), ...manifest } },
  })

  /** Reads the import paths from the store, because calls return them only in an export. */
  const importsOf = async (id: number) => {
    const organisation = await organisationId(server)
    const db = server.context.store.of(organisation)
    const row = await manifestById(db, organisation, id)
    return row && (await manifestContent(db, row)).importsPath
  }

  it('create a manifest with all its parts in the named organisation', holds('M7.98', 'M3.77'), async () => {
    const { entity } = await designer.call(createEntity, { body: { entity: { name: 'Source' } } })
    const { manifest: sub } = await designer.call(createManifest, { body: { manifestName: 'Below' } })
    const requested = create('acme', {
      importsPath: '/core/base.manifest.cdm.json',
      entities: [entity.id],
      subManifests: [sub.id],
    })
    const { answer, etag } = await admin.callWithTag(adminCreateManifest, requested)
    const { manifestName: name } = requested.body.manifest
    expect(answer.manifest).toMatchObject({ name, path: `user-defined/${name}`, latestVersion: '1.0.0' })
    expect(answer.manifest.entityPaths).toMatchObject([{ name: 'Source', type: 'EXCLUSIVE' }])
    expect(answer.manifest.subManifestPaths.map(({ id }) => id)).toEqual([sub.id])
    const params = { id: answer.manifest.id }
    expect(await designer.callWithTag(getManifest, { params })).toEqual({ answer, etag })
    expect(await importsOf(params.id)).toEqual(['/core/base.manifest.cdm.json'])
    const { manifestLogs } = await designer.call(listManifestLogs, { query: { limit: 1 } })
    expect(manifestLogs[0]).toMatchObject({ ENTITY_NAME: name, ACTION_TYPE: 'CREATE', USER_NAME: 'Sid Stranger' })
    expect((await admin.call(listManifests, { query: { search: name } })).manifests).toEqual([])
    expect((await admin.call(listManifestLogs, {})).manifestLogs.filter(one => one.ENTITY_NAME === name)).toEqual([])
  })

  it(
    'create nothing in unknown organisations, for other users, or with unknown parts',
    holds('M5.3', 'M5.4', 'M5.6'),
    async () => {
      const refusal = async (input: ReturnType<typeof create>, client = admin) =>
        (await client.refusal(adminCreateManifest, input)).status
      expect(await refusal(create('ACME'), designer)).toBe(403)
      expect(await refusal(create('NOWHERE'))).toBe(404)
      expect(await refusal(create(''))).toBe(404)
      expect(await refusal(create('x'.repeat(201)))).toBe(400)
      for (const manifestName of ['', 'a', 'x'.repeat(51), 'my-name', 'my__name'])
        expect(await refusal(create('ACME', { manifestName }))).toBe(400)
      const own = (await admin.call(createEntity, { body: { entity: { name: nameOf() } } })).entity
      const ownManifest = (await admin.call(createManifest, { body: { manifestName: nameOf() } })).manifest
      expect(await refusal(create('ACME', { entities: [own.id] }))).toBe(404)
      expect(await refusal(create('ACME', { subManifests: [ownManifest.id] }))).toBe(404)
      expect(await refusal(create('ACME', { entities: [987_654_321] }))).toBe(404)
      const twice = create('ACME')
      await admin.call(adminCreateManifest, twice)
      const { status, answer } = await admin.refusal(adminCreateManifest, twice)
      expect([status, answer.message]).toEqual([
        400,
        `A manifest with the name "${twice.body.manifest.manifestName}" already exists.`,
      ])
      const form = { ...create('ACME'), headers: { origin: 'https://evil.example' } }
      expect(await refusal(form)).toBe(403)
    },
  )

  it('use the licence limits of the named organisation', async () => {
    const { shared } = server.context.store
    const licence = (code: string, limits: string) =>
      shared.updateTable('organisation').set({ licence_limits: limits }).where('code', '=', code).execute()
    await licence('GLOBEX', 'mc=1|rs=1|gqls=1|db=mysql')
    await admin.call(adminCreateManifest, create('GLOBEX'))
    const { status, answer } = await admin.refusal(adminCreateManifest, create('GLOBEX'))
    expect([status, answer.code]).toEqual([403, 'manifest_limit'])
    await licence('GLOBEX', 'mc=2|rs=1|gqls=1|db=mysql')
    await licence('CADMUS', 'mc=0|rs=1|gqls=1|db=mysql')
    await admin.call(adminCreateManifest, create('GLOBEX'))
    await licence('CADMUS', 'mc=50|rs=1|gqls=1|db=mysql')
  })

  it("an administrator's manifest calls are limited to the organisation of the header", async () => {
    const headers = { [adminOrganisationHeader]: 'ACME' }
    const there = new ConsoleClient(admin.browser, admin.userId, undefined, headers)
    expect(await there.refusal(adminCreateManifest, create('GLOBEX'))).toMatchObject({
      status: 403,
      answer: { code: 'foreign_organisation', message: 'This request is for another organisation.' },
    })
    await there.call(adminCreateManifest, create('ACME'))
  })

  it('reload predefined manifests from the library and reject custom ones', holds('M7.84'), async () => {
    const { manifests } = await admin.call(listManifests, { query: { filter: 'DEFAULT', search: 'plant' } })
    const params = { id: manifests[0]?.id ?? 0 }
    const before = await admin.callWithTag(getManifest, { params })
    expect(await admin.callWithTag(adminReloadManifest, { params })).toEqual(before)
    expect((await designer.refusal(adminReloadManifest, { params })).status).toBe(403)
    const { manifest: own } = await admin.call(createManifest, { body: { manifestName: nameOf() } })
    const refusal = await admin.refusal(adminReloadManifest, { params: { id: own.id } })
    expect([refusal.status, refusal.answer.message]).toEqual([
      403,
      'Only predefined manifests can be reloaded from the library.',
    ])
    const removed = await admin.refusal(adminReloadManifest, { params: { id: 987_654_321 } })
    expect(removed.status).toBe(404)
  })

  it(
    'load changes of the library folder with the same ids and uids, and keep referenced objects',
    holds('M7.84'),
    async () => {
      const { manifests } = await admin.call(listManifests, { query: { filter: 'DEFAULT', search: 'plant' } })
      const params = { id: manifests[0]?.id ?? 0 }
      const { manifest: before } = await admin.call(getManifest, { params })
      const idOf = (name: string) => before.entityPaths.find(item => item.name === name)?.id ?? 0
      const [gauge, valve] = [idOf('Gauge'), idOf('Valve')]
      const { entity } = await designer.call(getEntity, { params: { id: gauge } })
      const { manifest: holder } = await designer.call(createManifest, { body: { manifestName: nameOf() } })
      const there = new ConsoleClient(admin.browser, admin.userId, undefined, { [adminOrganisationHeader]: 'ACME' })
      const member = { params: { id: holder.id }, body: { entityIds: [valve], type: 'TEMPLATE' } }
      await there.call(addEntitiesToManifest, member)
      writeLibrary(folder, ['Gauge', 'Pump'])
      const { manifest: after } = await there.call(adminReloadManifest, { params })
      expect(after).toMatchObject({ id: before.id, uid: before.uid })
      expect(after.entityPaths.map(({ name }) => name)).toEqual(['Gauge', 'Pump'])
      expect(after.entityPaths[0]?.id).toBe(gauge)
      expect((await designer.call(getEntity, { params: { id: gauge } })).entity).toEqual(entity)
      const { manifest: held } = await designer.call(getManifest, { params: { id: holder.id } })
      expect(held.entityPaths.map(({ id, name }) => [id, name])).toEqual([[valve, 'Valve']])
      const { manifestLogs } = await designer.call(listManifestLogs, { query: { limit: 1 } })
      expect(manifestLogs[0]).toMatchObject({
        DESCRIPTION: 'Reloaded manifest plant from the library.',
        ENTITY_NAME: 'plant',
        USER_NAME: 'Sid Stranger',
      })
    },
  )
})
