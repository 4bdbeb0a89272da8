import { getEntity } from '@cadmus/model/contract/entity'
import {
  deleteManifest,
  getManifest,
  getManifestConfiguration,
  listManifestEntities,
  listManifests,
  listManifestVersions,
} from '@cadmus/model/contract/manifest'
import { exportManifest, validateManifest } from '@cadmus/model/contract/manifest-transfer'
import { readConfiguration } from '@cadmus/model/configuration'
import { listEntityReferences } from '@cadmus/model/contract/references'
import { holds } from '@cadmus/testing/holds'
import { readArchive } from '@cadmus/formats/archive'
import { postgresAvailability } from '@cadmus/testing/availability'
import { startPostgres } from '@cadmus/testing/postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDemoData } from './shop.ts'
import type { ConsoleClient } from '../testing/client.ts'
import { describeOnBothStores, startConsole, type TestConsole } from '../testing/console.ts'

describeOnBothStores.whenProving('The example manifest Shop', store => {
  let console: TestConsole
  let designer: ConsoleClient
  beforeAll(async () => {
    console = await startConsole({ store })
    designer = await console.as('designer')
  })
  afterAll(() => console.stop())

  async function shop() {
    const { manifests } = await designer.call(listManifests, { query: { search: 'shop', filter: 'PRIVATE' } })
    return { id: manifests[0]?.id ?? 0 }
  }

  it('Decisions §9 ACME starts with Shop, a dozen custom entities and one sub-manifest; CADMUS starts empty', async () => {
    const { manifest } = await designer.call(getManifest, { params: await shop() })
    expect(manifest.entityPaths).toHaveLength(12)
    expect(manifest.entityPaths[1]).toMatchObject({ name: 'Customer', path: 'user-defined/Shop/Customer' })
    expect(manifest.subManifestPaths.map(item => item.name)).toEqual(['Catalogue'])
    const others = await console.bootstrap('CADMUS').call(listManifests, { query: { filter: 'PRIVATE' } })
    expect(others.manifests).toEqual([])
  })

  it(
    'the example manifest Shop has relationships only within it, across the sub-manifest and through inheritance',
    holds('M3.8'),
    async () => {
      const { manifest } = await designer.call(getManifest, { params: await shop() })
      expect(manifest.relationships).toContainEqual({
        fromEntity: 'SalesOrderLine',
        fromEntityAttribute: 'productId',
        toEntity: 'Product',
        toEntityAttribute: 'productId',
      })
      const ofOrders = manifest.relationships.filter(({ fromEntity }) => fromEntity === 'SalesOrder')
      expect(ofOrders.map(one => [one.fromEntityAttribute, one.toEntity, one.toEntityAttribute])).toEqual([
        ['accountId', 'Account', 'accountId'],
        ['contactId', 'Contact', 'contactId'],
        ['priceListId', 'PriceList', 'priceListId'],
        ['shippingAddressId', 'Address', 'addressId'],
        ['billingAddressId', 'Address', 'addressId'],
      ])
      const { entity: list } = await designer.call(listManifestEntities, {
        params: await shop(),
        query: { search: 'cust' },
      })
      const customer = list.find(item => item.name === 'Customer')
      const { entity } = await designer.call(getEntity, { params: { id: customer?.id ?? 0 } })
      expect(entity.extendsEntity?.path).toBe('user-defined/Shop/Account')
    },
  )

  it(
    'the example manifest Shop has a configuration, which is extended in its second version',
    holds('M1.5', 'M3.9', 'M3.12'),
    async () => {
      const { id } = await shop()
      const { manifestProperties } = await designer.call(getManifestConfiguration, { params: { id } })
      const { manifestName, configurationBuild: build } = readConfiguration(manifestProperties)
      expect(manifestName).toBe('Shop')
      expect(build.apiConfiguration).toEqual({
        type: ['REST'],
        security: 'OAUTH2',
        excludeOperations: ['SalesOrder.salesOrderId.delete'],
      })
      expect(build.apiScopeConfiguration).toMatchObject({ enableRbac: true, globalScopes: ['shop.admin'] })
      expect(build.apiScopeConfiguration.scopeDefinitions).toHaveLength(3)
      expect(build.aggregateQueries.map(({ name }) => name)).toEqual(['revenueByStatus', 'ratingByProduct'])
      const { manifestVersions } = await designer.call(listManifestVersions, { params: { id } })
      expect(manifestVersions.map(({ VERSION }) => VERSION)).toEqual(['1.1.0', '1.0.0'])
      const { manifest: now } = await designer.call(getManifest, { params: { id } })
      expect(now.configuration).toEqual(manifestProperties)
      const { manifest: then } = await designer.call(getManifest, { params: { id }, query: { version: '1.0.0' } })
      const { configurationBuild: before } = readConfiguration(then.configuration)
      expect([before.apiConfiguration.type, before.aggregateQueries]).toEqual([['REST'], []])
    },
  )

  it('the example manifest Shop has queries that follow renamed objects', async () => {
    const { id } = await shop()
    const { entity: result } = await designer.call(listManifestEntities, {
      params: { id },
      query: { search: 'SalesOrder' },
    })
    const order = result.find(({ name }) => name === 'SalesOrder')
    const query = { limit: 100 }
    const { references } = await designer.call(listEntityReferences, { params: { id: order?.id ?? 0 }, query })
    const kinds = references.map(({ kind, item }) => `${kind} ${item}`)
    expect(kinds).toContain('aggregateQuery revenueByStatus')
    expect(kinds).toContain('excludedOperation SalesOrder.salesOrderId.delete')
  })

  it('validates without error or warning', holds('M7.34'), async () => {
    const { problems } = await designer.call(validateManifest, { params: await shop() })
    // Notes about licensed databases appear for every model.
    expect(problems.filter(problem => problem.severity !== 'note')).toEqual([])
  })

  it.skipIf(!postgresAvailability().present)(
    'exports a schema that runs on PostgreSQL',
    holds('M7.36', 'M7.37', 'M7.40'),
    async () => {
      const { bytes, fileName } = await designer.download(exportManifest, {
        params: await shop(),
        body: { databaseType: 'postgresql' },
      })
      expect(fileName).toBe('Shop-postgresql.zip')
      const files = readArchive(bytes)
      expect([...files.keys()]).toEqual(['Shop.sql'])
      const script = files.get('Shop.sql') ?? ''
      const database = await (await startPostgres()).createDatabase()
      await database.execute(typeof script === 'string' ? script : new TextDecoder().decode(script))
      const tables = await database.query(
        "select table_name from information_schema.tables where table_schema = 'public'",
      )
      expect(tables).toHaveLength(19)
      await database.drop()
    },
  )

  it('the example manifest Shop is not recreated after deletion', async () => {
    await designer.call(deleteManifest, { params: await shop(), query: { onReferences: 'keep' } })
    await createDemoData(console.context)
    expect(await shop()).toEqual({ id: 0 })
  })
})
