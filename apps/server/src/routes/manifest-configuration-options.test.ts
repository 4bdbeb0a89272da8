import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Configuration, newConfiguration, readConfiguration } from '@cadmus/model/configuration'
import {
  createManifest,
  createManifestByWizard,
  getManifestConfiguration,
  saveManifestConfiguration,
} from '@cadmus/model/contract/manifest'
import { signInHeader } from '@cadmus/model/contract/routes'
import { getSession } from '@cadmus/model/contract/sso'
import { holds } from '@cadmus/testing/holds'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('Configuration limits of an organisation', store => {
  let server: TestConsole
  let admin: ConsoleClient
  let designer: ConsoleClient
  beforeAll(async () => {
    server = await startConsole({ store })
    admin = await server.as('admin')
    designer = await server.as('designer')
  })
  afterAll(() => server.stop())

  let count = 0
  const made = async (client: ConsoleClient) =>
    (await client.call(createManifest, { body: { manifestName: `Optional${++count}` } })).manifest.id
  const read = async (client: ConsoleClient, id: number) => {
    const { answer, etag } = await client.callWithTag(getManifestConfiguration, { params: { id } })
    return { configuration: readConfiguration(answer.manifestProperties), etag }
  }
  const service = {
    applyMultiTenancy: true,
    applyCustomField: true,
    applySot: true,
    sotEntities: [],
  }
  const withService = { configurationBuild: { serviceConfiguration: service } }

  it('service options are rejected except in the service organisation', holds('M2.126', 'M3.24'), async () => {
    const own = await made(admin)
    await admin.call(saveManifestConfiguration, { params: { id: own }, body: withService, ifMatch: '*' })
    expect((await read(admin, own)).configuration.configurationBuild.serviceConfiguration).toEqual(service)
    const others = await made(designer)
    const save = { params: { id: others }, body: withService, ifMatch: '*' }
    const { status, answer } = await designer.refusal(saveManifestConfiguration, save)
    expect([status, answer.message]).toEqual([403, 'Service options cannot be set in this organisation.'])
    const body = { manifestName: `Optional${++count}`, manifestProperties: withService }
    expect((await designer.refusal(createManifestByWizard, { body })).status).toBe(403)
    const untouched = await read(designer, others)
    expect(untouched.configuration.configurationBuild.serviceConfiguration.applySot).toBe(false)
  })

  it('the session reports whether the organisation has service options', async () => {
    const requested = async (client: ConsoleClient) =>
      (await client.call(getSession, { headers: { [signInHeader]: '1' } })).organisation
    expect(await requested(admin)).toMatchObject({ code: 'CADMUS', serviceOptions: true })
    expect(await requested(designer)).toMatchObject({ code: 'ACME', serviceOptions: false })
  })

  it('a former service organisation keeps its options and can only disable them', async () => {
    const id = await made(admin)
    const params = { id }
    await admin.call(saveManifestConfiguration, { params, body: withService, ifMatch: '*' })
    const { port } = new URL(server.url)
    await server.restart({ CADMUS_PORT: port, CADMUS_SERVICE_ORGANISATION: 'ACME' })
    const stored = await read(admin, id)
    stored.configuration.configurationBuild.sqlConfiguration.applyJoin = true
    await admin.call(saveManifestConfiguration, { params, body: stored.configuration, ifMatch: stored.etag })
    const more = { configurationBuild: { serviceConfiguration: { ...service, applyCustomField: false } } }
    expect((await admin.refusal(saveManifestConfiguration, { params, body: more, ifMatch: '*' })).status).toBe(403)
    const { serviceConfiguration } = newConfiguration('').configurationBuild
    const off = { configurationBuild: { serviceConfiguration } }
    await admin.call(saveManifestConfiguration, { params, body: off, ifMatch: '*' })
    expect((await read(admin, id)).configuration.configurationBuild.serviceConfiguration.applySot).toBe(false)
    await server.restart({ CADMUS_PORT: port })
  })

  const wizard = (body: object) =>
    designer.call(createManifestByWizard, { body: { manifestName: `Optional${++count}`, ...body } })
  const api = ({ configurationBuild }: Configuration) => configurationBuild.apiConfiguration.type

  it('the kind of generation determines an API over the database, or none', holds('M3.75', 'M7.14'), async () => {
    const none = await wizard({ generateType: 'Database' })
    expect(none.generateType).toBe('Database')
    expect(api((await read(designer, none.manifest.id)).configuration)).toEqual([])
    const rest = await wizard({ generateType: 'DatabaseApi' })
    expect(rest.generateType).toBe('DatabaseApi')
    expect(api((await read(designer, rest.manifest.id)).configuration)).toEqual(['REST'])
    const apiConfiguration = { type: ['SOAP'], security: 'BASIC' }
    const manifestProperties = { configurationBuild: { apiConfiguration } }
    const both = await wizard({ generateType: 'DatabaseApi', manifestProperties })
    const { configuration } = await read(designer, both.manifest.id)
    expect(configuration.configurationBuild.apiConfiguration).toMatchObject({
      type: ['REST', 'SOAP'],
      security: 'BASIC',
    })
    const taken = await wizard({ generateType: 'Database', manifestProperties })
    expect(api((await read(designer, taken.manifest.id)).configuration)).toEqual([])
    const copied = await wizard({ generateType: 'DatabaseApi', duplicateManifest: taken.manifest.id })
    const copy = (await read(designer, copied.manifest.id)).configuration.configurationBuild.apiConfiguration
    expect(copy).toMatchObject({ type: ['REST'], security: 'BASIC' })
    for (const reported of [{}, { generateType: 'Manifest' }]) {
      const { generateType, manifest } = await wizard(reported)
      expect([generateType, api((await read(designer, manifest.id)).configuration)]).toEqual(['Manifest', []])
    }
    const wrong = { manifestName: 'Wrong', generateType: 'Everything' }
    expect((await designer.send(createManifestByWizard, { body: wrong } as never)).status).toBe(400)
  })

  it('options outside the licence cannot be chosen or generated', holds('M3.60', 'M3.61'), async () => {
    const { shared } = server.context.store
    const licensed = (limits: string) =>
      shared.updateTable('organisation').set({ licence_limits: limits }).where('code', '=', 'ACME').execute()
    const before = await shared.selectFrom('organisation').select('licence_limits').where('code', '=', 'ACME').execute()
    const id = await made(designer)
    const choose = async (type: string) => {
      const body = { configurationBuild: { apiConfiguration: { type: [type] } } }
      return (await designer.send(saveManifestConfiguration, { params: { id }, body, ifMatch: '*' })).status
    }
    await licensed('rs=0|gqls=1')
    expect([await choose('REST'), await choose('GRAPHQL'), await choose('SOAP')]).toEqual([400, 200, 200])
    const body = { manifestName: `Optional${++count}`, generateType: 'DatabaseApi' as const }
    const { status, answer } = await designer.refusal(createManifestByWizard, { body })
    expect([status, answer.message]).toEqual([
      400,
      'The licence of the organisation does not include REST: it allows SOAP, GraphQL.',
    ])
    await licensed('rs=1|gqls=0')
    expect([await choose('REST'), await choose('GRAPHQL')]).toEqual([200, 400])
    await licensed(before[0]?.licence_limits ?? '')
  })

  it(
    'a secret is kept with its renamed property; an unknown secret must be entered again',
    holds('M3.15'),
    async () => {
      const id = await made(designer)
      const params = { id }
      const properties = (customProperties: object[]) => ({ packageProperties: { customProperties } })
      const first = properties([
        { name: 'key', value: 'Lion-1', secret: true },
        { name: 'token', value: 'Lion-2', secret: true },
      ])
      const { manifestProperties } = await designer.call(saveManifestConfiguration, {
        params,
        body: first,
        ifMatch: '*',
      })
      const stored = '********'
      const renamed = properties([
        { ...manifestProperties.packageProperties.customProperties[0], name: 'apiKey' },
        { name: 'token', value: stored, secret: true },
      ])
      await designer.call(saveManifestConfiguration, { params, body: renamed, ifMatch: '*' })
      expect(await sealedValues(id)).toEqual(['Lion-1', 'Lion-2'])
      for (const value of [stored, `${stored} Lion-3`]) {
        const body = properties([
          { name: 'apiKey', value: stored, secret: true },
          { name: 'token', value: stored, secret: true },
          { name: 'x', value, secret: true },
        ])
        const { status, answer } = await designer.refusal(saveManifestConfiguration, { params, body, ifMatch: '*' })
        const path = 'packageProperties.customProperties.2.value'
        const message = 'The value of "x" is no longer stored: enter it again.'
        expect([status, answer.errors]).toEqual([400, [{ path, message }]])
        expect(JSON.stringify(answer)).not.toContain('Lion')
      }
    },
  )

  it('concurrent additions to a list are merged; conflicting queries are 409, without values of secrets', async () => {
    const id = await made(designer)
    const params = { id }
    const query = (name: string, field = 'id') => ({
      name,
      entity: 'Order',
      columns: [{ field, type: 'COUNT' as const, alias: 'n' }],
    })
    const property = (value: string) => ({ name: 'key', value, secret: true })
    const { configuration: first, etag: start } = await read(designer, id)
    first.configurationBuild.aggregateQueries = [query('shared')]
    first.packageProperties.customProperties = [property('Lion-1')]
    const { etag } = await designer.callWithTag(saveManifestConfiguration, { params, body: first, ifMatch: start })
    const started = await read(designer, id)
    const saving = (name: string) => {
      const body = structuredClone(started.configuration)
      body.configurationBuild.aggregateQueries.push(query(name))
      return designer.callWithTag(saveManifestConfiguration, { params, body, ifMatch: etag })
    }
    await saving('mine')
    await saving('theirs')
    const { configuration: both } = await read(designer, id)
    const names = both.configurationBuild.aggregateQueries.map(({ name }) => name)
    expect(names.toSorted()).toEqual(['mine', 'shared', 'theirs'])

    const changing = (field: string, secret: string) => {
      const body = structuredClone(started.configuration)
      body.configurationBuild.aggregateQueries = [query('shared', field)]
      body.packageProperties.customProperties = [property(secret)]
      return { params, body, ifMatch: etag }
    }
    await designer.call(saveManifestConfiguration, changing('price', 'Lion-2'))
    const { status, answer } = await designer.refusal(saveManifestConfiguration, changing('amount', 'Lion-3'))
    expect(status).toBe(409)
    expect(answer.conflicts?.map(({ path, field }) => [path, field])).toEqual([
      ['packageProperties.customProperties.key', 'value'],
      ['configurationBuild.aggregateQueries.order: shared', 'columns'],
    ])
    expect(answer.conflicts?.[0]).toMatchObject({ base: null, mine: null, theirs: null })
    expect(JSON.stringify(answer)).not.toMatch(/Lion|v1\./)
  })

  /** The stored secrets, decrypted. */
  async function sealedValues(id: number): Promise<string[]> {
    const { shared } = server.context.store
    const acme = await shared
      .selectFrom('organisation')
      .select('id')
      .where('code', '=', 'ACME')
      .executeTakeFirstOrThrow()
    const db = server.context.store.of(acme.id)
    const result = await db
      .selectFrom('manifest')
      .innerJoin('content', join =>
        join
          .onRef('content.organisation_id', '=', 'manifest.organisation_id')
          .onRef('content.hash', '=', 'manifest.configuration_hash'),
      )
      .select('content.body')
      .where('manifest.organisation_id', '=', acme.id)
      .where('content.organisation_id', '=', acme.id)
      .where('manifest.id', '=', id)
      .executeTakeFirstOrThrow()
    const { customProperties } = readConfiguration(JSON.parse(result.body)).packageProperties
    return customProperties.map(({ value }) => server.context.secrets.decrypt(value) ?? '')
  }
})
