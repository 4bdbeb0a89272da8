import { zeepAvailability } from '@cadmus/testing/availability'
import { callByZeep } from '@cadmus/testing/zeep'
import { soapClient, type SoapClient } from '@cadmus/testing/soap-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

const aggregates = [
  {
    name: 'credit',
    entity: 'Customer',
    columns: [
      { field: 'level', type: 'GROUPBY' as const, alias: 'level' },
      { field: 'credit', type: 'SUM' as const, alias: 'sum' },
    ],
  },
]
const namespace = 'urn:cadmus:shop:1.0'
const envelopes = {
  '1.1': { type: 'text/xml', namespace: 'http://schemas.xmlsoap.org/soap/envelope/' },
  '1.2': { type: 'application/soap+xml', namespace: 'http://www.w3.org/2003/05/soap-envelope' },
} as const
type Version = keyof typeof envelopes

describe.each(testDatabases)('SOAP over $name', ({ create, present }) => {
  let database: TestDatabase
  let instance: TestInstance
  let clients: Record<Version, SoapClient>
  beforeAll(async () => {
    if (!present) return
    database = await create()
    instance = await startTestInstance()
    await instance.upload(packageZip({ properties: propertiesOf(database.settings), configuration: { aggregates } }))
    await instance.settled('shop')
    const wsdl = `${instance.url}/soap/shop/1.0?wsdl`
    clients = { '1.1': await soapClient(wsdl, '1.1'), '1.2': await soapClient(wsdl, '1.2') }
  })
  afterAll(async () => {
    if (!present) return
    await instance.stop()
    await database.drop()
  })

  const send = async (content: string, version: Version = '1.1', more: { header?: string; type?: string } = {}) => {
    const { type, namespace: envelope } = envelopes[version]
    const header = more.header === undefined ? '' : `<e:Header>${more.header}</e:Header>`
    const body =
      content.startsWith('<?') || content.startsWith('<!')
        ? content
        : `<e:Envelope xmlns:e="${envelope}">${header}<e:Body>${content}</e:Body></e:Envelope>`
    const answer = await instance.fetch('/soap/shop/1.0', {
      method: 'POST',
      headers: { 'content-type': more.type ?? type },
      body,
    })
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }

  it.skipIf(!present).each(['1.1', '1.2'] as const)(
    'works with the soap package from its WSDL, in SOAP %s',
    async version => {
      const { call } = clients[version]
      const made = await call('InsertCustomer', {
        record: { name: `Ann <&> ${version}`, credit: '12.50', rating: 1.5, active: false },
      })
      expect(made).toMatchObject({
        kind: 'answer',
        value: { record: { name: `Ann <&> ${version}`, level: 'plain', rating: 1.5, active: false } },
      })
      const id = made.kind === 'answer' ? Reflect.get(Object(made.value['record']), 'id') : undefined
      const order = await call('InsertOrder', { record: { number: `n${version}`, total: '5', customerId: id } })
      expect(order.kind).toBe('answer')
      const changed = await call('UpdateCustomer', { record: { id, level: 'gold' } })
      expect(changed).toMatchObject({
        kind: 'answer',
        value: { record: { level: 'gold', name: `Ann <&> ${version}` } },
      })
      const read = await call('SelectCustomer', { id })
      expect(read).toMatchObject({ kind: 'answer', value: { record: { order: [{ number: `n${version}` }] } } })
      const listed = await call('SelectAllCustomer', {
        limit: 5,
        sort: [{ field: 'name', descending: true }],
        fields: ['name'],
        filter: [{ field: 'name', comparison: 'eq', value: [`Ann <&> ${version}`] }],
      })
      expect(listed).toMatchObject({ kind: 'answer', value: { total: 1, record: [{ name: `Ann <&> ${version}` }] } })
      const related = await call('SelectAllOrderByCustomer', { id })
      expect(related).toMatchObject({
        kind: 'answer',
        value: { total: 1, record: [{ number: `n${version}`, customer: { level: 'gold' } }] },
      })
      const figures = await call('AggregateCustomerCredit', {
        filter: [{ field: 'id', comparison: 'eq', value: [String(id)] }],
      })
      expect(figures).toMatchObject({ kind: 'answer', value: { record: [{ level: 'gold', sum: 12.5 }] } })
      const refused = await call('DeleteCustomer', { id })
      expect(refused).toMatchObject({ kind: 'fault' })
      await call('DeleteOrder', { id: order.kind === 'answer' ? Reflect.get(Object(order.value['record']), 'id') : 0 })
      expect(await call('DeleteCustomer', { id })).toMatchObject({ kind: 'answer' })
      const gone = await call('SelectCustomer', { id })
      expect(gone).toMatchObject({ kind: 'fault', status: version === '1.1' ? 500 : 400 })
      expect(JSON.stringify(gone)).toContain("'Customer' record not found.")
    },
  )

  it.skipIf(!present || !zeepAvailability().present).each(['shopSoap', 'shopSoap12'])(
    `works with zeep in strict mode at port %s ${zeepAvailability().advice}`,
    async port => {
      const wsdl = `${instance.url}/soap/shop/1.0?wsdl`
      const record = {
        name: port,
        credit: '99.99',
        points: 9007199254740993n.toString(),
        born: '2000-02-29',
        active: true,
      }
      const calls = [
        { operation: 'InsertCustomer', args: { record } },
        { operation: 'SelectAllCustomer', args: { filter: [{ field: 'name', comparison: 'eq', value: [port] }] } },
        { operation: 'SelectCustomer', args: { id: 0 } },
      ]
      const [made, listed, gone] = await callByZeep(wsdl, { service: 'shop', port }, calls)
      expect(made?.answer).toMatchObject({
        name: port,
        credit: '99.99',
        level: 'plain',
        born: '2000-02-29',
        active: true,
      })
      expect(listed?.answer).toMatchObject({ total: 1, record: [{ name: port, credit: '99.99' }] })
      expect(gone?.fault).toBe("'Customer' record not found.")
    },
  )

  it.skipIf(!present)('describes a fault in its detail in both versions', async () => {
    const old = await send(`<SelectCustomer xmlns="${namespace}"><id>0</id></SelectCustomer>`)
    expect(old).toMatchObject({ status: 500, type: 'text/xml; charset=utf-8' })
    expect(old.text).toContain(
      `<faultcode>soap:Client</faultcode><faultstring>&apos;Customer&apos; record not found.</faultstring><detail><Error xmlns="${namespace}"><kind>notFound</kind>`,
    )
    const young = await send(`<SelectCustomer xmlns="${namespace}"><id>0</id></SelectCustomer>`, '1.2')
    expect(young).toMatchObject({ status: 400, type: 'application/soap+xml; charset=utf-8' })
    expect(young.text).toContain('<soap:Value>soap:Sender</soap:Value>')
    expect(young.text).toContain('<soap:Detail><Error')
  })

  it.skipIf(!present)('preserves every digit and every character', async () => {
    const text = 'a\r\n\tb  <c/> ]]> &amp; é😀'
    const escaped = text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('\r', '&#13;')
    const record = [
      `<name>${escaped}</name><points>9223372036854775807</points><credit>0.10</credit><rating>-1.5E2</rating>`,
      '<extra>{"a":[1,null]}</extra><picture> AAEC </picture><born>2024-02-29</born><since>2024-02-29T23:59:59.123456</since>',
      '<opens>08:30:00</opens><token>0F8FAD5B-D9CB-469F-A165-70867728950E</token><active>1</active>',
      '<email xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>',
    ]
    const { status, text: answered } = await send(
      `<InsertCustomer xmlns="${namespace}"><record>${record.join('')}</record></InsertCustomer>`,
    )
    expect({ status, answered: status === 200 ? '' : answered }).toEqual({ status: 200, answered: '' })
    for (const part of [
      '<points>9223372036854775807</points>',
      '<credit>0.1</credit>',
      '<rating>-150</rating>',
      '<extra>{&quot;a&quot;:[1,null]}</extra>',
      '<picture>AAEC</picture>',
      '<born>2024-02-29</born>',
      '<since>2024-02-29T23:59:59.123456</since>',
      '<opens>08:30:00</opens>',
      '<token>0f8fad5b-d9cb-469f-a165-70867728950e</token>',
      '<active>true</active>',
      '<email xsi:nil="true"/>',
      '<name>a&#13;&#10;&#9;b  &lt;c/&gt; ]]&gt; &amp;amp; é😀</name>',
    ]) {
      expect(answered).toContain(part)
    }
  })

  it.skipIf(!present)('refuses document types, entities, deep nesting and mandatory headers', async () => {
    const list = `<SelectAllCustomer xmlns="${namespace}"/>`
    const soap = envelopes['1.1'].namespace
    const whole = `<e:Envelope xmlns:e="${soap}"><e:Body>${list}</e:Body></e:Envelope>`
    const hostile = [
      `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${whole}`,
      `<?xml version="1.0"?><!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd">${whole}`,
      `<?xml version="1.0"?>${whole.replace(list, '&x;')}`,
      `<?xml version="1.0"?>${whole.replace(list, '<a>'.repeat(10_000))}`,
      `<?xml version="1.0"?>${whole.replace(list, `<a ${Array.from({ length: 100 }, (_, at) => `a${at}="1"`).join(' ')}/>`)}`,
      `<?xml version="1.0"?>${whole.replace(list, `<SelectAllCustomer xmlns="${namespace}">${'<filter/>'.repeat(60_000)}</SelectAllCustomer>`)}`,
      '<?xml version="1.0"?><a/>',
      '<?xml version="1.0"?>',
    ]
    for (const body of hostile) {
      const { status, text } = await send(body)
      expect(status).toBe(500)
      expect(text).toContain('<faultcode>soap:Client</faultcode>')
      expect(text).not.toContain('root:')
    }
    expect((await send(list, '1.1', { header: '<h xmlns="urn:h" e:mustUnderstand="1"/>' })).text).toContain(
      'soap:MustUnderstand',
    )
    expect((await send(list, '1.1', { header: '<h xmlns="urn:h"/>' })).status).toBe(200)
    expect((await send(list, '1.1', { type: 'application/soap+xml' })).text).toContain('soap:VersionMismatch')
    expect((await send(list, '1.1', { type: 'application/json' })).status).toBe(415)
    for (const content of [
      `<Nothing xmlns="${namespace}"/>`,
      '<SelectAllCustomer/>',
      `${list}${list}`,
      `<SelectAllCustomer xmlns="${namespace}"><what/></SelectAllCustomer>`,
      `<InsertCustomer xmlns="${namespace}"><record><id>1</id><name>x</name></record></InsertCustomer>`,
    ]) {
      expect((await send(content, '1.2')).status).toBe(400)
    }
  })

  it.skipIf(!present)('redirects a GET without ?wsdl to the explorer', async () => {
    const answer = await instance.fetch('/soap/shop/1.0', { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/api-explorer?package=shop&protocol=soap'])
    expect((await instance.fetch('/soap/nobody/1.0?wsdl')).status).toBe(404)
  })
})
