import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { packageId as remoteId } from '@cadmus/formats/package/package-xml'
import { readPackages } from '@cadmus/formats/package/read'
import { namespaceOf } from '@cadmus/model/api/api'
import { createEntity, getEntity, updateEntity } from '@cadmus/model/contract/entity'
import { createManifest, listManifestLogs, saveManifestConfiguration } from '@cadmus/model/contract/manifest'
import { buildManifest, deletePackage, uploadPackage } from '@cadmus/model/contract/package'
import { checkRebuild, listPublications, previewRebuild, rebuildPackage } from '@cadmus/model/contract/publish'
import { limits } from '@cadmus/model/limits'
import { putPublication } from '../store/publication.ts'
import type { CallArguments, ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { organisationId, saveBody } from '../testing/entities.ts'
import { type FakeInstance, startFakeInstance } from '../testing/fake-instance.ts'
import { built, packageOf } from '../testing/packages.ts'

type Build = NonNullable<CallArguments<typeof buildManifest>['body']>

describeOnBothStores('Publishing again', store => {
  let server: TestConsole
  let designer: ConsoleClient
  let hosted: FakeInstance
  let other: FakeInstance
  beforeAll(async () => {
    hosted = await startFakeInstance()
    other = await startFakeInstance()
    const allowed = new URL(other.url).host
    server = await startConsole({
      store,
      env: { CADMUS_INSTANCES: `Local one=${hosted.url}`, CADMUS_ALLOWED_INSTANCES: allowed },
    })
    designer = await server.as('designer')
  })
  afterAll(async () => {
    await server.stop()
    await hosted.close()
    await other.close()
  })
  beforeEach(() => {
    server.advance(4000)
    hosted.seen.length = 0
  })

  const previewCall = 'POST /esbapi/packages/preview'
  const connection = { url: 'jdbc:mysql://db/shop', username: 'shop', databaseName: 'shop', password: 'Tiger-7' }

  /** A package with one entity, built with a connection and APIs that the configuration does not have. */
  async function aPackage(name: string, build: Partial<Build> = {}) {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: name } })
    const typeAttributes = [{ name: 'email', dataType: 'string' as const, isNullable: true }]
    const { entity } = await designer.call(createEntity, {
      body: { entity: { name: `${name}Client`, typeAttributes }, targetManifestId: manifest.id },
    })
    const manifestProperties = [
      {
        manifestName: name,
        packageProperties: { connectionPoolInfo: connection },
        configurationBuild: { apiConfiguration: { type: ['REST' as const] } },
      },
    ]
    const { packageId } = await designer.call(buildManifest, {
      params: { id: manifest.id },
      body: { customPackageName: name, manifestProperties, ...build },
    })
    await built(designer, packageId)
    return { name, manifestId: manifest.id, entityId: entity.id, packageId }
  }

  async function upload(name: string, body: Partial<NonNullable<CallArguments<typeof uploadPackage>['body']>> = {}) {
    const version = body.version ?? '1.0.0'
    const id = remoteId('ACME', namespaceOf(name))
    for (const { answers } of [hosted, other]) {
      answers['POST /esbapi/packages/upload'] = { status: 200, json: [] }
      answers[`GET /esbapi/packages/${name}`] = { status: 200, json: { id, name, version, status: 'STARTED' } }
      answers['POST /oauth/token'] = { status: 200, json: { access_token: 'ok' } }
    }
    await designer.call(uploadPackage, { params: { name }, body: { instanceUrl: hosted.url, version, ...body } })
  }

  const publicationsOf = async (packageId: number, client = designer) =>
    (await client.call(listPublications, {})).publications.filter(one => one.packageId === packageId)
  const check = (name: string, body = {}) => designer.call(checkRebuild, { params: { name }, body })

  it('the last upload to each instance is listed for every member, without credentials', async () => {
    const { name, packageId, manifestId } = await aPackage('Listed')
    expect(await publicationsOf(packageId)).toEqual([])
    await upload(name)
    await upload(name, { instanceUrl: other.url, credentials: { username: 'me', password: 'secret' } })
    await upload(name, { state: 'STARTED' })
    const common = { packageId, packageName: name, manifestId, version: '1.0.0' }
    const expected = [
      { ...common, instanceUrl: hosted.url, signedIn: false, state: 'STARTED' },
      { ...common, instanceUrl: other.url, signedIn: true, state: 'LOADED' },
    ]
    expect(await publicationsOf(packageId)).toMatchObject(expected)
    expect(await publicationsOf(packageId, await server.as('admin', 'ACME'))).toMatchObject(expected)
    expect(await publicationsOf(packageId, await server.as('admin', 'CADMUS'))).toEqual([])
    const acme = await organisationId(server)
    const rows = server.context.store.of(acme).selectFrom('publication').selectAll().where('organisation_id', '=', acme)
    expect(JSON.stringify(await rows.execute())).not.toMatch(/secret|"me"/)
  })

  it('a failed upload is not recorded, and the records of a package end with it', async () => {
    const { name, packageId } = await aPackage('Ended')
    hosted.answers['POST /esbapi/packages/upload'] = { status: 400, json: { message: 'No.' } }
    await designer.refusal(uploadPackage, { params: { name }, body: { instanceUrl: hosted.url, version: '1.0.0' } })
    expect(await publicationsOf(packageId)).toEqual([])
    await upload(name)
    expect(await publicationsOf(packageId)).toHaveLength(1)
    await designer.call(deletePackage, { params: { id: packageId }, query: { version: '1.0.0' } })
    expect(await publicationsOf(packageId)).toEqual([])
  })

  it('an upload whose build was deleted is not listed, because other builds may have secrets of other instances', async () => {
    const { name, packageId } = await aPackage('Replaced')
    await upload(name)
    await designer.call(rebuildPackage, { params: { name }, body: { version: '1.0.1' } })
    await built(designer, packageId)
    await designer.call(deletePackage, { params: { id: packageId }, query: { version: '1.0.0' } })
    expect(await publicationsOf(packageId)).toEqual([])
  })

  it('a package keeps the records of its newest instances only', async () => {
    const { name, packageId } = await aPackage('Widespread')
    await upload(name)
    const [organisation_id, max] = [await organisationId(server), limits.publicationsOfPackage]
    const db = server.context.store.of(organisation_id)
    const row = { organisation_id, package_id: packageId, version: '1.0.0', signed_in: 0, state: 'LOADED' as const }
    const by = { user_id: 'u', user_name: 'U', published_at: '2026-01-01T00:00:00.000Z' }
    const ids = await server.context.store.ids.take(max)
    for (const id of ids)
      await putPublication(db, { ...row, ...by, id, instance_url: `https://${id}.example.com` }, max)
    const publications = await publicationsOf(packageId)
    expect(publications.map(({ instanceUrl }) => instanceUrl)).toEqual(
      ids.toReversed().map(id => `https://${id}.example.com`),
    )
  })

  it('a rebuild has the choices of the former build and everything else of the configuration', async () => {
    const { name, manifestId } = await aPackage('Chosen')
    const first = await check(name)
    expect(first).toMatchObject({
      version: '1.0.1',
      basedOn: '1.0.0',
      suggestion: null,
      publishAs: 'PACKAGE',
      apis: ['REST'],
      connection: { type: 'MYSQL', url: connection.url, username: 'shop', databaseName: 'shop', hasPassword: true },
      choices: ['apis', 'connection'],
      opened: [],
      openedCount: 0,
      errors: 0,
    })
    expect(JSON.stringify(first)).not.toMatch(/Tiger-7|v1\./)
    await designer.call(saveManifestConfiguration, {
      params: { id: manifestId },
      body: {
        packageProperties: { connectionPoolInfo: { url: 'jdbc:mysql://other/db' } },
        configurationBuild: {
          apiConfiguration: { type: ['SOAP'], security: 'BASIC' },
          sqlConfiguration: { applyLimitOffset: true },
        },
      },
      ifMatch: '*',
    })
    expect(await check(name)).toMatchObject({
      apis: ['REST'],
      sql: { applyLimitOffset: true },
      connection: { url: connection.url },
      suggestion: {
        version: '2.0.0',
        reasons: [expect.stringContaining('security'), expect.stringContaining('Lists')],
      },
    })
  })

  it('operations that open to more callers are listed', async () => {
    const { name, manifestId, entityId } = await aPackage('Opened')
    const { entity } = await designer.call(getEntity, { params: { id: entityId } })
    const configure = async (security: 'BASIC' | 'NONE') => {
      const body = { configurationBuild: { apiConfiguration: { security } } }
      await designer.call(saveManifestConfiguration, { params: { id: manifestId }, body, ifMatch: '*' })
    }
    await configure('BASIC')
    const { packageId } = await designer.call(rebuildPackage, { params: { name }, body: {} })
    await built(designer, packageId)
    await configure('NONE')
    const { opened, openedCount, access } = await check(name)
    expect(openedCount).toBe(5)
    expect(access).toEqual({ served: 5, open: 5, settings: 'anyone' })
    expect(opened.every(({ opens, after }) => opens && after?.length === 0)).toBe(true)
    expect(opened.map(({ entity: of }) => of)).toEqual(Array(5).fill(entity.name))
  })

  it('a rebuild without choices follows the configuration', async () => {
    const { name, manifestId } = await aPackage('Configured', { manifestProperties: [] })
    const packageProperties = { connectionPoolInfo: { url: 'jdbc:mysql://later/db' } }
    const body = { packageProperties, configurationBuild: { apiConfiguration: { type: ['GRAPHQL' as const] } } }
    await designer.call(saveManifestConfiguration, { params: { id: manifestId }, body, ifMatch: '*' })
    expect(await check(name)).toMatchObject({
      apis: ['GRAPHQL'],
      connection: { url: 'jdbc:mysql://later/db' },
      choices: [],
    })
  })

  it('a preview sends the rebuild with the secrets of the former build and stores nothing', async () => {
    const { name, packageId } = await aPackage('Previewed')
    const before = await packageOf(designer, packageId)
    const warnings = ['Its start would be refused: a column has records.']
    hosted.answers[previewCall] = { status: 200, json: [{ name, version: '1.0.1', warnings }] }
    const preview = { params: { name }, body: { instanceUrl: hosted.url } }
    expect(await designer.call(previewRebuild, preview)).toEqual({ result: 'OK', message: '', warnings, obstacles: [] })
    const body = hosted.seen.find(({ method }) => method === 'POST')?.body ?? Buffer.alloc(0)
    const zip = body.subarray(body.indexOf('\r\n\r\n') + 4, body.lastIndexOf('\r\n--'))
    const [sent] = readPackages(new Uint8Array(zip))
    expect(sent?.properties.get('mysql.password')).toBe('Tiger-7')
    expect(sent?.model.version).toBe('1.0.1')
    expect(await packageOf(designer, packageId)).toEqual(before)
    const { manifestLogs } = await designer.call(listManifestLogs, {})
    expect(manifestLogs[0]?.DESCRIPTION).toMatch(/^Sent package Previewed 1\.0\.1 to .* for a preview\.$/)
    // An earlier instance ignores the request for counts, and another one may answer anything.
    const counting = { ...preview, body: { ...preview.body, counts: true } }
    const answered = async (counts: unknown) => {
      hosted.answers[previewCall] = { status: 200, json: [{ name, version: '1.0.1', warnings, counts }] }
      return (await designer.call(previewRebuild, counting)).counts
    }
    expect(await answered(undefined)).toBeNull()
    expect(hosted.seen.at(-1)?.path).toBe('/esbapi/packages/preview?counts=true')
    expect(await answered({ version: '1.0.0', counts: [{ key: 'a', count: -1 }] })).toBeNull()
    expect(await answered({ version: '1.0.0', counts: [{ key: 'a', count: 0 }] })).toEqual({
      version: '1.0.0',
      counts: [{ key: 'a', count: 0 }],
    })
    hosted.answers[previewCall] = { status: 404, json: {} }
    expect((await designer.call(previewRebuild, preview)).warnings).toBeNull()
    hosted.answers[previewCall] = { status: 403, json: {} }
    expect((await designer.refusal(previewRebuild, preview)).answer.code).toBe('instance_not_allowed')
  })

  it('problems are reported with their places, and prevent preview and build', async () => {
    const { name, entityId } = await aPackage('Broken')
    const { entity } = await designer.call(getEntity, { params: { id: entityId } })
    const body = saveBody(entity)
    const typeAttributes = (body.entity.typeAttributes ?? []).filter(one => one.name === 'email')
    await designer.call(updateEntity, {
      params: { id: entityId },
      body: { ...body, entity: { ...body.entity, typeAttributes } },
      ifMatch: '*',
    })
    const { errors, problems, suggestion } = await check(name)
    expect([errors, suggestion]).toEqual([1, null])
    expect(problems[0]).toMatchObject({
      severity: 'error',
      path: [{ kind: 'manifest' }, { kind: 'entity', id: entityId }],
    })
    hosted.seen.length = 0
    const input = { params: { name }, body: { instanceUrl: hosted.url } }
    expect((await designer.refusal(previewRebuild, input)).answer.code).toBe('invalid_manifest')
    expect((await designer.refusal(rebuildPackage, { params: { name }, body: {} })).answer.code).toBe(
      'invalid_manifest',
    )
    expect(hosted.seen.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('a version that cannot be built is refused before a preview sends secrets, and no store has a version with NUL', async () => {
    const { name } = await aPackage('Refused')
    for (const version of ['1.0.0', '../../x', '']) {
      const input = { params: { name }, body: { instanceUrl: hosted.url, version } }
      expect((await designer.refusal(previewRebuild, input)).answer.errors).toMatchObject([{ path: 'version' }])
    }
    expect(hosted.seen).toEqual([])
    expect((await designer.refusal(checkRebuild, { params: { name }, body: { basedOn: '1\0' } })).status).toBe(404)
  })

  it('a rebuild is built with the former secrets and may be based on an earlier version', async () => {
    const { name, packageId, manifestId } = await aPackage('Rebuilt')
    const params = { name }
    const rebuilt = await designer.call(rebuildPackage, { params, body: { version: '1.4.0' } })
    expect(rebuilt).toMatchObject({ packageId, packageName: name, version: '1.4.0' })
    await built(designer, packageId)
    const plain = { customPackageName: name, version: '1.5.0', publishAs: 'DB_STRUCTURE' as const }
    await designer.call(buildManifest, { params: { id: manifestId }, body: plain })
    await built(designer, packageId)
    expect(await check(name)).toMatchObject({ basedOn: '1.5.0', publishAs: 'DB_STRUCTURE', version: '1.5.1' })
    expect(await check(name, { basedOn: '1.4.0' })).toMatchObject({
      publishAs: 'PACKAGE',
      connection: { url: connection.url, hasPassword: true },
      apis: ['REST'],
    })
    const taken = await designer.refusal(rebuildPackage, { params, body: { version: '1.4.0' } })
    expect(taken.answer.errors).toMatchObject([{ path: 'version' }])
    for (const [body, where] of [
      [{ basedOn: '9.9.9' }, name],
      [{}, 'Nowhere'],
    ] as const)
      expect((await designer.refusal(checkRebuild, { params: { name: where }, body })).status).toBe(404)
  })
})
