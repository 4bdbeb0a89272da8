import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'
import { writeQuickUsers } from '../testing/quick-users.ts'

describe('REST, GraphQL and SOAP access', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await startTestInstance()
    writeQuickUsers(join(instance.dataDir, 'users'), [
      ['reader', 'shop%3aread', ''],
      ['keeper', 'shop%3aall', ''],
      ['selector', 'shop%3aselect', ''],
    ])
    const configuration = { security: 'BASIC' as const, scopes: { enableRbac: true, globalScopes: ['shop:all'] } }
    const scopes = { selectAllOperationScopes: ['shop:read'], selectOperationScopes: ['shop:select'] }
    await instance.upload(packageZip({ configuration, scopes }))
    await instance.settled('shop')
  })
  afterAll(() => instance.stop())

  const basic = (name: string) => ({
    authorization: `Basic ${Buffer.from(`${name}:correct horse`).toString('base64')}`,
  })
  const graphQl = async (query: string, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ query })
    const answer = await instance.fetch('/graphql/shop/1.0', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    return { status: answer.status, challenge: answer.headers.get('www-authenticate'), body: await answer.json() }
  }
  const soap = async (content: string, headers: Record<string, string> = {}) => {
    const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${content}</e:Body></e:Envelope>`
    const answer = await instance.fetch('/soap/shop/1.0', {
      method: 'POST',
      headers: { 'content-type': 'text/xml', ...headers },
      body,
    })
    return { status: answer.status, challenge: answer.headers.get('www-authenticate'), body: await answer.text() }
  }
  const listing = '<SelectAllCustomer xmlns="urn:cadmus:shop:1.0"/>'
  const inserting = '<InsertCustomer xmlns="urn:cadmus:shop:1.0"><record><name>x</name></record></InsertCustomer>'

  it('refuses an unauthenticated caller before receiving a large body', async () => {
    const answered = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const address = {
          port: instance.context.port,
          host: '127.0.0.1',
          path: '/api/shop/1.0/customer',
          method: 'POST',
        }
        const host = `localhost:${instance.context.port}`
        const sent = request({ ...address, headers: { host, 'content-type': 'application/json', ...headers } })
        sent.once('response', ({ statusCode }) => {
          resolve(statusCode)
          sent.destroy()
        })
        sent.once('error', reject)
        sent.write('{')
      })
    expect(await answered({ 'content-length': '4000000' })).toBe(401)
    expect(await answered({ 'transfer-encoding': 'chunked' })).toBe(401)
    const body = JSON.stringify({ name: 'x'.repeat(100_000) })
    const headers = { 'content-type': 'application/json', ...basic('keeper') }
    const whole = await instance.fetch('/api/shop/1.0/customer', { method: 'POST', headers, body })
    expect([whole.status, (await whole.text()).includes('name')]).toEqual([400, true])
  })

  it('refuses requests without credentials with a challenge', async () => {
    const rest = await instance.fetch('/api/shop/1.0/customer')
    const challenge = rest.headers.get('www-authenticate')
    expect(rest.status).toBe(401)
    expect(await graphQl('{ customerList { total } }')).toMatchObject({ status: 401, challenge })
    expect(await graphQl('{ __schema { types { name } } }')).toMatchObject({ status: 401, challenge })
    const refused = await soap(listing)
    expect(refused).toMatchObject({ status: 401, challenge })
    expect(refused.body).toContain('<kind>unauthenticated</kind>')
    for (const path of [
      '/soap/shop/1.0?wsdl',
      '/graphql/shop/1.0/schema.graphql',
      '/graphql/shop/1.0/first-query.graphql',
      '/graphql/shop/1.0?query={customerList{total}}',
    ]) {
      expect((await instance.fetch(path)).status).toBe(401)
    }
  })

  it('redirects browsers without credentials to the explorer', async () => {
    const response = (path: string) =>
      instance.fetch(path, { headers: { accept: 'text/html,*/*;q=0.8' }, redirect: 'manual' })
    for (const protocol of ['soap', 'graphql']) {
      const answer = await response(`/${protocol}/shop/1.0`)
      const address = `/api-explorer?package=shop&protocol=${protocol}`
      expect([answer.status, answer.headers.get('location')]).toEqual([302, address])
    }
    expect((await response('/soap/shop/1.0?wsdl')).status).toBe(401)
    expect((await response('/soap/nobody/1.0')).status).toBe(404)
  })

  it('refuses an operation without its scope', async () => {
    expect((await instance.fetch('/api/shop/1.0/customer', { headers: basic('reader') })).status).toBe(200)
    expect(await graphQl('{ customerList { total } }', basic('reader'))).toMatchObject({
      status: 200,
      body: { data: { customerList: { total: 0 } } },
    })
    expect((await soap(listing, basic('reader'))).status).toBe(200)
    const message = 'This operation requires one of the scopes: shop:all.'
    const insert = await graphQl('mutation { insertCustomer(record: { name: "x" }) { id } }', basic('reader'))
    expect(insert.body).toMatchObject({
      data: null,
      errors: [{ message, extensions: { code: 'FORBIDDEN', status: 403 } }],
    })
    const refused = await soap(inserting, basic('reader'))
    expect(refused.status).toBe(403)
    expect(refused.body).toContain(message)
    expect((await soap(inserting, basic('keeper'))).status).toBe(200)
  })

  it('refuses related records of an entity the caller may not read', async () => {
    const query = '{ customerList { records { name order { number } } } }'
    expect((await graphQl(query, basic('reader'))).body).toMatchObject({
      errors: [
        { message: 'The records of Order need a scope that the caller lacks.', extensions: { code: 'FORBIDDEN' } },
      ],
    })
    expect((await graphQl(query, basic('keeper'))).body).toEqual({
      data: { customerList: { records: [{ name: 'x', order: [] }] } },
    })
  })

  it('refuses related records of a record the caller may not read', async () => {
    const order =
      '<InsertOrder xmlns="urn:cadmus:shop:1.0"><record><number>1</number><total>1</total><customerId>1</customerId></record></InsertOrder>'
    expect((await soap(inserting, basic('keeper'))).status).toBe(200)
    expect((await soap(order, basic('keeper'))).status).toBe(200)
    const leading = '<SelectCustomerByOrder xmlns="urn:cadmus:shop:1.0"><id>1</id></SelectCustomerByOrder>'
    for (const [name, status] of [
      ['selector', 403],
      ['keeper', 200],
    ] as const) {
      const rest = await instance.fetch('/api/shop/1.0/order/1/customer', { headers: basic(name) })
      expect([name, rest.status, (await soap(leading, basic(name))).status]).toEqual([name, status, status])
    }
    expect((await instance.fetch('/api/shop/1.0/customer/1', { headers: basic('selector') })).status).toBe(200)
  })
})
