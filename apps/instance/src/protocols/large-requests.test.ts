import { limits } from '@cadmus/model/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

describe('request size limits', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await startTestInstance()
    await instance.upload(packageZip())
    await instance.settled('shop')
  })
  afterAll(() => instance.stop())

  const many = (count: number, part: (at: number) => string, separator = ',') =>
    Array.from({ length: count }, (_, at) => part(at)).join(separator)
  const send = async (path: string, type: string, body: string) => {
    const answer = await instance.fetch(path, { method: 'POST', headers: { 'content-type': type }, body })
    return { status: answer.status, text: await answer.text() }
  }
  const keys = many(300_000, at => `"k${at}":1`)
  const tooMuch = `The body contains more than ${limits.callValues} values.`

  // Each body is truncated, so parsing it would report a syntax error.
  it.each([
    ['REST: unknown fields', '/api/shop/1.0/customer', `{${keys}`],
    ['REST: lists', '/api/shop/1.0/customer', `{"name":[${many(300_000, () => '[]')}`],
    ['GraphQL: unused variables', '/graphql/shop/1.0', `{"query":"{customerList{total}}","variables":{${keys}`],
    ['GraphQL: unknown members', '/graphql/shop/1.0', `{"query":"{customerList{total}}",${keys}`],
  ])('refuses a JSON body with too many values before parsing it: %s', async (_what, path, body) => {
    const { status, text } = await send(path, 'application/json', body)
    expect([status, JSON.parse(text).message]).toEqual([400, tooMuch])
  })

  it('refuses a management request with too many JSON values', async () => {
    const user = Object.fromEntries(Array.from({ length: limits.callValues }, (_, at) => [`k${at}`, 1]))
    const answer = await instance.manage('POST', '/esbapi/users', user)
    const message = `The JSON contains more than ${limits.callValues} values.`
    expect([answer.status, await answer.json()]).toEqual([400, { result: 'ERROR', message }])
  })

  it.each([
    ['attributes', many(300_000, at => `a${at}="x"`, ' '), 'An element has too many attributes.'],
    ['namespaces', many(150_000, at => `xmlns:a${at}="urn:${at}"`, ' '), 'An element has too many attributes.'],
  ])('refuses a SOAP element with too many %s', async (_what, within, message) => {
    const { status, text } = await send(
      '/soap/shop/1.0',
      'text/xml',
      `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><a ${within}`,
    )
    expect([status, text]).toEqual([500, expect.stringContaining(message)])
  })

  it('accepts a body below the limit', async () => {
    const rest = await send('/api/shop/1.0/customer', 'application/json', `{"name":[${many(49_000, at => `${at}`)}]}`)
    expect([rest.status, rest.text]).toEqual([400, expect.stringContaining('name: this must be a text.')])
    const variables = `{${many(49_000, at => `"k${at}":1`)}}`
    const graphQl = `{"query":"{customerList{total}}","variables":${variables}}`
    expect(await send('/graphql/shop/1.0', 'application/json', graphQl)).toEqual({
      status: 200,
      text: '{"data":{"customerList":{"total":0}}}',
    })
  })
})
