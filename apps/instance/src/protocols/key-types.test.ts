import { packageModelOf } from '@cadmus/formats/package/package-model'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { soapClient } from '@cadmus/testing/soap-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabases } from '../testing/databases.ts'
import { graphQlClient } from '../testing/graphql-client.ts'
import { restClient } from '../testing/rest-client.ts'
import { serveModel, type ServedModel } from '../testing/served-model.ts'

const optional = { nullable: true } as const
const account = anEntity({
  name: 'Account',
  typeAttributes: aList(
    aKey({ name: 'number', precision: 20 }),
    aTypeAttribute({ name: 'branch', dataType: 'integer', precision: 5, defaultValue: '99999', ...optional }),
    aTypeAttribute({ name: 'units', dataType: 'integer', precision: 18, ...optional }),
    aTypeAttribute({ name: 'total', dataType: 'integer', precision: 38, ...optional }),
  ),
})
const line = anEntity({
  name: 'Line',
  typeAttributes: aList(aKey({ precision: 9 })),
  entityAttributes: [
    aRelationship(account, {
      associatedEntityTypeAttribute: 'number',
      foreignKeyTypeAttribute: 'account',
      ...optional,
    }),
  ],
})
const currency = anEntity({
  name: 'Currency',
  typeAttributes: aList(
    aTypeAttribute({ name: 'code', format: 'fixed', maxLength: 3, purpose: 'identifiedBy' }),
    aTypeAttribute({ name: 'rate', dataType: 'float', format: 'single', defaultValue: '0.1', ...optional }),
    aTypeAttribute({ name: 'step', dataType: 'float', format: 'single', choices: ['0.1', '2.5'], ...optional }),
  ),
})
const dated = (format: 'date' | 'local', name: string) =>
  anEntity({
    name,
    typeAttributes: aList(
      aTypeAttribute({ name: 'at', dataType: 'dateTime', format, purpose: 'identifiedBy' }),
      aTypeAttribute({ name: 'title', ...optional }),
    ),
  })
const priced = anEntity({
  name: 'Price',
  typeAttributes: aList(
    aTypeAttribute({ name: 'amount', dataType: 'double', precision: 9, scale: 2, purpose: 'identifiedBy' }),
    aTypeAttribute({ name: 'title', ...optional }),
  ),
})

const order = anEntity({
  name: 'Order',
  typeAttributes: aList(aTypeAttribute({ name: 'code', purpose: 'identifiedBy' })),
})
const orderKey = aRelationship(order, {
  associatedEntityTypeAttribute: 'code',
  foreignKeyTypeAttribute: 'orderCode',
  foreignKeyDataType: 'string',
  foreignKeyPurpose: 'identifiedBy',
  position: 1,
})
const lineKey = aKey({ name: 'lineNo' })
/** Its key is (orderCode, lineNo), unlike the order of its attributes. */
const orderLine = anEntity({
  name: 'OrderLine',
  typeAttributes: aList(lineKey),
  entityAttributes: [
    orderKey,
    aRelationship(account, {
      associatedEntityTypeAttribute: 'number',
      foreignKeyTypeAttribute: 'accountNo',
      position: 2,
      ...optional,
    }),
  ],
  groups: [
    {
      uid: 'key of OrderLine',
      kind: 'key',
      name: '',
      members: [
        { uid: orderKey.uid, name: 'orderCode', descending: false },
        { uid: lineKey.uid, name: 'lineNo', descending: false },
      ],
    },
  ],
})
const rate = anEntity({
  name: 'Rate',
  typeAttributes: aList(
    aTypeAttribute({ name: 'day', dataType: 'dateTime', format: 'date', purpose: 'identifiedBy' }),
    aTypeAttribute({ name: 'at', dataType: 'dateTime', format: 'instant', purpose: 'identifiedBy' }),
    aTypeAttribute({ name: 'amount', dataType: 'double', precision: 9, scale: 2, purpose: 'identifiedBy' }),
    aTypeAttribute({ name: 'zone', maxLength: 3, purpose: 'identifiedBy' }),
    aTypeAttribute({ name: 'title', ...optional }),
  ),
})

const model = packageModelOf(
  aPackageSource({
    resolvedModel: aResolvedModel([
      account,
      line,
      currency,
      dated('date', 'Event'),
      dated('local', 'Slot'),
      priced,
      order,
      orderLine,
      rate,
    ]),
    configuration: aConfiguration({
      services: { applySot: true, sotEntities: ['Account', 'Event', 'OrderLine', 'Rate'] },
    }),
  }),
)

const small = { number: '7', branch: 99_999, units: -1, total: '10' }
const large = {
  number: '18446744073709551615',
  branch: -99_999,
  units: '999999999999999999',
  total: '9'.repeat(38),
}

describe.each(testDatabases)('Keys of other types, over $name', ({ name, create, present }) => {
  let served: ServedModel
  beforeAll(async () => {
    if (!present) return
    served = await serveModel(create, model)
    const rest = await restClient(served.instance)
    await rest.ask('POST', '/account', { number: '7', units: -1, total: '+0010' })
    await rest.ask('POST', '/account', large)
  })
  afterAll(async () => {
    if (present) await served.stop()
  })

  it.skipIf(!present)('REST answers integers with all digits, and finds a record by them', async () => {
    const rest = await restClient(served.instance)
    expect((await rest.ask('GET', '/account/7')).body).toMatchObject({ account: small })
    expect((await rest.ask('GET', `/account/${large.number}`)).body).toMatchObject({ account: large })
    expect((await rest.ask('GET', `/_history/account/${large.number}`)).body).toMatchObject({
      account: [{ key: large.number, after: large }],
    })
  })

  it.skipIf(!present)('REST refuses a number of more digits', async () => {
    const rest = await restClient(served.instance)
    const refusalOf = async (change: object) =>
      (await rest.askRaw('PUT', '/account', JSON.stringify({ number: '7', ...change }))).body
    const error = (message: string) => ({ result: 'ERROR', message })
    expect(await refusalOf({ branch: 100_000 })).toEqual(
      error('branch: this must be a whole number with at most 5 digits.'),
    )
    expect(await refusalOf({ units: `1${'0'.repeat(18)}` })).toEqual(
      error('units: this must be a whole number with at most 18 digits.'),
    )
    expect(await refusalOf({ total: `-1${'0'.repeat(38)}` })).toEqual(
      error('total: this must be a whole number with at most 38 digits.'),
    )
    expect(await refusalOf({ total: '1.0' })).toEqual(error('total: this must be a whole number.'))
  })

  it.skipIf(!present)('REST sorts and compares them as numbers', async () => {
    const rest = await restClient(served.instance)
    for (const field of ['number', 'units', 'total'])
      expect((await rest.ask('GET', `/account?sort=-${field}`)).body).toMatchObject({ account: [large, small] })
    const accountsBy = async (filter: string) => (await rest.ask('GET', `/account?filter${filter}`)).body
    expect(await accountsBy('[total][lt]=99')).toMatchObject({ account: [small] })
    expect(await accountsBy('[number][gt]=18446744073709551614')).toMatchObject({ account: [large] })
    expect(await accountsBy(`[units]=${large.units}`)).toMatchObject({ account: [large] })
  })

  it.skipIf(!present)('a foreign key has the type of the key', async () => {
    const rest = await restClient(served.instance)
    expect((await rest.ask('POST', '/line', { id: 999_999_999, account: large.number })).status).toBe(200)
    expect((await rest.ask('POST', '/line', { id: 1, account: '8' })).status).toBe(400)
    expect((await rest.ask('POST', '/line', { account: '7' })).status).toBe(400)
    const { body } = await rest.ask('GET', '/line/999999999')
    expect(body).toMatchObject({ line: { id: 999_999_999, account: large.number } })
  })

  it.skipIf(!present)('GraphQL has Long up to 18 digits, else Decimal', async () => {
    const graphQl = await graphQlClient(served.instance)
    const { data } = await graphQl.ask(
      `{ account(number: "${large.number}") { number branch units total }
        accountList(filter: { units: { lt: 0 } }) { records { total } } }`,
    )
    expect(data).toEqual({ account: large, accountList: { records: [{ total: '10' }] } })
    const sdl = await (await served.instance.fetch('/graphql/shop/1.0/schema.graphql')).text()
    expect(sdl).toMatch(/number: Decimal!?\n {2}branch: Long\n {2}units: Long\n {2}total: Decimal/)
  })

  it.skipIf(!present)('SOAP answers integers with all digits', async () => {
    const namespace = 'urn:cadmus:shop:1.0'
    const body = `<SelectAccount xmlns="${namespace}"><number>${large.number}</number></SelectAccount>`
    const envelope = `<Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/"><Body>${body}</Body></Envelope>`
    const headers = { 'content-type': 'text/xml', soapaction: `"${namespace}:SelectAccount"` }
    const sent = await served.instance.fetch('/soap/shop/1.0', { method: 'POST', headers, body: envelope })
    const answer = await sent.text()
    for (const value of [large.number, large.units, large.total]) expect(answer).toContain(value)
    const wsdl = await (await served.instance.fetch('/soap/shop/1.0?wsdl')).text()
    for (const field of ['number', 'branch', 'units', 'total'])
      expect(wsdl).toContain(`<xsd:element name="${field}" type="xsd:integer"`)
  })

  it.skipIf(!present)('dates and decimals are addressed as they are on the wire', async () => {
    const rest = await restClient(served.instance)
    const graphQl = await graphQlClient(served.instance)
    const client = await soapClient(`${served.instance.url}/soap/shop/1.0?wsdl`, '1.1')
    const records = [
      ['event', 'at', '2026-01-31'],
      ['slot', 'at', '2026-01-31T13:45:00'],
      ['price', 'amount', '12.5'],
    ] as const
    for (const [entity, field, key] of records) {
      expect((await rest.ask('POST', `/${entity}`, { [field]: key, title: 'a' })).status).toBe(200)
      expect((await rest.ask('GET', `/${entity}/${key}`)).body).toMatchObject({ [entity]: { [field]: key } })
      expect((await rest.ask('PUT', `/${entity}`, { [field]: key, title: 'b' })).status).toBe(200)
      const { data } = await graphQl.ask(`{ ${entity}(${field}: "${key}") { ${field} title } }`)
      expect(data).toEqual({ [entity]: { [field]: key, title: 'b' } })
      const name = `${entity[0]?.toUpperCase()}${entity.slice(1)}`
      expect(JSON.stringify(await client.call(`Select${name}`, { [field]: key }))).toContain('"title":"b"')
      expect((await rest.ask('DELETE', `/${entity}/${key}`)).status).toBe(200)
      expect((await rest.ask('GET', `/${entity}/${key}`)).status).toBe(404)
    }
    expect((await rest.ask('GET', '/_history/event/2026-01-31')).body).toMatchObject({
      event: [{ operation: 'insert', key: '2026-01-31' }, { operation: 'update' }, { operation: 'delete' }],
    })
  })

  it.skipIf(!present)(
    'texts of fixed length are full, and numbers of single precision are answered in few digits',
    async () => {
      const rest = await restClient(served.instance)
      const refused = async (record: object) => (await rest.ask('POST', '/currency', record)).body
      const error = (message: string) => ({ result: 'ERROR', message })
      const full = error('code: this must be exactly 3 characters long, without a space at the end.')
      for (const code of ['EU', 'EURO', 'EU ', '']) expect(await refused({ code })).toEqual(full)
      expect(await refused({ code: 'EUR', rate: 1e39 })).toEqual(
        error('rate: this must be a number of single precision, at most 3.4e38.'),
      )
      expect(await refused({ code: 'EUR', step: 0.2 })).toEqual(error('step: this must be one of the choices.'))
      const records = [
        { code: 'EUR', rate: 0.1, step: 0.1 },
        { code: 'USD', rate: 16777216, step: 2.5 },
        { code: 'ÑÜ😀'.slice(0, 2) + 'x', rate: 0.33333334, step: null },
      ]
      expect((await rest.ask('POST', '/currency', { code: 'EUR', step: 0.1 })).body).toMatchObject({
        currency: records[0],
      })
      await rest.ask('POST', '/currency', { ...records[1], rate: 16777217 })
      await rest.ask('POST', '/currency', { ...records[2], rate: 1 / 3 })
      expect((await rest.ask('GET', '/currency?sort=rate')).body).toMatchObject({
        currency: [records[0], records[2], records[1]],
      })
      const found = async (filter: string) => (await rest.ask('GET', `/currency?filter${filter}`)).body
      expect(await found('[rate]=0.1')).toMatchObject({ currency: [records[0]] })
      expect(await found('[rate][gt]=0.1&sort=rate')).toMatchObject({ currency: [records[2], records[1]] })
      expect(await found('[step]=0.1')).toMatchObject({ currency: [records[0]] })
      expect((await rest.ask('GET', '/currency/USD')).body).toMatchObject({ currency: records[1] })
      expect((await rest.ask('GET', '/currency/USD%20')).status).toBe(404)
      const graphQl = await graphQlClient(served.instance)
      expect((await graphQl.ask('{ currency(code: "EUR") { code rate step } }')).data).toEqual({ currency: records[0] })
      const wsdl = await (await served.instance.fetch('/soap/shop/1.0?wsdl')).text()
      expect(wsdl).toContain('<xsd:element name="rate" type="xsd:float"')
    },
  )

  it.skipIf(!present)(
    'REST has a segment for each part of a key, also in histories and in addresses of relations',
    async () => {
      const rest = await restClient(served.instance)
      for (const code of ['a/b', '%2F']) expect((await rest.ask('POST', '/order', { code })).status).toBe(200)
      for (const record of [
        { orderCode: 'a/b', lineNo: 1 },
        { orderCode: 'a/b', lineNo: 2, accountNo: '7' },
        { orderCode: '%2F', lineNo: 1 },
      ])
        expect((await rest.ask('POST', '/orderline', record)).status).toBe(200)
      const duplicate = await rest.ask('POST', '/orderline', { orderCode: 'a/b', lineNo: 1 })
      expect(duplicate).toMatchObject({ status: 409 })
      expect((await rest.ask('GET', '/orderline/a%2Fb/2')).body).toMatchObject({
        orderline: { orderCode: 'a/b', lineNo: 2, accountNo: '7' },
      })
      expect((await rest.ask('GET', '/orderline/%252F/1')).body).toMatchObject({
        orderline: { orderCode: '%2F', accountNo: null },
      })
      expect((await rest.ask('GET', '/orderline/a%2Fb/2/account')).body).toMatchObject({ account: small })
      expect((await rest.ask('GET', '/orderline/a%2Fb/2/order')).body).toMatchObject({ order: { code: 'a/b' } })
      expect((await rest.ask('GET', '/order/a%2Fb/orderLine?sort=-lineNo')).body).toMatchObject({
        orderline: [{ lineNo: 2 }, { lineNo: 1 }],
      })
      expect((await rest.ask('GET', '/orderline?limit=2')).body).toMatchObject({
        orderline: [{ orderCode: '%2F' }, { lineNo: 1 }],
      })
      const change = (record: object) => rest.askRaw('PUT', '/orderline', JSON.stringify(record))
      expect(await change({ orderCode: 'a/b', lineNo: 1, accountNo: '7' })).toMatchObject({
        status: 200,
        body: { orderline: { orderCode: 'a/b', lineNo: 1, accountNo: '7' } },
      })
      expect((await rest.ask('GET', '/orderline/%252F/1')).body).toMatchObject({ orderline: { accountNo: null } })
      const refused = (status: number, message: string) => ({ status, body: { result: 'ERROR', message } })
      expect(await change({ orderCode: 'a/b', accountNo: '7' })).toMatchObject(
        refused(400, 'lineNo: a value is required.'),
      )
      expect(await change({ orderCode: 'a/b', lineNo: 3 })).toMatchObject(refused(404, "'OrderLine' record not found."))
      expect(await rest.askRaw('GET', '/orderline/a%2Fb/x')).toMatchObject(
        refused(400, 'lineNo: this must be a whole number.'),
      )
      expect((await rest.askRaw('GET', '/orderline/a%2Fb')).status).toBe(404)
      expect((await rest.askRaw('GET', '/orderline/a%2Fb/2/account/7')).status).toBe(404)
      expect((await rest.askRaw('GET', '/orderline/a/b/2')).status).toBe(404)
      expect((await rest.askRaw('PUT', '/orderline/a%2Fb/1')).headers.get('allow')).toBe('GET, DELETE')
      expect((await rest.ask('DELETE', '/orderline/a%2Fb/1')).status).toBe(200)
      expect((await rest.ask('DELETE', '/orderline/a%2Fb/1')).status).toBe(404)
      expect((await rest.ask('GET', '/orderline')).body).toMatchObject({ total: 2 })
      expect((await rest.ask('GET', '/_history/orderline/a%2Fb/1')).body).toMatchObject({
        orderline: [
          { operation: 'insert', key: ['a/b', 1] },
          { operation: 'update', key: ['a/b', 1] },
          { operation: 'delete', key: ['a/b', 1] },
        ],
      })
      expect((await rest.ask('GET', '/_history/orderline/%252F/1')).body).toMatchObject({ total: 1 })
    },
  )

  it.skipIf(!present)('GraphQL has an argument, and SOAP an element, for each part of a key', async () => {
    const graphQl = await graphQlClient(served.instance)
    const client = await soapClient(`${served.instance.url}/soap/shop/1.0?wsdl`, '1.1')
    const key = { day: '2026-01-31', at: '2026-01-31T13:45:00Z', amount: '12.5', zone: 'é/1' }
    const named = 'day: "2026-01-31", at: "2026-01-31T14:45:00+01:00", amount: "12.50", zone: "é/1"'
    const ask = (query: string) => graphQl.ask(query).then(({ data, errors }) => errors?.[0]?.message ?? data)
    const fields = '{ day at amount zone title }'
    for (const zone of ['é/1', 'x'])
      await ask(`mutation { insertRate(record: { ${named.replace('é/1', zone)}, title: "a" }) { title } }`)
    expect(await ask(`mutation { updateRate(record: { ${named}, title: "b" }) ${fields} }`)).toEqual({
      updateRate: { ...key, title: 'b' },
    })
    expect(await ask(`{ rate(${named}) ${fields} }`)).toEqual({
      rate: { ...key, title: 'b' },
    })
    expect(await ask(`{ one: rate(${named}) { title } }`)).toEqual({ one: { title: 'b' } })
    expect((await graphQl.askRaw('{ rate(day: "2026-01-31") { title } }')).errors?.[0]?.message).toContain('"at"')
    expect(JSON.stringify(await client.call('SelectRate', key))).toContain('"title":"b"')
    const lacking = await client.call('SelectRate', { day: key.day, at: key.at, amount: key.amount })
    expect(lacking).toMatchObject({ kind: 'fault', message: expect.stringContaining('SelectRate requires zone.') })
    const updated = await client.call('UpdateRate', { record: { ...key, title: 'c' } })
    expect(JSON.stringify(updated)).toContain('"title":"c"')
    const rest = await restClient(served.instance)
    const address = `/2026-01-31/2026-01-31T13:45:00Z/12.5/${encodeURIComponent('é/1')}`
    expect((await rest.ask('GET', `/rate${address}`)).body).toMatchObject({ rate: { ...key, title: 'c' } })
    // The text of this key is longer than its column.
    expect((await rest.ask('GET', `/_history/rate${address}`)).body).toMatchObject({
      rate: ['insert', 'update', 'update'].map(operation => ({ operation, key: Object.values(key) })),
    })
    expect(await ask(`mutation { deleteRate(${named}) }`)).toEqual({ deleteRate: true })
    expect(await ask(`mutation { deleteRate(${named}) }`)).toBe("'Rate' record not found.")
    expect(await client.call('DeleteRate', { ...key, zone: 'x' })).toMatchObject({ kind: 'answer' })
    expect(await ask('{ rateList { total } }')).toEqual({ rateList: { total: 0 } })
    const sdl = await (await served.instance.fetch('/graphql/shop/1.0/schema.graphql')).text()
    expect(sdl).toContain('orderLine(orderCode: String!, lineNo: Long!): OrderLine')
  })

  // Others refuse versions with different tables.
  if (!['SQLite', 'PostgreSQL'].includes(name)) return
  it.skipIf(!present)('of a table in use get more digits, and keep their values', async () => {
    const text = JSON.stringify(model)
      .replaceAll('"precision":18', '"precision":19')
      .replaceAll('"precision":5', '"precision":4')
    expect(await served.publish(JSON.parse(text), '1.1.0')).toMatchObject({ runningVersion: '1.0.0' })
    const longer = JSON.stringify(model)
      .replaceAll('"precision":18', '"precision":19')
      .replaceAll('"precision":20', '"precision":22')
    expect(await served.publish(JSON.parse(longer), '1.2.0')).toMatchObject({
      status: 'STARTED',
      runningVersion: '1.2.0',
    })
    const rest = await restClient(served.instance)
    expect((await rest.ask('GET', '/account?sort=number')).body).toMatchObject({
      account: [{ ...small, units: '-1' }, large],
    })
  })

  it.skipIf(!present)(
    'a history stays with its record where the key has another order, and its first part another length or name',
    async () => {
      const changes = ['insert', 'update', 'update', 'delete'] as const
      const [zone, ...others] = ['zone', 'day', 'at', 'amount'].map(name =>
        rate.typeAttributes.find(one => one.name === name),
      )
      const reordered = (first: { name: string; maxLength: number }) => {
        const members = [zone && { ...zone, ...first }, ...others].flatMap(one =>
          one ? [{ uid: one.uid, name: one.name, descending: false }] : [],
        )
        const groups = [{ uid: 'key of Rate', kind: 'key', name: '', members }]
        const typeAttributes = rate.typeAttributes.map(one => (one === zone ? { ...one, ...first } : one))
        const entities = model.entities.map(one => (one.name === 'Rate' ? { ...one, groups, typeAttributes } : one))
        return JSON.parse(
          JSON.stringify({ ...model, entities })
            .replaceAll('"precision":18', '"precision":19')
            .replaceAll('"precision":20', '"precision":22'),
        )
      }
      const key = ['é/1', '2026-01-31', '2026-01-31T13:45:00Z', '12.5']
      const rest = () => restClient(served.instance)
      for (const [version, first] of [
        ['1.3.0', { name: 'zone', maxLength: 3 }],
        ['1.4.0', { name: 'zone', maxLength: 30 }],
        ['1.5.0', { name: 'area', maxLength: 30 }],
      ] as const) {
        expect(await served.publish(reordered(first), version)).toMatchObject({ runningVersion: version })
        const address = key.map(encodeURIComponent).join('/')
        expect((await (await rest()).ask('GET', `/_history/rate/${address}`)).body).toMatchObject({
          rate: changes.map(operation => ({ operation, key })),
        })
        expect((await (await rest()).ask('GET', '/_changes/rate?after=0')).body).toMatchObject({
          rate: expect.arrayContaining([
            expect.objectContaining({
              operation: 'delete',
              key: [first.name === 'zone' ? 'x' : null, ...key.slice(1)],
            }),
          ]),
        })
      }
    },
  )
})
