import { packageModelOf } from '@cadmus/formats/package/package-model'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { aResolvedModel } from '@cadmus/model/testing/builders'
import { orderLines } from '@cadmus/model/testing/order-lines'
import { soapClient } from '@cadmus/testing/soap-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabases } from '../testing/databases.ts'
import { graphQlClient } from '../testing/graphql-client.ts'
import { restClient } from '../testing/rest-client.ts'
import { serveModel, type ServedModel } from '../testing/served-model.ts'

const model = packageModelOf(
  aPackageSource({
    resolvedModel: aResolvedModel(Object.values(orderLines)),
    configuration: aConfiguration({
      sql: { applyAutoIncrement: false },
      services: { applySot: true, sotEntities: ['OrderLine', 'Label', 'Complaint'] },
    }),
  }),
)
const fields = ['orderId', 'lineNo']
const message = "'OrderLine' record not found: no record has this orderId and lineNo."
const refusal = { status: 400, body: { result: 'ERROR', message, fields } }
const referenced = 'Other records refer to this one, or it refers to one that does not exist.'

describe.each(testDatabases)('Relations over several fields, over $name', ({ create, present }) => {
  let served: ServedModel
  const clients = async () => ({
    rest: await restClient(served.instance),
    graphQl: await graphQlClient(served.instance),
    soap: await soapClient(`${served.instance.url}/soap/shop/1.0?wsdl`, '1.1'),
  })
  beforeAll(async () => {
    if (!present) return
    served = await serveModel(create, model)
    const { rest } = await clients()
    for (const orderId of [1, 2]) await rest.ask('POST', '/order', { orderId })
    for (const [orderId, lineNo] of [
      [1, 1],
      [1, 2],
      [2, 1],
    ])
      await rest.ask('POST', '/orderline', { orderId, lineNo, sku: `${orderId}-${lineNo}` })
    for (const [id, orderId, lineNo] of [
      [1, 1, 2],
      [2, 1, 2],
      [3, 2, 1],
      [4, 1, null],
      [5, null, 1],
    ])
      await rest.ask('POST', '/shipment', { id, orderId, lineNo, title: `s${id}` })
  })
  afterAll(async () => {
    if (present) await served.stop()
  })

  it.skipIf(!present)('REST has the related record, and lists with page, order and filter', async () => {
    const { rest } = await clients()
    expect((await rest.ask('GET', '/shipment/1/orderLine')).body).toMatchObject({
      orderline: { orderId: 1, lineNo: 2, sku: '1-2' },
    })
    for (const id of [4, 5]) expect((await rest.ask('GET', `/shipment/${id}/orderLine`)).status).toBe(404)
    const listOf = async (path: string) => (await rest.ask('GET', path)).body
    expect(await listOf('/orderline/1/2/shipment?sort=-id')).toMatchObject({
      shipment: [{ id: 2 }, { id: 1 }],
      total: 2,
    })
    expect(await listOf('/orderline/1/2/shipment?limit=1&offset=1')).toMatchObject({ shipment: [{ id: 2 }], total: 2 })
    expect(await listOf('/orderline/1/2/shipment?filter[title]=s2')).toMatchObject({
      shipment: [{ id: 2 }],
      total: 1,
      totalNotFiltered: 2,
    })
    expect(await listOf('/orderline/1/1/shipment')).toMatchObject({ shipment: [], total: 0 })
    expect((await rest.ask('GET', '/orderline/2/2/shipment')).status).toBe(404)
  })

  it.skipIf(!present)('REST joins them to lists and records', async () => {
    const { rest } = await clients()
    const { body } = await rest.ask('GET', '/shipment?sort=id')
    const lines = [{ sku: '1-2' }, { sku: '1-2' }, { sku: '2-1' }, null, null]
    expect(body).toMatchObject({ shipment: lines.map(orderLine => ({ orderLine })) })
    expect((await rest.ask('GET', '/orderline/1/2')).body).toMatchObject({
      orderline: { order: { orderId: 1 }, shipment: [{ id: 1 }, { id: 2 }], label: [], complaint: [] },
    })
  })

  it.skipIf(!present)('GraphQL nests them in both directions, each page by itself', async () => {
    const { graphQl } = await clients()
    const { data } = await graphQl.ask(`{ orderList(sort: [{ field: orderId }]) { records { orderId
      orderLine(sort: [{ field: lineNo }]) { lineNo shipment(limit: 1, sort: [{ field: id, descending: true }]) {
        id orderLine { sku order { orderId } } } } } } }`)
    const shipment = (id: number, orderId: number, sku: string) => ({ id, orderLine: { sku, order: { orderId } } })
    expect(data).toEqual({
      orderList: {
        records: [
          {
            orderId: 1,
            orderLine: [
              { lineNo: 1, shipment: [] },
              { lineNo: 2, shipment: [shipment(2, 1, '1-2')] },
            ],
          },
          { orderId: 2, orderLine: [{ lineNo: 1, shipment: [shipment(3, 2, '2-1')] }] },
        ],
      },
    })
    expect((await graphQl.ask('{ shipment(id: 4) { orderLine { sku } } }')).data).toEqual({
      shipment: { orderLine: null },
    })
  })

  it.skipIf(!present)('SOAP has operations for them', async () => {
    const { soap } = await clients()
    const list = await soap.call('SelectAllShipmentByOrderLine', {
      orderId: 1,
      lineNo: 2,
      sort: { field: 'id', descending: true },
    })
    expect(list).toMatchObject({ kind: 'answer' })
    expect(JSON.stringify(list)).toMatch(/"title":"s2".*"title":"s1"/)
    const line = await soap.call('SelectOrderLineByShipment', { id: 3 })
    expect(JSON.stringify(line)).toContain('"sku":"2-1"')
  })

  it.skipIf(!present)('a second record with the same key is refused with its fields in all protocols', async () => {
    const { rest, graphQl, soap } = await clients()
    const duplicate = 'There is a record with this orderId and lineNo already.'
    expect(await rest.ask('POST', '/orderline', { orderId: 1, lineNo: 2 })).toMatchObject({
      status: 409,
      body: { message: duplicate, fields },
    })
    const { errors } = await graphQl.ask('mutation { insertOrderLine(record: { orderId: 1, lineNo: 2 }) { sku } }')
    expect(errors).toMatchObject([{ message: duplicate, extensions: { code: 'CONFLICT', fields } }])
    const answer = await soap.call('InsertOrderLine', { record: { orderId: 1, lineNo: 2 } })
    expect(answer).toMatchObject({ kind: 'fault', message: expect.stringContaining(duplicate) })
    expect(JSON.stringify(answer)).toContain('"field":["orderId","lineNo"]')
  })

  it.skipIf(!present)('a record without the parent is refused alike in all protocols, as are changes', async () => {
    const { rest, graphQl, soap } = await clients()
    const refusedByGraphQl = async (mutation: string) =>
      expect((await graphQl.ask(`mutation { ${mutation} { id } }`)).errors).toMatchObject([
        { message, extensions: { code: 'BAD_REQUEST', fields } },
      ])
    const refusedBySoap = async (operation: string, record: object) => {
      const answer = await soap.call(operation, { record })
      expect(answer).toMatchObject({ kind: 'fault', message: expect.stringContaining(message) })
      expect(JSON.stringify(answer)).toContain('"field":["orderId","lineNo"]')
    }
    expect(await rest.ask('POST', '/shipment', { id: 9, orderId: 2, lineNo: 2 })).toMatchObject(refusal)
    await refusedByGraphQl('insertShipment(record: { id: 9, orderId: 2, lineNo: 2 })')
    await refusedBySoap('InsertShipment', { id: 9, orderId: 2, lineNo: 2 })
    // The other field keeps its value.
    for (const change of [{ orderId: 2 }, { lineNo: 9 }, { orderId: 2, lineNo: 2 }]) {
      expect(await rest.ask('PUT', '/shipment', { id: 1, ...change })).toMatchObject(refusal)
      const sent = Object.entries(change).map(([name, value]) => `${name}: ${value}`)
      await refusedByGraphQl(`updateShipment(record: { id: 1, ${sent.join(', ')} })`)
      await refusedBySoap('UpdateShipment', { id: 1, ...change })
    }
    expect((await rest.ask('PUT', '/shipment', { id: 99, orderId: 9 })).status).toBe(404)
    expect((await rest.ask('GET', '/shipment/1')).body).toMatchObject({ shipment: { orderId: 1, lineNo: 2 } })
  })

  it.skipIf(!present)('one of the fields changes if the parent exists, or the other field is empty', async () => {
    const { rest } = await clients()
    const change = async (record: object) => (await rest.ask('PUT', '/shipment', record)).body
    expect(await change({ id: 2, lineNo: 1 })).toMatchObject({ shipment: { orderId: 1, lineNo: 1 } })
    expect(await change({ id: 2, orderId: 2 })).toMatchObject({ shipment: { orderId: 2, lineNo: 1 } })
    expect(await change({ id: 2, orderId: null })).toMatchObject({ shipment: { orderId: null, lineNo: 1 } })
    expect(await change({ id: 2, lineNo: 77 })).toMatchObject({ shipment: { orderId: null, lineNo: 77 } })
    expect(await rest.ask('PUT', '/shipment', { id: 2, orderId: 1 })).toMatchObject(refusal)
    expect(await change({ id: 2, orderId: 1, lineNo: 2 })).toMatchObject({ shipment: { orderId: 1, lineNo: 2 } })
  })

  it.skipIf(!present)('a deletion is refused, deletes or empties the records of that parent alone', async () => {
    const { rest } = await clients()
    for (const lineNo of [5, 6]) await rest.ask('POST', '/orderline', { orderId: 1, lineNo })
    for (const [id, lineNo] of [5, 6].entries())
      for (const entity of ['label', 'complaint'])
        await rest.ask('POST', `/${entity}`, { id: id + 1, orderId: 1, lineNo, title: 'x' })
    expect(await rest.ask('DELETE', '/orderline/1/2')).toMatchObject({ status: 409, body: { message: referenced } })
    expect((await rest.ask('DELETE', '/orderline/1/5')).status).toBe(200)
    expect((await rest.ask('GET', '/label')).body).toMatchObject({ label: [{ id: 2 }], total: 1 })
    expect((await rest.ask('GET', '/complaint?sort=id')).body).toMatchObject({
      complaint: [
        { id: 1, orderId: null, lineNo: null, title: 'x' },
        { id: 2, orderId: 1, lineNo: 6 },
      ],
    })
    const historyOf = async (path: string) => (await rest.ask('GET', `/_history/${path}`)).body
    expect(await historyOf('label/1')).toMatchObject({ label: [{ operation: 'insert' }, { operation: 'delete' }] })
    expect(await historyOf('complaint/1')).toMatchObject({
      complaint: [{}, { operation: 'update', before: { lineNo: 5 }, after: { orderId: null, lineNo: null } }],
    })
    expect(await historyOf('complaint/2')).toMatchObject({ total: 1 })
  })
})
