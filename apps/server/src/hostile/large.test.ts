import { readConfiguration } from '@cadmus/model/configuration'
import {
  addEntityVersion,
  createEntity,
  getEntityVersionContent,
  listEntityLogs,
  listEntityVersions,
  updateEntity,
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
import { buildManifest, compareBuild, getBuildSettings } from '@cadmus/model/contract/package'
import { limits } from '@cadmus/model/limits'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'
import { saveBody, typeAttributeBody } from '../testing/entities.ts'
import { built } from '../testing/packages.ts'

describeOnBothStores.whenProving('Large valid requests', store => {
  let server: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  const create = async (entity: { name: string } & Record<string, unknown>) =>
    (await designer.call(createEntity, { body: { entity } })).entity

  it('lists of versions and audit entries contain the newest that fit; the others can be read one by one', async () => {
    const typeAttributes = Array.from({ length: 230 }, (_, index) => ({
      name: `attribute${index}`,
      description: 'x'.repeat(19_900),
    }))
    const { id } = await create({ name: 'Heavy', typeAttributes })
    const last = 4
    for (let version = 2; version <= last; version++) {
      await designer.call(addEntityVersion, { params: { id }, query: { version: `${version}.0.0` } })
      const entity = { name: 'Heavy', description: `version ${version}`, typeAttributes }
      await designer.call(updateEntity, { params: { id }, body: { entity }, ifMatch: '*' })
    }
    const { entityVersions } = await designer.call(listEntityVersions, { params: { id } })
    expect(entityVersions.map(item => item.VERSION)).toEqual(
      Array.from({ length: last }, (_, index) => `${last - index}.0.0`),
    )
    expect(entityVersions[0]?.CONTENT).toContain(`"version ${last}"`)
    expect(entityVersions.at(-1)).toMatchObject({ NAME: 'Heavy', DESCRIPTION: '', CONTENT: '' })
    expect(JSON.stringify(entityVersions).length).toBeLessThan(limits.listedContents * 1.5)
    const oldest = await designer.call(getEntityVersionContent, { params: { id }, query: { version: '1.0.0' } })
    expect(oldest.entity.CONTENT).toContain('"attribute229"')

    const whole = await designer.send(listEntityLogs, { query: { limit: 1000 } })
    const text = await whole.text()
    expect(text.length).toBeLessThan(limits.listedContents * 1.5)
    const { entityLogs } = listEntityLogs.answer.parse(JSON.parse(text))
    const ours = entityLogs.filter(entry => entry.ENTITY_NAME === 'Heavy')
    expect(ours).toHaveLength(1 + 2 * (last - 1))
    expect(ours[0]?.UPDATED_CONTENT).toContain(`"version ${last}"`)
    expect(ours.at(-1)?.UPDATED_CONTENT).toBeNull()
    const offset = entityLogs.findIndex(entry => entry.ID === ours.at(-1)?.ID)
    const alone = await designer.call(listEntityLogs, { query: { offset, limit: 1 } })
    expect(alone.entityLogs[0]?.UPDATED_CONTENT).toContain('"attribute229"')
    server.advance(10_000)
  })

  const queries = (count: number, of: number) => ({
    configurationBuild: {
      aggregateQueries: Array.from({ length: count }, (_query, index) => ({
        name: `query${index}`,
        entity: 'Customer',
        columns: Array.from({ length: of }, (_column, at) => ({
          field: 'id',
          type: 'COUNT' as const,
          alias: `a${at}`,
        })),
      })),
    },
  })

  it('a configuration has a total limit for every call that changes it', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'TooMuch' } })
    const params = { id: manifest.id }
    const body = queries(1000, 30)
    const read = async () => (await designer.send(getManifestConfiguration, { params })).text()
    const before = await read()
    const refused = [
      await designer.refusal(saveManifestConfiguration, { params, body, ifMatch: '*' }),
      await designer.refusal(createManifestByWizard, { body: { manifestName: 'TooMuch2', manifestProperties: body } }),
      await designer.refusal(buildManifest, {
        params: { id: (await shop()).id },
        body: { manifestProperties: [{ manifestName: 'Shop', ...body }] },
      }),
    ]
    for (const { status, answer } of refused) {
      expect(status).toBe(400)
      expect(answer.message).toMatch(/^A configuration can have at most 1048576 characters; this one has 1\d{6}\.$/)
    }
    expect(await read()).toBe(before)
  })

  it('concurrent additions of two users have the same limit as additions of one user', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'Together' } })
    const params = { id: manifest.id }
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params })
    const configuration = readConfiguration(answer.manifestProperties)
    const scoped = (name: string) => {
      const apiScopeConfiguration = {
        ...configuration.configurationBuild.apiScopeConfiguration,
        scopeDefinitions: Array.from({ length: 6000 }, (_, index) => `${name}${index}`),
      }
      const configurationBuild = { ...configuration.configurationBuild, apiScopeConfiguration }
      return { params, body: { ...configuration, configurationBuild }, ifMatch: etag }
    }
    await designer.call(saveManifestConfiguration, scoped('mine'))
    const path = 'configurationBuild.apiScopeConfiguration.scopeDefinitions'
    const message = 'This must have at most 10,000 items.'
    expect(await designer.refusal(saveManifestConfiguration, scoped('theirs'))).toMatchObject({
      status: 400,
      answer: { code: 'invalid', message, errors: [{ path, message }] },
    })

    const attributes = (name: string) => Array.from({ length: 2600 }, (_, index) => ({ name: `${name}${index}` }))
    const body = { entity: { name: 'AddedTogether' } }
    const { answer: made, etag: tag } = await designer.callWithTag(createEntity, { body })
    const added = (name: string) => ({
      params: { id: made.entity.id },
      body: saveBody(made.entity, {
        typeAttributes: [...made.entity.typeAttributes.map(typeAttributeBody), ...attributes(name)],
      }),
      ifMatch: tag,
    })
    await designer.call(updateEntity, added('mine'))
    const tooMany = 'An entity has at most 5001 type attributes; this one would have 5201.'
    expect(await designer.refusal(updateEntity, added('theirs'))).toMatchObject({
      status: 400,
      answer: { message: tooMany, errors: [{ path: 'entity.typeAttributes', message: tooMany }] },
    })
  })

  it('a large configuration is answered by a worker thread with the same content', async () => {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: 'MuchOfIt' } })
    const params = { id: manifest.id }
    const body = {
      ...queries(500, 30),
      packageProperties: { connectionPoolInfo: { password: 'Tiger-9213' }, customProperties: [] },
    }
    const saved = await designer.callWithTag(saveManifestConfiguration, { params, body, ifMatch: '*' })
    const run = vi.spyOn(server.context.workers, 'run')
    const found = await designer.callWithTag(getManifestConfiguration, { params })
    expect(found.etag).toBe(saved.etag)
    expect(found.answer.manifestProperties).toEqual(saved.answer.manifestProperties)
    expect(found.answer.manifestProperties.packageProperties.connectionPoolInfo.password).toMatch(/^\*{8} [\w-]{22}$/)
    const whole = await designer.call(getManifest, { params })
    expect(whole.manifest.configuration.configurationBuild).toEqual(found.answer.manifestProperties.configurationBuild)
    expect(run.mock.calls.map(([name]) => name)).toEqual(['configuration', 'manifest'])
    run.mockRestore()
  })

  it('a large build is parsed, validated and compared by a worker thread', async () => {
    const { manifest } = await designer.call(createManifest, {
      body: { manifestName: 'MuchToBuild', exclusiveEntities: ['Customer'] },
    })
    const params = { id: manifest.id }
    const body = {
      ...queries(500, 30),
      packageProperties: { connectionPoolInfo: { password: 'Tiger-9213' }, customProperties: [] },
    }
    const saved = await designer.call(saveManifestConfiguration, { params, body, ifMatch: '*' })
    await designer.call(addManifestVersion, { params, query: { version: '2.0.0' } })
    const run = vi.spyOn(server.context.workers, 'run')
    const settings = await designer.call(getBuildSettings, { params })
    expect(settings.manifestProperties).toEqual([saved.manifestProperties])
    expect(settings).toMatchObject({ result: 'OK', version: '1.0.0', suggestion: null, takenVersions: [] })
    const earlier = await designer.call(getBuildSettings, { params, query: { manifestVersion: '1.0.0' } })
    expect(earlier.manifestProperties[0]?.configurationBuild).toEqual(saved.manifestProperties.configurationBuild)
    expect(earlier.manifestProperties[0]?.packageProperties.connectionPoolInfo.password).toBe('********')
    expect((await designer.call(compareBuild, { params, body: {} })).version).toBe('1.0.0')
    expect(run.mock.calls.map(([name]) => name)).toEqual(['buildSettings', 'buildSettings', 'packageBreaks'])
    const { packageId } = await designer.call(buildManifest, { params, body: {} })
    await built(designer, packageId)
    run.mockClear()
    expect((await designer.call(getBuildSettings, { params })).suggestion).toBeNull()
    expect(run.mock.calls.map(([name]) => name)).toEqual(['packageBreaks', 'buildSettings'])
    expect(run.mock.calls[0]?.[1]).not.toHaveProperty('next.configuration')
    run.mockRestore()
  })

  const shop = async () => {
    const { manifests } = await designer.call(listManifests, { query: { search: 'Shop' } })
    return manifests.find(({ name }) => name === 'Shop') ?? expect.fail('There is no Shop.')
  }
})
