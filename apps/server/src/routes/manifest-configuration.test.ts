import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Configuration, readConfiguration } from '@cadmus/model/configuration'
import {
  addManifestVersion,
  createManifest,
  createManifestByWizard,
  getManifestConfiguration,
  listManifestLogs,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

/** A placeholder unique to its stored secret. */
const marked = /^\*{8} [\w-]{22}$/

describeOnBothStores.whenProving('The configuration of a manifest', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  let count = 0
  async function made() {
    const { manifest } = await designer.call(createManifest, { body: { manifestName: `Configured${++count}` } })
    return manifest
  }

  async function read(id: number): Promise<{ configuration: Configuration; etag: string }> {
    const { answer, etag } = await designer.callWithTag(getManifestConfiguration, { params: { id } })
    return { configuration: readConfiguration(answer.manifestProperties), etag }
  }

  async function save(id: number, body: unknown, ifMatch: string) {
    return designer.callWithTag(saveManifestConfiguration, { params: { id }, body, ifMatch })
  }

  /** The configuration with another password and another connection. */
  function connected(configuration: Configuration, connection: object): Configuration {
    const { packageProperties } = configuration
    const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, ...connection }
    return { ...configuration, packageProperties: { ...packageProperties, connectionPoolInfo } }
  }

  it(
    'the configuration of a manifest has defaults in a new manifest',
    holds('M7.46', 'M3.12', 'M3.13', 'M3.18', 'M3.20', 'M3.21', 'M3.26'),
    async () => {
      const { id, name } = await made()
      // Unparsed, because parsing by the contract fills in defaults.
      const answer = await designer.send(getManifestConfiguration, { params: { id } })
      expect(answer.status).toBe(200)
      const sqlSwitches = { applyCoalesce: false, applyLimitOffset: false, applyJoin: false }
      const serviceSwitches = { applyMultiTenancy: false, applyCustomField: false, applySot: false }
      expect(await answer.json()).toMatchObject({
        manifestProperties: {
          manifestName: name,
          packageProperties: { connectionPoolInfo: { type: 'MYSQL', password: '' }, customProperties: [] },
          configurationBuild: {
            apiConfiguration: { type: [], security: 'NONE', excludeOperations: [] },
            sqlConfiguration: { applyAutoIncrement: true, ...sqlSwitches },
            serviceConfiguration: { ...serviceSwitches, sotEntities: [] },
          },
        },
      })
      const body = { configurationBuild: { apiConfiguration: { security: 'KERBEROS' } } }
      const refused = await designer.refusal(saveManifestConfiguration, { params: { id }, body, ifMatch: '*' })
      expect([refused.status, refused.answer.errors?.[0]?.path]).toEqual([
        400,
        'configurationBuild.apiConfiguration.security',
      ])
    },
  )

  it(
    'the configuration of a manifest is returned as saved; invalid values are rejected with their path',
    holds('M7.47', 'M3.14', 'M3.16', 'M3.17'),
    async () => {
      const { id } = await made()
      const { configuration, etag } = await read(id)
      const url = 'jdbc:mysql://db/shop'
      const { packageProperties, ...rest } = connected(configuration, { url, databaseName: 'shop', username: 'sa' })
      const customProperties = [
        { name: 'zulu', value: '1', secret: false },
        { name: 'alpha', value: '2', secret: false },
      ]
      const { apiConfiguration, ...build } = rest.configurationBuild
      const requested = {
        ...rest,
        packageProperties: { ...packageProperties, customProperties },
        configurationBuild: { ...build, apiConfiguration: { ...apiConfiguration, type: ['REST', 'SOAP', 'GRAPHQL'] } },
      }
      await save(id, requested, etag)
      expect((await read(id)).configuration).toEqual(requested)
      const wrong = { configurationBuild: { apiConfiguration: { type: ['XML'] } } }
      const { status, answer } = await designer.refusal(saveManifestConfiguration, {
        params: { id },
        body: wrong,
        ifMatch: '*',
      })
      expect([status, answer.errors?.[0]?.path]).toEqual([400, 'configurationBuild.apiConfiguration.type.0'])
    },
  )

  it('never returns, logs or stores a readable secret; placeholders keep the stored one', holds('M3.15'), async () => {
    const { id } = await made()
    const { configuration, etag } = await read(id)
    const requested = connected(configuration, { password: 'Tiger-9213' })
    requested.packageProperties.customProperties = [{ name: 'apiKey', value: 'Lion-4711', secret: true }]
    const { etag: saved } = await save(id, requested, etag)
    const shown = await read(id)
    expect(shown.configuration.packageProperties.connectionPoolInfo.password).toMatch(marked)
    expect(shown.configuration.packageProperties.customProperties[0]?.value).toMatch(marked)
    await save(id, connected(shown.configuration, { username: 'other' }), saved)
    const { manifestLogs } = await designer.call(listManifestLogs, { query: {} })
    const rows = await console.context.store
      .of(await acme())
      .selectFrom('content')
      .select('body')
      .where('organisation_id', '=', await acme())
      .execute()
    const everything = JSON.stringify([manifestLogs, rows, console.log])
    expect(everything).not.toMatch(/Tiger-9213|Lion-4711/)
    const sealed = rows.map(row => row.body).filter(body => body.includes('"username":"other"') && body.includes('v1.'))
    const stored = readConfiguration(JSON.parse(sealed[0] ?? '{}')).packageProperties
    expect(console.context.secrets.decrypt(stored.connectionPoolInfo.password)).toBe('Tiger-9213')
    expect(console.context.secrets.decrypt(stored.customProperties[0]?.value ?? '')).toBe('Lion-4711')
  })

  it('requires a secret again when it becomes public, because a placeholder is not a value', async () => {
    const { id } = await made()
    const { configuration, etag } = await read(id)
    const { packageProperties } = configuration
    const withValue = (value: string, secret: boolean) => {
      const customProperties = [{ name: 'apiKey', value, secret }]
      return { ...configuration, packageProperties: { ...packageProperties, customProperties } }
    }
    const { etag: stored } = await save(id, withValue('Lion-4711', true), etag)
    const { status, answer } = await designer.refusal(saveManifestConfiguration, {
      params: { id },
      body: withValue('********', false),
      ifMatch: stored,
    })
    expect([status, answer.errors]).toEqual([
      400,
      [
        {
          path: 'packageProperties.customProperties.0.value',
          message: 'The value of "apiKey" was secret and cannot be shown: enter it again.',
        },
      ],
    ])
    await save(id, withValue('east', false), stored)
    expect((await read(id)).configuration.packageProperties.customProperties[0]?.value).toBe('east')
  })

  it('Decisions §4 a stale save is merged by field; fields changed by both are a 409 with both values', async () => {
    const { id } = await made()
    const { configuration, etag } = await read(id)
    await save(id, connected(configuration, { username: 'mine', url: 'a' }), etag)
    await save(id, connected(configuration, { databaseName: 'theirs' }), etag)
    const { configuration: both } = await read(id)
    expect(both.packageProperties.connectionPoolInfo).toMatchObject({
      username: 'mine',
      url: 'a',
      databaseName: 'theirs',
    })
    const body = connected(configuration, { url: 'b' })
    const { status, answer } = await designer.refusal(saveManifestConfiguration, {
      params: { id },
      body,
      ifMatch: etag,
    })
    expect(status).toBe(409)
    expect(answer.conflicts).toMatchObject([{ field: 'url', base: '', mine: 'b', theirs: 'a' }])
    const without = await designer.send(saveManifestConfiguration, { params: { id }, body })
    expect(without.status).toBe(428)
    await save(id, body, '*')
    expect((await read(id)).configuration).toEqual(body)
  })

  it('Decisions §2 a change made for one version does not affect another version, as with an entity', async () => {
    const { id } = await made()
    const { configuration, etag } = await read(id)
    const body = connected(configuration, { username: 'forTheFirst' })
    const saving = (version: string) => ({ params: { id }, query: { version }, body, ifMatch: etag })
    const unknown = await designer.refusal(saveManifestConfiguration, saving('9.9.9'))
    expect(unknown.status).toBe(404)
    await designer.call(addManifestVersion, { params: { id }, query: { version: '1.1.0' } })
    const { status, answer } = await designer.refusal(saveManifestConfiguration, saving('1.0.0'))
    expect([status, answer.code, answer.message]).toEqual([403, 'locked', 'Only the latest version can be edited.'])
    expect((await read(id)).configuration).toEqual(configuration)
    await designer.call(saveManifestConfiguration, saving('1.1.0'))
    expect((await read(id)).configuration).toEqual(body)
  })

  it(
    'the configuration of a manifest is set by the wizard and copied to a duplicate',
    holds('M2.123', 'M3.73'),
    async () => {
      const manifestProperties = { configurationBuild: { sqlConfiguration: { applyJoin: true } } }
      const first = await designer.call(createManifestByWizard, {
        body: { manifestName: 'WithSettings', manifestProperties },
      })
      const body = { manifestName: 'WithSettings2', duplicateManifest: first.manifest.id }
      const second = await designer.call(createManifestByWizard, { body })
      const { configuration } = await read(second.manifest.id)
      expect(configuration.manifestName).toBe('WithSettings2')
      expect(configuration.configurationBuild.sqlConfiguration.applyJoin).toBe(true)
    },
  )

  async function acme(): Promise<number> {
    const { shared } = console.context.store
    return (await shared.selectFrom('organisation').select('id').where('code', '=', 'ACME').executeTakeFirstOrThrow())
      .id
  }
})
