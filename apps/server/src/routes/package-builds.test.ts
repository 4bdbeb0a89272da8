import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readArchive } from '@cadmus/formats/archive'
import { readPackages } from '@cadmus/formats/package/read'
import { readConfiguration } from '@cadmus/model/configuration'
import { createEntity, updateEntity } from '@cadmus/model/contract/entity'
import {
  addManifestVersion,
  addSubManifests,
  deleteManifest,
  getManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import {
  buildManifest,
  deletePackage,
  downloadPackage,
  getBuildSettings,
  getPackageStatus,
} from '@cadmus/model/contract/package'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { type BuildBody, built, ended, packageCalls, packageOf } from '../testing/packages.ts'

describeOnBothStores.whenProving('Building a package', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())
  // Stays below the limit of fifty requests a second.
  beforeEach(() => server.advance(4000))

  const { manifestOf, build, buildIt, refusal, zipOf, configure } = packageCalls(() => designer)

  it('assigns 1.0.0 first, then the next patch', holds('M3.42', 'M3.43', 'M3.83', 'M7.33', 'M7.61'), async () => {
    const manifest = await manifestOf()
    const headers = { 'content-type': 'application/json', 'x-organisation-code': 'ACME' }
    const body = JSON.stringify({ publishAs: 'PACKAGE', manifestProperties: [], customBuild: true })
    const path = `/1.0/cdm/manifest/${manifest.id}/build`
    const sent = await designer.browser.fetch(path, { method: 'POST', headers, body })
    const requested = buildManifest.answer.parse(await sent.json())
    expect(requested).toMatchObject({ result: 'OK', packageName: manifest.name, version: '1.0.0' })
    const during = await packageOf(designer, requested.packageId)
    expect(['PROCESSING', 'SUCCESS']).toContain(during.status)
    const item = await built(designer, requested.packageId)
    expect(item).toMatchObject({
      id: requested.packageId,
      userId: designer.userId,
      name: manifest.name,
      manifestId: manifest.id,
      manifestName: manifest.name,
      manifestPath: manifest.path,
      isDefault: false,
      status: 'SUCCESS',
      versions: ['1.0.0'],
    })
    expect(item.guid).toMatch(/^[0-9a-f-]{36}$/)
    expect(item.builds).toEqual([
      expect.objectContaining({ version: '1.0.0', status: 'SUCCESS', reason: '', manifestVersion: '1.0.0' }),
    ])
    const { bytes, fileName, headers: named } = await zipOf(requested.packageId, '1.0.0')
    expect([fileName, named.get('content-type')]).toEqual([`${manifest.name}.zip`, 'application/zip'])
    expect(item.builds[0]?.size).toBe(bytes.length)
    const [read] = readPackages(bytes)
    expect(read).toMatchObject({ name: manifest.name, version: '1.0.0' })
    expect(read?.model.entities.map(({ name }) => name)).toEqual(['Customer', 'Product'])
    expect(await buildIt(manifest.id)).toMatchObject({ packageId: requested.packageId, version: '1.0.1' })
    expect((await packageOf(designer, requested.packageId)).versions).toEqual(['1.0.1', '1.0.0'])
  })

  it('accepts a requested version once', holds('M3.81', 'M5.54', 'M5.55', 'M5.57'), async () => {
    const { id } = await manifestOf()
    for (const version of ['', '1', 'v1.0.0', '1.0', '1.0.0 ', '01.0.0', '1.0.0.0'])
      expect(await refusal(id, { version })).toMatchObject({ status: 400, message: 'Invalid version pattern.' })
    const { packageId } = await buildIt(id, { version: '1.2.3' })
    expect(await refusal(id, { version: '1.2.3' })).toMatchObject({
      status: 409,
      code: 'conflict',
      message: 'this version is already built',
      errors: [{ path: 'version', message: 'this version is already built' }],
    })
    await buildIt(id, { version: '1.2.3-rc.1' })
    expect((await packageOf(designer, packageId)).versions).toEqual(['1.2.3', '1.2.3-rc.1'])
    const settings = await designer.call(getBuildSettings, { params: { id } })
    expect([settings.version, settings.takenVersions]).toEqual(['1.2.4', ['1.2.3', '1.2.3-rc.1']])
    expect((await build(id)).version).toBe('1.2.4')
    const { id: other } = await manifestOf()
    for (const version of ['1.0.9', '1.0.10']) await build(other, { version })
    const proposed = await designer.call(getBuildSettings, { params: { id: other } })
    expect([proposed.version, proposed.takenVersions]).toEqual(['1.0.11', ['1.0.10', '1.0.9']])
  })

  it('uses the requested name for its folder, for one manifest only', holds('M3.79'), async () => {
    const [first, second] = [await manifestOf(), await manifestOf()]
    const name = `sales-${store}`
    const { packageId, packageName } = await buildIt(first.id, { customPackageName: ` ${name} ` })
    expect(packageName).toBe(name)
    const paths = [...readArchive((await zipOf(packageId, '1.0.0')).bytes).keys()]
    expect(new Set(paths.map(path => path.split('/')[0]))).toEqual(new Set([name]))
    for (const wrong of ['a b', 'a/b', '../a', 'a.b', 'é', 'a\u0000', 'x'.repeat(101), 'core', 'CDM-Client'])
      expect((await refusal(first.id, { customPackageName: wrong })).status).toBe(400)
    expect(await refusal(second.id, { customPackageName: name.toUpperCase() })).toMatchObject({
      status: 409,
      message: `The package "${name}" is built from the manifest ${first.name}.`,
    })
    await designer.call(deleteManifest, { params: { id: first.id } })
    expect((await packageOf(designer, packageId)).manifestId).toBe(-1)
    expect(await buildIt(second.id, { customPackageName: name })).toMatchObject({ packageId, version: '1.0.1' })
    expect(await packageOf(designer, packageId)).toMatchObject({
      manifestName: second.name,
      versions: ['1.0.1', '1.0.0'],
    })
  })

  it('reports all errors of an invalid manifest and builds nothing', async () => {
    const { id } = await manifestOf([])
    expect(await refusal(id)).toMatchObject({ status: 400, code: 'invalid_manifest' })
    const keyless = await designer.call(createEntity, {
      body: { entity: { name: 'KeylessOne' }, targetManifestId: id },
    })
    const other = await designer.call(createEntity, {
      body: { entity: { name: 'KeylessTwo' }, targetManifestId: id },
    })
    for (const { entity } of [keyless, other])
      await designer.call(updateEntity, {
        params: { id: entity.id },
        body: { entity: { name: entity.name, typeAttributes: [{ name: 'title', dataType: 'string' }] } },
        ifMatch: '*',
      })
    await buildIt(id)
    const { name } = (await packageOf(designer, (await build(id, { version: '3.0.0' })).packageId)) ?? {}
    const manifestProperties = [
      { manifestName: name, configurationBuild: { apiConfiguration: { type: ['REST' as const] } } },
    ]
    const { status, message, problems } = await refusal(id, { manifestProperties })
    expect([status, message]).toEqual([400, `${keyless.entity.name} has no primary key.`])
    const errors = problems.filter(({ severity }) => severity === 'error')
    expect(errors.map(problem => problem.message)).toEqual([
      `${keyless.entity.name} has no primary key.`,
      `${other.entity.name} has no primary key.`,
    ])
    await buildIt(id, { manifestProperties, publishAs: 'DB_STRUCTURE', version: '4.0.0' })
    const { packageId } = await buildIt(id, { manifestProperties, publishAs: 'ENTITY_GLOOP_MODEL', version: '5.0.0' })
    const models = async (version: string) =>
      [...readArchive((await zipOf(packageId, version)).bytes).keys()].filter(path => path.endsWith('.model')).length
    expect([await models('4.0.0'), await models('5.0.0')]).toEqual([0, 2])
  })

  it('reproduces a frozen version, with identical bytes for identical input', async () => {
    const manifest = await manifestOf(['Before'])
    const { packageId } = await buildIt(manifest.id, { version: '1.0.0' })
    const { bytes } = await zipOf(packageId, '1.0.0')
    await designer.call(addManifestVersion, { params: { id: manifest.id }, query: { version: '2.0.0' } })
    const entityId = manifest.entityPaths[0]?.id ?? 0
    await designer.call(updateEntity, {
      params: { id: entityId },
      body: {
        entity: {
          name: 'Before',
          typeAttributes: [
            { name: 'id', dataType: 'integer', purpose: 'identifiedBy' },
            { name: 'added', dataType: 'string' },
          ],
        },
      },
      ifMatch: '*',
    })
    await designer.call(deletePackage, { params: { id: packageId }, query: { version: '1.0.0' } })
    const again = await buildIt(manifest.id, { version: '1.0.0', manifestVersion: '1.0.0' })
    expect((await zipOf(again.packageId, '1.0.0')).bytes).toEqual(bytes)
    await buildIt(manifest.id, { version: '2.0.0' })
    expect((await packageOf(designer, again.packageId)).builds.map(({ manifestVersion }) => manifestVersion)).toEqual([
      '2.0.0',
      '1.0.0',
    ])
    const [latest] = readPackages((await zipOf(again.packageId, '2.0.0')).bytes)
    expect(latest?.model.entities[0]?.typeAttributes.map(({ name }) => name)).toContain('added')
    expect(latest?.model.manifestVersion).toBe('2.0.0')
    expect((await refusal(manifest.id, { manifestVersion: '7.0.0' })).status).toBe(404)
    await configure(manifest.id, { configurationBuild: { apiConfiguration: { type: ['REST'] } } })
    await buildIt(manifest.id, { version: '2.0.1' })
    const settingsOf = () => designer.call(getBuildSettings, { params: { id: manifest.id } })
    expect((await settingsOf()).suggestion).toBeNull()
    await configure(manifest.id, {
      configurationBuild: { apiConfiguration: { type: ['REST'], excludeOperations: ['Before.post'] } },
    })
    expect(await settingsOf()).toMatchObject({
      version: '2.0.2',
      suggestion: { version: '3.0.0', reasons: ['Before no longer has the operation insert.'] },
    })
  })

  it('uses submitted settings for a manifest and stored ones for others', holds('M3.80', 'M3.82'), async () => {
    const [manifest, sub] = [await manifestOf(['Order']), await manifestOf(['Article'])]
    await designer.call(addSubManifests, { params: { id: manifest.id }, body: { submanifests: [sub.id] } })
    await configure(sub.id, { configurationBuild: { apiConfiguration: { excludeOperations: ['Article.post'] } } })
    await configure(manifest.id, { configurationBuild: { apiConfiguration: { type: ['SOAP'] } } })
    const settings = await designer.call(getBuildSettings, { params: { id: manifest.id } })
    expect(settings.manifestProperties.map(({ manifestName }) => manifestName)).toEqual([manifest.name, sub.name])
    const modelOf = async (version: string, body: BuildBody) => {
      const { packageId } = await buildIt(manifest.id, { ...body, version, customBuild: true })
      const [read] = readPackages((await zipOf(packageId, version)).bytes)
      return read?.model.configuration.configurationBuild.apiConfiguration
    }
    expect(await modelOf('1.0.0', {})).toMatchObject({ type: ['SOAP'], excludeOperations: ['Article.post'] })
    const sent = {
      manifestName: manifest.name.toUpperCase(),
      configurationBuild: { apiConfiguration: { type: ['REST' as const] } },
    }
    const ofSub = { manifestName: sub.name, configurationBuild: { apiConfiguration: { excludeOperations: [] } } }
    expect(await modelOf('1.1.0', { manifestProperties: [ofSub, sent] })).toMatchObject({
      type: ['REST'],
      excludeOperations: [],
    })
    expect(await modelOf('1.2.0', { manifestProperties: [sent], publishAs: 'DB_STRUCTURE' })).toMatchObject({
      type: [],
    })
    const { manifestProperties } = await designer.call(getManifestConfiguration, { params: { id: manifest.id } })
    expect(readConfiguration(manifestProperties).configurationBuild.apiConfiguration.type).toEqual(['SOAP'])
    expect((await refusal(manifest.id, { manifestProperties: [{ manifestName: 'Other' }] })).status).toBe(400)
    expect((await refusal(manifest.id, { manifestProperties: [sent, sent] })).status).toBe(400)
    const hidden = {
      manifestName: manifest.name,
      packageProperties: { connectionPoolInfo: { password: `******** ${'x'.repeat(22)}` } },
    }
    expect((await refusal(manifest.id, { manifestProperties: [hidden] })).status).toBe(400)
    const raw = await designer.send(buildManifest, { params: { id: manifest.id }, body: { customBuild: false } })
    expect(raw.status).toBe(400)
    const multi = {
      manifestName: manifest.name,
      configurationBuild: { serviceConfiguration: { applyMultiTenancy: true } },
    }
    expect((await refusal(manifest.id, { manifestProperties: [multi] })).status).toBe(403)
  })

  it(
    'waits in the queue across a restart, and fails with a reason if its manifest was deleted',
    holds('M3.44'),
    async () => {
      const port = new URL(server.url).port
      const [good, bad] = [await manifestOf(), await manifestOf()]
      await server.context.builds.close()
      const requested = await build(good.id)
      const doomed = await build(bad.id)
      const states = async () =>
        (await designer.call(getPackageStatus, { query: { packageIds: `${requested.packageId},${doomed.packageId}` } }))
          .packages
      expect((await states()).map(({ status }) => status)).toEqual(['PROCESSING', 'PROCESSING'])
      const input = { params: { id: requested.packageId }, query: { version: '1.0.0' } }
      for (const call of [deletePackage, downloadPackage])
        expect(await designer.refusal(call, input)).toMatchObject({
          status: 409,
          answer: { message: 'This version is being built. Wait until the build has finished.' },
        })
      expect(await refusal(good.id, { version: '1.0.0' })).toMatchObject({ message: 'this version is already built' })
      await designer.call(deleteManifest, { params: { id: bad.id } })
      await server.restart({ CADMUS_PORT: port })
      expect(await ended(designer, requested.packageId)).toEqual({ status: 'SUCCESS', reason: '' })
      expect(await ended(designer, doomed.packageId)).toEqual({
        status: 'FAILED',
        reason: 'The manifest was not found.',
      })
      const failed = { params: { id: doomed.packageId }, query: { version: '1.0.0' } }
      expect((await designer.refusal(downloadPackage, failed)).status).toBe(409)
      expect(await packageOf(designer, doomed.packageId)).toMatchObject({
        status: 'FAILED',
        versions: [],
        manifestId: -1,
      })
      await designer.call(deletePackage, failed)
    },
  )
})
