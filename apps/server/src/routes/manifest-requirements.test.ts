import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readArchive } from '@cadmus/formats/archive'
import { withoutSecrets } from '@cadmus/model/configuration'
import {
  adminCreateEntity,
  adminUpdateEntityContent,
  adminValidateEntityContent,
} from '@cadmus/model/contract/admin-documents'
import type { Call } from '@cadmus/model/contract/call'
import {
  createEntity,
  createEntityByWizard,
  getEntity,
  importEntity,
  listEntities,
} from '@cadmus/model/contract/entity'
import {
  addManifestVersion,
  createManifest,
  createManifestByWizard,
  getManifest,
  getManifestConfiguration,
  listManifests,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { exportManifest, importManifest } from '@cadmus/model/contract/manifest-transfer'
import { buildManifest } from '@cadmus/model/contract/package'
import { holds } from '@cadmus/testing/holds'
import { manifestById, manifestContent } from '../store/manifest.ts'
import { type CallArguments, ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { addManifest, organisationId } from '../testing/entities.ts'
import { zipFolder } from '../testing/zip-folder.ts'

type WizardBody = CallArguments<typeof createManifestByWizard>['body']
const clinic = zipFolder(resolve(import.meta.dirname, '../../../../journeys/data/clinic'))

describeOnBothStores.whenProving('The manifest record, its creation and the calls of the screens', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const read = async (id: number, version?: string) =>
    (await designer.call(getManifest, { params: { id }, query: { version } })).manifest
  const wizard = async (body: WizardBody) => {
    const { manifest } = await designer.call(createManifestByWizard, { body })
    return read(manifest.id)
  }
  const free = async (name: string) => (await designer.call(createEntity, { body: { entity: { name } } })).entity
  /** A call by its documented address, as a script makes it. */
  const ask = (address: string, method = 'GET', body?: object) =>
    designer.browser.fetch(`/1.0/cdm${address}`, {
      method,
      headers: { 'X-Organisation-Code': 'ACME', ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })

  it('the calls are below /1.0/cdm only', holds('M7.4'), async () => {
    expect((await ask('/manifest')).status).toBe(200)
    for (const place of ['/cdm/manifest', '/1.0/manifest', '/2.0/cdm/manifest', '/manifest']) {
      const answer = await designer.browser.fetch(place, { headers: { 'X-Organisation-Code': 'ACME' } })
      const isAnswer = answer.ok && (answer.headers.get('content-type') ?? '').includes('json')
      expect([place, isAnswer]).toEqual([place, false])
    }
  })

  it('an error has a `message`', holds('M7.5'), async () => {
    const missing = await ask('/manifest/999999')
    expect([missing.status, await missing.json()]).toMatchObject([404, { message: 'The manifest was not found.' }])
    const wrong = await ask('/manifest/wizard', 'POST', { manifestName: 'a' })
    expect([wrong.status, await wrong.json()]).toMatchObject([
      400,
      { message: 'this must be 2 to 50 characters long.' },
    ])
    const anonymous = new ConsoleClient(server.visitor(), '', 'ACME')
    const elsewhere = new ConsoleClient(designer.browser, designer.userId, 'GLOBEX')
    const others: [number, Promise<Response>][] = [
      [401, anonymous.send(listManifests, {})],
      [403, elsewhere.send(listManifests, {})],
      [404, ask('/nothing')],
      [428, ask(`/manifest/${await addManifest(server, 'Untagged')}/configuration`, 'POST', {})],
    ]
    for (const [status, requested] of others) {
      const answer = await requested
      expect([answer.status, await answer.json()]).toMatchObject([status, { message: expect.stringMatching(/\w \w/) }])
    }
  })

  it(
    'create, import, wizard, build and configuration accept the userId of the caller and reject any other',
    holds('M7.3'),
    async () => {
      const id = await addManifest(server, 'Mine')
      const { manifest: full } = await designer.call(createManifest, {
        body: { manifestName: 'Full', exclusiveEntities: ['OfFull'] },
      })
      const manifestFile = { name: 'clinic.zip', bytes: clinic }
      const document = {
        definitions: [{ entityName: 'ByFile', hasAttributes: [{ name: 'fileId', dataType: 'guid' }] }],
      }
      const entityFile = { name: 'a.json', bytes: new TextEncoder().encode(JSON.stringify(document)) }
      const calls: [Call, Parameters<ConsoleClient['send']>[1]][] = [
        [createEntity, { body: { entity: { name: 'ByUser' } } }],
        [createEntityByWizard, { body: { entity: { name: 'ByUserToo' } } }],
        [createManifest, { body: { manifestName: 'ByUser' } }],
        [createManifestByWizard, { body: { manifestName: 'ByUserToo' } }],
        [saveManifestConfiguration, { params: { id }, body: {}, ifMatch: '*' }],
        [buildManifest, { params: { id: full.id }, body: {} }],
        [importManifest, { files: { manifestFile } }],
        [importEntity, { files: { entityFile } }],
      ]
      const counts = async () => [
        (await designer.call(listEntities, { query: { limit: 1 } })).totalElements,
        (await designer.call(listManifests, { query: { limit: 1 } })).totalElements,
      ]
      const before = await counts()
      for (const [call, input] of calls) {
        const refused = await designer.send(call, { ...input, query: { userId: 'somebody' } })
        expect([call.id, refused.status]).toEqual([call.id, 403])
        expect(await refused.json()).toMatchObject({ code: 'foreign_user' })
      }
      expect(await counts()).toEqual(before)
      for (const [call, input] of calls) {
        const answer = await designer.send(call, { ...input, query: { userId: designer.userId } })
        expect([call.id, answer.status]).toEqual([call.id, 200])
      }
    },
  )

  it('the creation payload names the manifest; its version is 1.0.0 by default', holds('M3.67', 'M3.74'), async () => {
    const plain = await wizard({ manifestName: 'Payload' })
    expect(plain).toMatchObject({ name: 'Payload', path: 'user-defined/Payload', latestVersion: '1.0.0' })
    expect((await wizard({ manifestName: 'Later', version: '2.0.0' })).latestVersion).toBe('2.0.0')
    expect((await ask('/manifest/wizard', 'POST', { exclusiveEntities: ['Nameless'] })).status).toBe(400)
  })

  it('a new manifest without an original is empty', holds('M3.68'), async () => {
    const none = await wizard({ manifestName: 'OfNone', duplicateManifest: -1 })
    expect(none).toMatchObject({ entityPaths: [], subManifestPaths: [], relationships: [] })
  })

  it('the creation payload has importsPath, whose order is kept', holds('M3.69'), async () => {
    const importsPath = ['cdm:/foundations.cdm.json', 'core:/applicationCommon']
    const { id } = await wizard({ manifestName: 'WithImports', importsPath })
    const organisation = await organisationId(server)
    const db = server.context.store.of(organisation)
    const row = await manifestById(db, organisation, id)
    expect((await manifestContent(db, row!)).importsPath).toEqual(importsPath)
    expect((await ask('/manifest/wizard', 'POST', { manifestName: 'WrongImports', importsPath: [5] })).status).toBe(400)
  })

  it("entities of the creation payload become the manifest's own, in order", holds('M3.70', 'M3.76'), async () => {
    const [one, two] = [await free('Zulu'), await free('Alpha')]
    const manifest = await wizard({ manifestName: 'WithEntities', entities: [one.id, two.id], type: 'EXCLUSIVE' })
    expect(manifest.entityPaths).toMatchObject([
      { name: 'Zulu', path: 'user-defined/WithEntities/Zulu', type: 'EXCLUSIVE' },
      { name: 'Alpha', path: 'user-defined/WithEntities/Alpha', type: 'EXCLUSIVE' },
    ])
    const params = { id: manifest.entityPaths[0]?.id ?? 0 }
    const { entity } = await designer.call(getEntity, { params })
    expect(entity).toMatchObject({ targetManifest: { id: manifest.id }, copiedFrom: one.uid })
    const other = { manifestName: 'WithOther', entities: [one.id], type: 'TEMPLATE' }
    expect((await ask('/manifest/wizard', 'POST', other)).status).toBe(400)
  })

  it('sub-manifests in the creation payload become sub-manifests of the new manifest', holds('M3.72'), async () => {
    const subManifests = [await addManifest(server, 'SubZ'), await addManifest(server, 'SubA')]
    const manifest = await wizard({ manifestName: 'WithSubs', subManifests })
    expect(manifest.subManifestPaths.map(item => item.id)).toEqual(subManifests)
    expect((await read(subManifests[0]!)).parentManifestId).toBe(manifest.id)
  })

  it('a manifest has its configuration without secrets, and an old version the former one', holds('M3.9'), async () => {
    const { id } = await wizard({ manifestName: 'Configured' })
    const configurationOf = async () =>
      (await designer.call(getManifestConfiguration, { params: { id } })).manifestProperties
    const first = await configurationOf()
    expect(first).toMatchObject({ manifestName: 'Configured' })
    expect((await read(id)).configuration).toEqual(first)
    await designer.call(addManifestVersion, { params: { id }, query: { version: '1.1.0' } })
    const connectionPoolInfo = { username: 'sa', password: 'Tiger-9213' }
    const body = { manifestName: 'Configured', packageProperties: { connectionPoolInfo } }
    await designer.call(saveManifestConfiguration, { params: { id }, body, ifMatch: '*' })
    const { configuration } = await read(id)
    expect(configuration).toEqual(withoutSecrets(await configurationOf()))
    expect(configuration).toMatchObject({
      packageProperties: { connectionPoolInfo: { username: 'sa', password: '********' } },
    })
    await designer.call(addManifestVersion, { params: { id }, query: { version: '1.2.0' } })
    expect((await read(id, '1.0.0')).configuration).toEqual(first)
    expect((await read(id, '1.1.0')).configuration).toEqual(configuration)
  })

  it('the export mode DB_STRUCTURE returns a zip with SQL', holds('M3.93'), async () => {
    const { id } = await wizard({ manifestName: 'Exported', exclusiveEntities: ['Head'] })
    const { bytes } = await designer.download(exportManifest, {
      params: { id },
      body: { databaseType: 'postgresql', exportType: 'DB_STRUCTURE' },
    })
    const files = readArchive(bytes)
    expect([...files.keys()]).toEqual(['Exported.sql'])
    const script = files.get('Exported.sql') ?? new Uint8Array()
    expect(Buffer.from(script).toString()).toMatch(/create table "Head"/i)
  })

  it(
    'the call that adds an entity accepts entityIds and type exclusive: the entity is copied',
    holds('E7.87', 'M7.103'),
    async () => {
      const manifest = await wizard({ manifestName: 'Receiving' })
      const { id } = await free('Copied')
      const answer = await ask(`/manifest/${manifest.id}/entities`, 'POST', { entityIds: [id], type: 'exclusive' })
      expect(answer.status).toBe(200)
      const [member] = (await read(manifest.id)).entityPaths
      expect(member).toMatchObject({ name: 'Copied', path: 'user-defined/Receiving/Copied', type: 'EXCLUSIVE' })
      expect(member?.id).not.toBe(id)
      for (const body of [
        { type: 'exclusive' },
        { entityIds: [], type: 'exclusive' },
        { entityIds: [id], type: 'own' },
      ])
        expect((await ask(`/manifest/${manifest.id}/entities`, 'POST', body)).status).toBe(400)
    },
  )

  it(
    'an administrator adds an entity with the type template: the manifest refers to the entity in place',
    holds('M7.104'),
    async () => {
      const manifest = await wizard({ manifestName: 'Referring' })
      const { id, path } = await free('InPlace')
      const body = { entityIds: [id], type: 'template' }
      expect((await ask(`/manifest/${manifest.id}/entities`, 'POST', body)).status).toBe(403)
      const admin = await server.as('admin', 'ACME')
      const answer = await admin.browser.fetch(`/1.0/cdm/manifest/${manifest.id}/entities`, {
        method: 'POST',
        headers: { 'X-Organisation-Code': 'ACME', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(200)
      expect((await read(manifest.id)).entityPaths).toEqual([{ id, name: 'InPlace', path, type: 'TEMPLATE' }])
    },
  )

  it(
    'manifests, their entities and their configuration are read by the calls of document 2',
    holds('E7.88', 'E7.89', 'E7.90', 'M3.73'),
    async () => {
      const body = {
        manifestName: 'Offered',
        exclusiveEntities: ['Second', 'First'],
        manifestProperties: {
          configurationBuild: { apiScopeConfiguration: { scopeDefinitions: ['a', 'b', 'c'], globalScopes: ['c'] } },
        },
      }
      const { id, entityPaths } = await wizard(body)
      const list = await (await ask('/manifest?search=offered&filter=PRIVATE')).json()
      expect(list).toMatchObject({ totalElements: 1, manifests: [{ id, name: 'Offered' }] })
      const members = await (await ask(`/manifest/${id}/entities`)).json()
      expect(members).toMatchObject({
        totalElements: 2,
        entity: entityPaths.map(({ id: own, name }) => ({ id: own, name })),
      })
      const configuration = await (await ask(`/manifest/${id}/configuration`)).json()
      expect(configuration).toMatchObject({ manifestProperties: body.manifestProperties })
    },
  )

  it(
    'an administrator creates an entity for an organisation, and validates and stores its content',
    holds('M7.95', 'M7.96', 'M7.97'),
    async () => {
      const admin = await server.as('admin')
      const payload = { entity: { name: 'ForAcme' }, type: 'EXCLUSIVE' as const, org: 'ACME' }
      const { entity } = await admin.call(adminCreateEntity, { body: payload })
      const stored = () => designer.call(getEntity, { params: { id: entity.id } })
      expect((await stored()).entity).toEqual(entity)
      const sound = JSON.stringify({ ...JSON.parse(entity.content), description: 'Told by its content.' })
      await admin.call(adminValidateEntityContent, { body: { id: entity.id, content: sound } })
      expect((await stored()).entity.description).toBe('')
      const unsound = await admin.refusal(adminValidateEntityContent, {
        body: { id: entity.id, content: '{"name":5}' },
      })
      expect([unsound.status, unsound.answer.message]).toEqual([400, 'Invalid entity json content'])
      await admin.call(adminUpdateEntityContent, { body: { id: entity.id, content: sound }, ifMatch: '*' })
      expect((await stored()).entity.description).toBe('Told by its content.')
    },
  )
})
