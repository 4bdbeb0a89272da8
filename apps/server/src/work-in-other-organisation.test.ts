import { adminCreateEntity, adminUpdateEntityContent } from '@cadmus/model/contract/admin-documents'
import { adminGetOrganisation } from '@cadmus/model/contract/admin-organisation'
import {
  addEntityVersion,
  createEntity,
  getEntity,
  getEntityVersionContent,
  listEntities,
  listEntityLogs,
  listEntityVersions,
  updateEntity,
} from '@cadmus/model/contract/entity'
import {
  addEntitiesToManifest,
  createManifest,
  getManifest,
  getManifestConfiguration,
  listManifestLogs,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import {
  cancelImport,
  downloadImportReport,
  exportManifest,
  getImportProgress,
  importManifest,
} from '@cadmus/model/contract/manifest-transfer'
import { adminOrganisationHeader, organisationHeader } from '@cadmus/model/contract/routes'
import { holds } from '@cadmus/testing/holds'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { cookieNames } from './auth/session.ts'
import { ConsoleClient } from './testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from './testing/console.ts'
import { saveBody } from './testing/entities.ts'
import { scriptOf } from './testing/personal-tokens.ts'
import { signInStranger } from './testing/unknown-user.ts'
import { zipFolder } from './testing/zip-folder.ts'

const clinic = zipFolder(resolve(import.meta.dirname, '../../../journeys/data/clinic'))

describeOnBothStores.whenProving('Work of an administrator in another organisation', store => {
  let server: TestConsole
  let designer: ConsoleClient
  /** A member of CADMUS only. */
  let admin: ConsoleClient
  let inAcme: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
    admin = await signInStranger(server, [{ oc: 'CADMUS', on: 'Cadmus', ng: 1 }], 'CADMUS', true)
    inAcme = elsewhere('ACME')
  })
  afterAll(() => server.stop())
  // Stays below the limit of fifty requests a second.
  beforeEach(() => server.advance(4000))

  const elsewhere = (code: string) =>
    new ConsoleClient(admin.browser, admin.userId, undefined, { [adminOrganisationHeader]: code })
  const nameOf = () => `Elsewhere${++made}`
  let made = 0
  const create = async (client: ConsoleClient, name = nameOf()) =>
    (await client.call(createEntity, { body: { entity: { name } } })).entity

  it(
    "work of an administrator in another organisation is stored and logged there under the administrator's name, and not in their own organisation",
    holds('M1.21'),
    async () => {
      const { id, name } = await create(designer)
      const { answer, etag } = await inAcme.callWithTag(getEntity, { params: { id } })
      const body = saveBody(answer.entity, { description: 'Written by an administrator.' })
      await inAcme.call(updateEntity, { params: { id }, body, ifMatch: etag })
      const { entity } = await designer.call(getEntity, { params: { id } })
      expect(entity.description).toBe('Written by an administrator.')
      const { entityLogs } = await designer.call(listEntityLogs, { query: { limit: 1 } })
      expect(entityLogs[0]).toMatchObject({
        ENTITY_NAME: name,
        ACTION_TYPE: 'UPDATE',
        USER_NAME: 'Sid Stranger',
        USER_EMAIL: 'stranger@example.com',
      })
      expect(await admin.refusal(getEntity, { params: { id } })).toMatchObject({ status: 404 })
      expect((await admin.call(listEntities, { query: { search: name } })).entity).toEqual([])
      const own = await admin.call(listEntityLogs, {})
      expect(own.entityLogs.filter(entry => entry.ENTITY_NAME === name)).toEqual([])
    },
  )

  it('requires a base and reports concurrent saves, as elsewhere', async () => {
    const { id } = await create(designer)
    const { answer, etag } = await inAcme.callWithTag(getEntity, { params: { id } })
    const save = (client: ConsoleClient, description: string) => ({
      params: { id },
      body: saveBody(answer.entity, { description }),
      ...(client === inAcme ? {} : { ifMatch: etag }),
    })
    expect((await inAcme.refusal(updateEntity, save(inAcme, 'mine'))).status).toBe(428)
    await designer.call(updateEntity, save(designer, 'theirs'))
    const refusal = await inAcme.refusal(updateEntity, { ...save(inAcme, 'mine'), ifMatch: etag })
    expect(refusal).toMatchObject({ status: 409, answer: { conflicts: [{ mine: 'mine', theirs: 'theirs' }] } })
  })

  it('accepts the code in any case, like the header naming an organisation of the user', async () => {
    const { id } = await create(designer)
    for (const code of ['acme', 'Acme', ' ACME '])
      expect((await elsewhere(code).call(getEntity, { params: { id } })).entity.id).toBe(id)
  })

  it('takes precedence over an organisation of the user if both are named', async () => {
    const both = new ConsoleClient(admin.browser, admin.userId, 'CADMUS', { [adminOrganisationHeader]: 'ACME' })
    const { id } = await create(both)
    expect((await designer.call(getEntity, { params: { id } })).entity.id).toBe(id)
    expect((await admin.refusal(getEntity, { params: { id } })).status).toBe(404)
  })

  it('a request with a repeated organisation header is rejected', async () => {
    const ask = (header: string, codes: string[]) =>
      new Promise<number>((done, failed) => {
        const cookie = `${cookieNames.session}=${admin.browser.cookies.get(cookieNames.session)?.value ?? ''}`
        const headers = { cookie, [organisationHeader]: 'CADMUS', [header]: codes }
        const sent = request(new URL('/1.0/cdm/entity?limit=1', server.url), { headers }, answer => {
          answer.resume()
          done(answer.statusCode ?? 0)
        })
        sent.once('error', failed)
        sent.end()
      })
    expect(await ask(adminOrganisationHeader, ['ACME'])).toBe(200)
    expect(await ask(adminOrganisationHeader, ['ACME', 'GLOBEX'])).toBe(400)
    expect(await ask(adminOrganisationHeader, ['ACME', 'ACME'])).toBe(400)
    expect(await ask(organisationHeader, ['CADMUS', 'ACME'])).toBe(400)
  })

  it('requires a header that forms of other sites cannot send, and rejects pages of other sites', async () => {
    const name = nameOf()
    const input = { body: { entity: { name } } }
    const bare = new ConsoleClient(admin.browser, admin.userId, undefined)
    expect(await bare.refusal(createEntity, input)).toMatchObject({ status: 403, answer: { code: 'header_missing' } })
    const foreign = { ...input, headers: { origin: 'https://evil.example' } }
    expect(await inAcme.refusal(createEntity, foreign)).toMatchObject({ answer: { code: 'foreign_origin' } })
    expect((await designer.call(listEntities, { query: { search: name } })).entity).toEqual([])
  })

  it('ends when the administrator permission is revoked', async () => {
    const former = await signInStranger(server, [{ oc: 'CADMUS', on: 'Cadmus', ng: 1 }], 'CADMUS', true)
    const there = new ConsoleClient(former.browser, former.userId, undefined, { [adminOrganisationHeader]: 'ACME' })
    await there.call(listEntities, { query: { limit: 1 } })
    await server.context.store.shared
      .updateTable('session')
      .set({ is_admin: 0 })
      .where('user_id', '=', former.userId)
      .execute()
    expect((await there.refusal(listEntities, { query: { limit: 1 } })).status).toBe(403)
  })

  it('reaches no third organisation, not even through administrator calls', async () => {
    const globex = server.bootstrap('GLOBEX')
    const theirs = await create(globex)
    const { totalElements: entries } = await globex.call(listEntityLogs, {})
    const { manifest } = await inAcme.call(createManifest, { body: { manifestName: nameOf() } })
    expect((await inAcme.refusal(getEntity, { params: { id: theirs.id } })).status).toBe(404)
    const added = { params: { id: manifest.id }, body: { entityIds: [theirs.id], type: 'TEMPLATE' } }
    expect((await inAcme.refusal(addEntitiesToManifest, added)).status).toBe(404)
    const extending = { entity: { name: nameOf(), extendsEntity: { id: theirs.id } } }
    expect((await inAcme.refusal(createEntity, { body: extending })).status).toBe(400)
    const content = { body: { id: theirs.id, content: theirs.content }, ifMatch: '*' }
    expect((await inAcme.refusal(adminUpdateEntityContent, content)).status).toBe(404)
    const body = { org: 'GLOBEX', entity: { name: nameOf() } }
    expect(await inAcme.refusal(adminCreateEntity, { body })).toMatchObject({
      status: 403,
      answer: { code: 'foreign_organisation' },
    })
    await inAcme.call(adminCreateEntity, { body: { ...body, org: 'acme' } })
    const { entity } = await globex.call(getEntity, { params: { id: theirs.id } })
    expect(entity).toEqual(theirs)
    expect((await globex.call(listEntityLogs, {})).totalElements).toBe(entries)
  })

  it('adds entities in place, and reads and adds versions', holds('M7.104'), async () => {
    const entity = await create(designer)
    const { manifest } = await designer.call(createManifest, { body: { manifestName: nameOf() } })
    const params = { id: manifest.id }
    const input = { params, body: { entityIds: [entity.id], type: 'TEMPLATE' } }
    expect((await designer.refusal(addEntitiesToManifest, input)).status).toBe(403)
    await inAcme.call(addEntitiesToManifest, input)
    const { entityPaths } = (await designer.call(getManifest, { params })).manifest
    expect(entityPaths).toEqual([{ id: entity.id, name: entity.name, path: entity.path, type: 'TEMPLATE' }])
    const { manifestLogs } = await designer.call(listManifestLogs, { query: { limit: 1 } })
    expect(manifestLogs[0]).toMatchObject({ USER_NAME: 'Sid Stranger', ENTITY_NAME: manifest.name })
    await inAcme.call(addEntityVersion, { params: { id: entity.id }, query: { version: '2.0.0' } })
    const { entityVersions } = await inAcme.call(listEntityVersions, { params: { id: entity.id } })
    expect(entityVersions.map(({ VERSION }) => VERSION)).toEqual(['2.0.0', '1.0.0'])
    const query = { version: '1.0.0' }
    const frozen = await inAcme.call(getEntityVersionContent, { params: { id: entity.id }, query })
    expect(JSON.parse(frozen.entity.CONTENT)).toMatchObject({ uid: entity.uid, name: entity.name })
    expect((await admin.refusal(listEntityVersions, { params: { id: entity.id } })).status).toBe(404)
  })

  it('uses the licence limits and service options of that organisation', async () => {
    const { shared } = server.context.store
    const licence = (limits: string) =>
      shared.updateTable('organisation').set({ licence_limits: limits }).where('code', '=', 'GLOBEX').execute()
    const inGlobex = elsewhere('GLOBEX')
    await licence('mc=1|rs=1|gqls=1|db=oracle')
    const { manifest } = await inGlobex.call(createManifest, {
      body: { manifestName: nameOf(), exclusiveEntities: ['Only'] },
    })
    const refusal = await inGlobex.refusal(createManifest, { body: { manifestName: nameOf() } })
    expect(refusal.answer.message).toBe('Manifest limit of 1 reached. There is 1 now; 1 more was requested.')
    const params = { id: manifest.id }
    const mysql = await inGlobex.refusal(exportManifest, { params, body: { databaseType: 'mysql' } })
    expect(mysql.status).toBe(403)
    const { fileName } = await inGlobex.download(exportManifest, { params, body: {} })
    expect(fileName).toBe(`${manifest.name}-oracle.zip`)
    const service = { applyMultiTenancy: true, applyCustomField: true, applySot: true, sotEntities: [] }
    const body = { configurationBuild: { serviceConfiguration: service } }
    const rejectionOf = await inGlobex.refusal(saveManifestConfiguration, { params, body, ifMatch: '*' })
    expect([rejectionOf.status, rejectionOf.answer.message]).toEqual([
      403,
      'Service options cannot be set in this organisation.',
    ])
    const { organisation } = await admin.call(adminGetOrganisation, { params: { code: 'GLOBEX' } })
    expect(organisation).toMatchObject({ serviceOptions: false, licence: { databaseTypes: ['oracle'] } })
    expect((await admin.call(adminGetOrganisation, { params: { code: 'CADMUS' } })).organisation.serviceOptions).toBe(
      true,
    )
    // The service organisation also grants them to an administrator from outside.
    const outsider = await signInStranger(server, [{ oc: 'GLOBEX', on: 'Globex', ng: 1 }], 'GLOBEX', true)
    const inService = new ConsoleClient(outsider.browser, outsider.userId, 'GLOBEX', {
      [adminOrganisationHeader]: 'CADMUS',
    })
    const own = (await inService.call(createManifest, { body: { manifestName: nameOf() } })).manifest
    await inService.call(saveManifestConfiguration, { params: { id: own.id }, body, ifMatch: '*' })
    const { manifestProperties } = await admin.call(getManifestConfiguration, { params: { id: own.id } })
    expect(manifestProperties.configurationBuild.serviceConfiguration).toEqual(service)
  })

  it('imports there only, with progress, cancellation and report', async () => {
    const key = randomUUID()
    const form = { query: { key }, files: { manifestFile: { name: 'clinic.zip', bytes: clinic } } }
    const { manifest } = await inAcme.call(importManifest, form)
    expect((await designer.call(getManifest, { params: { id: manifest.id } })).manifest.name).toBe('clinic')
    const params = { key }
    expect(await inAcme.call(getImportProgress, { params })).toMatchObject({ state: 'done' })
    const report = await inAcme.download(downloadImportReport, { params })
    expect(Buffer.from(report.bytes).toString()).toContain('Severity')
    expect((await admin.refusal(getImportProgress, { params })).status).toBe(404)
    expect((await admin.refusal(downloadImportReport, { params })).status).toBe(404)
    expect((await elsewhere('GLOBEX').refusal(getImportProgress, { params })).status).toBe(404)
    const second = randomUUID()
    const running = inAcme.send(importManifest, { ...form, query: { key: second } })
    await expect
      .poll(() => inAcme.send(getImportProgress, { params: { key: second } }).then(({ status }) => status))
      .toBe(200)
    expect((await admin.refusal(cancelImport, { params: { key: second } })).status).toBe(404)
    const cancelled = await inAcme.send(cancelImport, { params: { key: second } })
    // The import may have ended before the cancellation.
    expect([cancelled.status, (await running).status]).toEqual(cancelled.ok ? [200, 409] : [404, 200])
  })

  it("work of an administrator in another organisation is distinguishable from the administrator's script in its own organisation", async () => {
    const { script } = await scriptOf(admin, { name: 'Nightly', isAdmin: true })
    const name = nameOf()
    const named = { body: { entity: { name } }, headers: { [adminOrganisationHeader]: 'CADMUS' } }
    await script.call(createEntity, named)
    const { entityLogs } = await admin.call(listEntityLogs, { query: { limit: 1 } })
    expect(entityLogs[0]).toMatchObject({ ENTITY_NAME: name, USER_NAME: 'Sid Stranger (token Nightly)' })
  })
})
