import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '@cadmus/model/testing/builders'
import { packageDatabases, packageDatabaseTable } from '@cadmus/model/database-types'
import { adjustApiTypes, readConfiguration } from '@cadmus/model/configuration'
import { graphQlFaults } from '@cadmus/testing/graphql-check'
import { openApiFaults } from '@cadmus/testing/openapi-lint'
import { operationsInWsdl } from '@cadmus/testing/wsdl-check'
import { describe, expect, it } from 'vitest'
import { readArchive, writeArchive } from '../archive.ts'
import { exportableModels } from '../testing/exportable-model.ts'
import { conformanceFaults } from '../testing/model-conformance.ts'
import {
  aConfiguration,
  aPackageSource,
  aShop,
  withOrderLines,
  withOtherIds,
  withSlots,
} from '../testing/built-packages.ts'
import { readXml } from '../xml.ts'
import { packageModelOf } from './package-model.ts'
import { readPackages } from './read.ts'
import { anonymousDelivery, deliver, isPasswordLeftOut } from './delivery.ts'
import { writePackage, type PackageInput } from './write.ts'

const secrets = ['s3cret-of-the-database', 's3cret-of-the-key']
const configuration = aConfiguration({
  connection: { password: secrets[0] },
  properties: [
    { name: 'region', value: 'north = 1\tcafé', secret: false },
    { name: 'api.key', value: secrets[1] ?? '', secret: true },
    { name: 'colour', value: '', secret: false },
  ],
  aggregates: [
    {
      name: 'creditByLevel',
      entity: 'Customer',
      columns: [
        { field: 'level', type: 'GROUPBY', alias: 'level' },
        { field: 'credit', type: 'SUM', alias: 'creditSum' },
      ],
    },
  ],
})

describe('writing a package', () => {
  it('a package has the files of the documented format', () => {
    const files = writePackage(anInput())
    expect([...files.keys()].filter(path => !/services/.test(path)).toSorted()).toEqual([
      'sales-2/code/sales_2/api/sales_2.api',
      'sales-2/code/sales_2/api/sales_2.graphql',
      'sales-2/code/sales_2/api/sales_2_soap.api',
      'sales-2/code/sales_2/config/Setup.gloop',
      'sales-2/code/sales_2/models/Customer.model',
      'sales-2/code/sales_2/models/Item.model',
      'sales-2/code/sales_2/models/Order.model',
      'sales-2/conf/package.xml',
      'sales-2/conf/properties/package.properties',
      'sales-2/resources/cadmus/model.json',
      'sales-2/resources/openapi.json',
      'sales-2/resources/readme/readme.md',
      'sales-2/resources/sales-2.wsdl',
      'sales-2/resources/schema/postgresql.sql',
    ])
    expect(namesIn(files, 'services/customer')).toEqual([
      'AggregateCustomerCreditByLevel',
      'DeleteCustomer',
      'InsertCustomer',
      'SelectAllCustomer',
      'SelectCustomer',
      'UpdateCustomer',
    ])
    expect(namesIn(files, 'services/order')).toEqual([
      'DeleteOrder',
      'InsertOrder',
      'SelectAllOrder',
      'SelectAllOrderByCustomer',
      'SelectOrder',
      'UpdateOrder',
    ])
    expect(namesIn(files, 'services_sql/customer')).toEqual([
      'AggregateCustomerCreditByLevel',
      'DeleteCustomer',
      'InsertCustomer',
      'SelectAllCustomer',
      'SelectCountAllCustomer',
      'SelectCountAllCustomerNoFilter',
      'SelectCustomer',
      'UpdateCustomer',
    ])
  })

  it('services and addresses of a key of several attributes have all its parts, in order', () => {
    const files = writePackage(anInput({ resolvedModel: withSlots(shop) }))
    const gloop = (path: string) => JSON.parse(files.get(`sales-2/code/sales_2/${path}`) ?? '')
    const { paths } = gloop('api/sales_2.api')
    expect(Object.keys(paths).filter(path => path.startsWith('/slot'))).toEqual([
      '/slot',
      '/slot/{day}/{shelf}',
      '/slot/{day}/{shelf}/booking',
    ])
    for (const path of ['/slot/{day}/{shelf}', '/slot/{day}/{shelf}/booking'])
      expect(paths[path].get.parameters.slice(0, 2)).toMatchObject([{ name: 'day' }, { name: 'shelf' }])
    const queryOf = (name: string) => gloop(`services_sql/slot/${name}.gloop`).query
    expect(queryOf('SelectSlot')).toMatch(/WHERE "day" = :day AND "shelf" = :shelf$/)
    expect(queryOf('DeleteSlot')).toMatch(/WHERE "day" = :day AND "shelf" = :shelf$/)
    expect(queryOf('UpdateSlot')).toMatch(/SET "code" = .*, "note" = .* WHERE "day" = :day AND "shelf" = :shelf$/)
    expect(queryOf('SelectAllSlot')).toContain('ORDER BY "day", "shelf"')
    const related = gloop('services/booking/SelectAllBookingBySlot.gloop')
    expect(related.input.slice(0, 2)).toMatchObject([{ name: 'day' }, { name: 'shelf' }])
    // The bookings have the slot's code, which its address does not.
    expect(JSON.stringify(related.steps)).toContain('foundSlot')
    const openApi = JSON.parse(textOf(files.get('sales-2/resources/openapi.json')))
    expect(openApi.paths['/slot/{day}/{shelf}'].parameters).toMatchObject([
      { name: 'day', in: 'path', schema: { format: 'date' } },
      { name: 'shelf', in: 'path', schema: { maxLength: 10 } },
    ])
  })

  it('services of relations over several attributes compare all of them', () => {
    const files = writePackage(anInput({ resolvedModel: withOrderLines(shop) }))
    const gloop = (path: string) => JSON.parse(files.get(`sales-2/code/sales_2/${path}`) ?? '')
    const { get } = gloop('api/sales_2.api').paths['/orderline/{orderId}/{lineNo}/shipment']
    expect(get.parameters.slice(0, 2)).toMatchObject([{ name: 'orderId' }, { name: 'lineNo' }])
    const list = gloop('services_sql/shipment/SelectAllShipmentByOrderLine.gloop')
    expect(list.query).toMatch(/WHERE "orderId" = :orderId AND "lineNo" = :lineNo AND /)
    const inputs = list.input[0].gloopProperties.map(({ name }: { name: string }) => name)
    expect(inputs).toEqual(expect.arrayContaining(['orderId', 'lineNo']))
    for (const service of ['SelectAllShipmentByOrderLine', 'SelectOrderLine']) {
      const folder = service === 'SelectOrderLine' ? 'orderline' : 'shipment'
      const text = JSON.stringify(gloop(`services/${folder}/${service}.gloop`).steps)
      for (const field of ['orderId', 'lineNo'])
        expect(text).toMatch(
          new RegExp(`foundOrderLine[^}]*${field}[^}]*SelectAllShipmentByOrderLineInput[^}]*${field}`),
        )
    }
    const insert = JSON.stringify(gloop('services/shipment/InsertShipment.gloop').steps)
    expect(insert).toContain('shipment.orderId != null && shipment.lineNo != null')
  })

  it('a package has a package.xml and properties in the format of the platform', () => {
    const files = writePackage(anInput())
    const root = readXml(files.get('sales-2/conf/package.xml') ?? '')
    expect(root.name).toBe('package')
    expect([...root.attributes]).toEqual([
      ['stateOnStartup', 'started'],
      ['id', 'acme.sales_2'],
      ['version', '1.0.3'],
      ['context-path', '/sales_2'],
    ])
    expect(root.children.map(({ name }) => name)).toEqual([
      'package-dependencies',
      'startup-services',
      'shutdown-services',
    ])
    expect(root.children[1]?.children[0]?.text).toBe('gloop:sales_2.config.Setup/sales_2.config.Setup')
    expect(files.get('sales-2/conf/properties/package.properties')).toBe(
      [
        'database.name=shop',
        'database.type=postgres',
        'postgres.driver=org.postgresql.Driver',
        'postgres.connection.url=jdbc:postgresql://localhost:5432/shop',
        'postgres.username=keeper',
        'postgres.password=${database.password}',
        'region=north = 1\\tcaf\\u00E9',
        'api.key=${secret.api.key}',
        'colour=',
        '',
      ].join('\n'),
    )
  })

  it.each(packageDatabases)('a package states its database under the name used in its properties: %s', type => {
    const connection = { type: packageDatabaseTable[type].configuration }
    const files = writePackage(anInput({ configuration: aConfiguration({ connection }) }))
    const [read] = readPackages(writeArchive(files))
    expect(read?.properties.get('database.type')).toBe(packageDatabaseTable[type].properties)
    expect(read?.properties.get(`${packageDatabaseTable[type].properties}.driver`)).toContain('.')
    expect(files.has(`sales-2/resources/schema/${type}.sql`)).toBe(true)
  })

  it('a package states oracle for every variant of Oracle', () => {
    for (const type of ['ORACLE', 'oracle10g', 'Oracle 23ai']) {
      const oracle = { ...configuration, packageProperties: { connectionPoolInfo: { type }, customProperties: [] } }
      const [read] = readPackages(writeArchive(writePackage(anInput({ configuration: readConfiguration(oracle) }))))
      expect(read?.properties.get('database.type')).toBe('oracle')
    }
  })

  it('a package contains only files that their parsers accept', async () => {
    const files = writePackage(anInput())
    const json = [...files].filter(([path]) => /\.(json|gloop|model|api)$/.test(path))
    expect(json.length).toBeGreaterThan(40)
    expect(json.map(([, text]) => typeof JSON.parse(text)).filter(kind => kind !== 'object')).toEqual([])
    expect(graphQlFaults(files.get('sales-2/code/sales_2/api/sales_2.graphql') ?? '')).toEqual([])
    expect(await openApiFaults(JSON.parse(files.get('sales-2/resources/openapi.json') ?? ''))).toEqual([])
    const ports = await operationsInWsdl(files.get('sales-2/resources/sales-2.wsdl') ?? '')
    expect(Object.keys(ports)).toEqual(['sales_2Soap', 'sales_2Soap12'])
    expect(ports['sales_2Soap12']).toContain('SelectAllOrderByCustomer')
    const models = [...files]
      .filter(([path]) => path.endsWith('.model'))
      .map(([path, text]) => [path.replace('sales-2/code/', ''), text] as const)
    expect(conformanceFaults(new Map(models))).toEqual([])
  })

  it('a package contains no secrets, and its delivery contains them if requested', () => {
    const zip = writeArchive(writePackage(anInput()))
    const archive = readArchive(zip)
    const whole = [...archive.keys()].map(path => textOf(archive.get(path))).join('\n')
    for (const secret of secrets) expect(whole).not.toContain(secret)
    const sender = { owner: 'of-acme', adopts: false }
    const filled = deliver(zip, sender, { password: 'p=ä\\', properties: new Map([['api.key', ' k']]) })
    const [read] = readPackages(filled)
    expect(read?.properties.get('postgres.password')).toBe('p=ä\\')
    expect(read?.properties.get('api.key')).toBe(' k')
    expect(read?.properties.get('region')).toBe('north = 1\tcafé')
    expect(read?.delivery).toEqual({ ...sender, secrets: true })
    const [open] = readPackages(deliver(zip, sender, null))
    expect(open?.properties.get('postgres.password')).toBe('${database.password}')
    expect(open?.delivery).toEqual({ ...sender, secrets: false })
    expect(readPackages(zip)[0]?.delivery).toEqual({ owner: null, adopts: false, secrets: false })
  })

  it.each(['a${b}c', '${database.password}', '${secret.api.key}', '$', '\\${x}', ' ${ '])(
    'a delivery passes the password %j to an instance unchanged',
    password => {
      const zip = writeArchive(writePackage(anInput()))
      const [read] = readPackages(deliver(zip, { owner: null, adopts: false }, { password, properties: new Map() }))
      expect(read?.properties.get('postgres.password')).toBe(password)
      expect(isPasswordLeftOut(password, read?.delivery ?? anonymousDelivery)).toBe(false)
    },
  )

  it('a package has identical bytes for the same model from different stores', () => {
    const first = writeArchive(writePackage(anInput()))
    expect(Buffer.compare(writeArchive(writePackage(anInput())), first)).toBe(0)
    const otherStore = anInput({ resolvedModel: withOtherIds(shop) })
    expect(Buffer.compare(writeArchive(writePackage(otherStore)), first)).toBe(0)
  })

  it('a package contains the model that it was built from', () => {
    for (const [at, resolvedModel] of exportableModels(25, 400, { checks: true }).entries()) {
      const input = anInput({ resolvedModel, name: `p-${at}` })
      const [read] = readPackages(writeArchive(writePackage(input)))
      expect(read?.model).toEqual(packageModelOf(input))
    }
  })

  it('a package has only the files of its enabled protocols', () => {
    const only = (types: ('REST' | 'SOAP' | 'GRAPHQL')[]) =>
      [...writePackage(anInput({ configuration: aConfiguration({ types }) })).keys()].filter(path =>
        /\/api\/|openapi|wsdl/.test(path),
      )
    expect(only(['REST'])).toEqual(['sales-2/code/sales_2/api/sales_2.api', 'sales-2/resources/openapi.json'])
    expect(only(['SOAP'])).toEqual(['sales-2/code/sales_2/api/sales_2_soap.api', 'sales-2/resources/sales-2.wsdl'])
    expect(only(['GRAPHQL'])).toEqual(['sales-2/code/sales_2/api/sales_2.graphql'])
  })

  it('a package generated for the database only contains just the schema', () => {
    const files = writePackage(anInput({ configuration: adjustApiTypes(configuration, 'Database') }))
    expect([...files.keys()].toSorted()).toEqual([
      'sales-2/code/sales_2/config/Setup.gloop',
      'sales-2/conf/package.xml',
      'sales-2/conf/properties/package.properties',
      'sales-2/resources/cadmus/model.json',
      'sales-2/resources/readme/readme.md',
      'sales-2/resources/schema/postgresql.sql',
    ])
  })

  it('a package omits excluded operations but keeps the reads that foreign key checks need', () => {
    const excluded = ['Customer.get', 'Customer.id.get', 'Customer.post']
    const files = writePackage(anInput({ configuration: aConfiguration({ excluded }) }))
    expect(namesIn(files, 'services/customer')).toEqual(['DeleteCustomer', 'UpdateCustomer'])
    expect(namesIn(files, 'services_sql/customer')).toEqual(['DeleteCustomer', 'SelectCustomer', 'UpdateCustomer'])
  })

  it('a package service checks foreign keys and the existence of the record before a change', () => {
    const files = writePackage(anInput())
    const insert = files.get('sales-2/code/sales_2/services/order/InsertOrder.gloop') ?? ''
    expect(insert).toContain("'Customer' record not found.")
    expect(insert).toContain('"expression":"order.customerId != null"')
    expect(insert).toContain('"expression":"400"')
    const update = files.get('sales-2/code/sales_2/services/order/UpdateOrder.gloop') ?? ''
    expect(update).toContain("'Order' record not found.")
    expect(update).toContain('"expression":"404"')
    expect(JSON.parse(update)).toMatchObject({
      input: [{ name: 'order', type: 'model', reference: 'sales_2.models.Order' }],
      output: [
        { name: 'responseCode', type: 'integer', defaultValue: '200' },
        { name: 'APIResponse', type: 'model', reference: 'io.toro.martini.api.APIResponse' },
        { name: 'APIException', type: 'model', reference: 'io.toro.martini.api.APIException' },
      ],
    })
  })

  it('a package has SQL services with named parameters', () => {
    const files = writePackage(anInput({ configuration: aConfiguration({ sql: { applyCoalesce: true } }) }))
    const service = (name: string) =>
      JSON.parse(files.get(`sales-2/code/sales_2/services_sql/order/${name}.gloop`) ?? '')
    expect(service('SelectAllOrder')).toMatchObject({
      type: 'customSql',
      connectionPoolName: 'shop',
      sqlType: 'SELECT_MULTI',
      query:
        'SELECT "id", "number", "total", "customerId" FROM "Order" WHERE (:search = \'%\' OR LOWER("number") LIKE LOWER(:search)) ORDER BY "id" OFFSET :offset',
      input: [{ name: 'SelectAllOrderInput', type: 'model' }],
      output: [{ name: 'SelectAllOrderInputCursor', type: 'model', array: true }],
    })
    expect(service('UpdateOrder').query).toBe(
      'UPDATE "Order" SET "number" = COALESCE(:number, "number"), "total" = COALESCE(:total, "total"), "customerId" = COALESCE(:customerId, "customerId") WHERE "id" = :id',
    )
    expect(service('InsertOrder')).toMatchObject({
      sqlType: 'INSERT',
      query: 'INSERT INTO "Order" ("number", "total", "customerId") VALUES (:number, :total, :customerId)',
      output: [
        { name: 'updateCount', type: 'integer' },
        { name: 'generatedKeys', allowExtraProperties: true },
      ],
    })
    const [{ gloopProperties }] = service('InsertOrder').input
    expect(gloopProperties.map(({ name }: { name: string }) => name)).toEqual([
      '$martiniConnectionPool',
      '$getGeneratedKeys',
      'number',
      'total',
      'customerId',
    ])
  })

  it('a package has folder and service names that are valid in Java, and an invalid package name is refused', () => {
    const entity = anEntity({ name: 'class', typeAttributes: aList(aKey(), aTypeAttribute({ name: 'größe & Maß' })) })
    const other = anEntity({
      name: 'Bestell-Liste',
      entityAttributes: [aRelationship(entity, { foreignKeyTypeAttribute: 'class id' })],
    })
    const files = writePackage(anInput({ resolvedModel: aResolvedModel([entity, other]), name: '1-new' }))
    const folders = [...files.keys()].flatMap(path => /^1-new\/code\/(.+)\/[^/]+$/.exec(path)?.[1]?.split('/') ?? [])
    expect(folders.length).toBeGreaterThan(0)
    for (const folder of folders) expect(folder).toMatch(/^(?!class$)[A-Za-z_][A-Za-z0-9_]*$/)
    expect(() => writePackage(anInput({ name: 'a b' }))).toThrow('not a valid package name')
    const many = ['a', 'b'].map(first => anEntity({ name: first.repeat(120), typeAttributes: aList(aKey()) }))
    const from = { ...anEntity({ name: 'c'.repeat(120) }), entityAttributes: many.map(one => aRelationship(one)) }
    const long = [...writePackage(anInput({ resolvedModel: aResolvedModel([...many, from]) })).keys()]
    const names = long.flatMap(path => path.split('/'))
    expect(Math.max(...names.map(name => name.length))).toBe(200 + '.gloop'.length)
  })
})

function anInput(oracle: Partial<PackageInput> = {}): PackageInput {
  return {
    ...aPackageSource({ name: 'sales-2', version: '1.0.3', resolvedModel: shop, configuration }),
    organisation: 'ACME',
    ...oracle,
  }
}

const shop = aShop()

function namesIn(files: ReadonlyMap<string, string>, folder: string): string[] {
  const start = `sales-2/code/sales_2/${folder}/`
  return [...files.keys()]
    .flatMap(path => (path.startsWith(start) ? [path.slice(start.length, -'.gloop'.length)] : []))
    .toSorted()
}

function textOf(content: Uint8Array | string | undefined): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content)
}
