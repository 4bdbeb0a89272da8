import { limits } from '@cadmus/model/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

const { page, minPageSize, maxPageSize } = limits.rows
const refusal = `limit: this must be a whole number from ${minPageSize} to ${maxPageSize}.`
const offsetRefusal = 'offset: this must be a whole number from 0.'

describe('limit of a list', () => {
  let instance: TestInstance
  beforeAll(async () => {
    instance = await startTestInstance()
    await instance.upload(packageZip())
    await instance.settled('shop')
    for (let count = 0; count < page + 1; count += 1) await insert(`${count}`)
  })
  afterAll(() => instance.stop())

  const insert = (name: string) =>
    instance.fetch('/api/shop/1.0/customer', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    })
  const textOf = async (path: string, type?: string, body?: string) => {
    const sent = type === undefined ? {} : { method: 'POST', headers: { 'content-type': type }, body: body ?? '' }
    return (await instance.fetch(path, sent)).text()
  }
  const answersFor = async (of: 'limit' | 'offset', value: string) => {
    const query = `{ customerList(${of}: ${of === 'offset' ? `"${value}"` : value}) { records { id } } }`
    const content = `<SelectAllCustomer xmlns="urn:cadmus:shop:1.0"><${of}>${value}</${of}></SelectAllCustomer>`
    const envelope = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>${content}</e:Body></e:Envelope>`
    return {
      rest: await textOf(`/api/shop/1.0/customer?${of}=${value}`),
      graphQl: await textOf('/graphql/shop/1.0', 'application/json', JSON.stringify({ query })),
      soap: await textOf('/soap/shop/1.0', 'text/xml', envelope),
    }
  }

  it.each([minPageSize, maxPageSize])('accepts a limit of %d over every protocol', async limit => {
    const { rest, graphQl, soap } = await answersFor('limit', String(limit))
    const count = Math.min(limit, page + 1)
    expect(JSON.parse(rest).customer).toHaveLength(count)
    expect(JSON.parse(graphQl).data.customerList.records).toHaveLength(count)
    expect(soap.match(/<record>/g)).toHaveLength(count)
  })

  it.each(['-1', String(minPageSize - 1), String(maxPageSize + 1), '5000', '10001', '2000000000'])(
    'refuses a limit of %s over every protocol with the same message',
    async limit => {
      const { rest, graphQl, soap } = await answersFor('limit', limit)
      expect(JSON.parse(rest)).toEqual({ result: 'ERROR', message: refusal })
      expect(JSON.parse(graphQl).errors).toMatchObject([{ message: refusal }])
      expect(soap).toContain(refusal)
    },
  )

  it.each(['x', '1.5', '1e2', '99999999999999999999'])('refuses %s, which is not a whole number', async limit => {
    const { rest, soap } = await answersFor('limit', limit)
    expect(JSON.parse(rest)).toEqual({ result: 'ERROR', message: refusal })
    expect(soap).toContain(refusal)
    const later = await answersFor('offset', limit)
    expect(JSON.parse(later.rest)).toEqual({ result: 'ERROR', message: offsetRefusal })
    expect(later.soap).toContain(offsetRefusal)
  })

  it('the limit defaults to one page', async () => {
    expect(JSON.parse(await textOf('/api/shop/1.0/customer')).customer).toHaveLength(page)
  })

  it('the limit is described in OpenAPI, SDL and WSDL', async () => {
    const { components } = JSON.parse(await textOf('/api/shop/1.0/openapi.json'))
    expect(components.parameters.limit.schema).toEqual({
      type: 'integer',
      minimum: minPageSize,
      maximum: maxPageSize,
      default: page,
    })
    const sdl = await textOf('/graphql/shop/1.0/schema.graphql')
    expect(sdl).toContain(`"The maximum number of records: ${minPageSize} to ${maxPageSize}." limit: Int`)
    const wsdl = await textOf('/soap/shop/1.0?wsdl')
    expect(wsdl.replaceAll(/>\s+</g, '><')).toContain(
      `<xsd:minInclusive value="${minPageSize}"/><xsd:maxInclusive value="${maxPageSize}"/>`,
    )
  })
})
