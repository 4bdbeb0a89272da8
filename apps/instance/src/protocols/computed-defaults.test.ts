import { packageModelOf } from '@cadmus/formats/package/package-model'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { aList, anEntity, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { soapClient } from '@cadmus/testing/soap-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabases } from '../testing/databases.ts'
import { graphQlClient } from '../testing/graphql-client.ts'
import { restClient } from '../testing/rest-client.ts'
import { serveModel, type ServedModel } from '../testing/served-model.ts'

const now = { dataType: 'dateTime', defaultKind: 'now' } as const

const model = packageModelOf(
  aPackageSource({
    resolvedModel: aResolvedModel([
      anEntity({
        name: 'Event',
        typeAttributes: aList(
          aTypeAttribute({ name: 'id', format: 'guid', purpose: 'identifiedBy', defaultKind: 'uuid' }),
          aTypeAttribute({ ...now, name: 'heard', format: 'instant' }),
          aTypeAttribute({ ...now, name: 'stored' }),
          aTypeAttribute({ ...now, name: 'opens', format: 'local', nullable: true }),
          aTypeAttribute({ ...now, name: 'day', format: 'date', defaultKind: 'today' }),
        ),
      }),
    ]),
    configuration: aConfiguration({ services: { applySot: true, sotEntities: ['Event'] } }),
  }),
)

type Event = { id: string; heard: string; stored: string; opens: string | null; day: string }

const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/

/** All values of the record are of one moment in UTC. */
function expectComputed({ id, heard, stored, opens, day }: Event): void {
  expect(id).toMatch(uuid)
  expect(heard).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/)
  const moment = heard.slice(0, -1)
  expect([stored, opens, day]).toEqual([moment, moment, moment.slice(0, 10)])
}

describe.each(testDatabases)('Computed defaults, over $name', ({ create, present }) => {
  let served: ServedModel
  beforeAll(async () => {
    if (!present) return
    served = await serveModel(create, model)
  })
  afterAll(async () => {
    if (present) await served.stop()
  })

  it.skipIf(!present)('REST fills in absent fields, keeps sent ones, and changes none later', async () => {
    const rest = await restClient(served.instance)
    const { status, body } = await rest.ask('POST', '/event', {})
    expect(status).toBe(200)
    const { event } = body as { event: Event }
    expectComputed(event)
    const sent = { heard: '2026-03-29T01:00:00Z', opens: null }
    const own = await rest.ask('POST', '/event', sent)
    expect(own.body).toMatchObject({ event: sent })
    expect((await rest.ask('POST', '/event', { day: null })).status).toBe(400)
    await rest.ask('PUT', '/event', { id: event.id, day: '2026-01-31' })
    expect((await rest.ask('GET', `/event/${event.id}`)).body).toMatchObject({ event: { ...event, day: '2026-01-31' } })
  })

  it.skipIf(!present)('GraphQL has one clock for all records of a request', async () => {
    const graphQl = await graphQlClient(served.instance)
    const fields = '{ id heard stored opens day }'
    const { data } = await graphQl.ask(
      `mutation { a: insertEvent(record: {}) ${fields} b: insertEvent(record: {}) ${fields} }`,
    )
    const { a, b } = data as { a: Event; b: Event }
    expectComputed(a)
    expect({ ...b, id: a.id }).toEqual(a)
    expect(b.id).not.toBe(a.id)
  })

  it.skipIf(!present)('SOAP fills them in for a client that knows only the WSDL', async () => {
    const client = await soapClient(`${served.instance.url}/soap/shop/1.0?wsdl`, '1.1')
    const text = JSON.stringify(await client.call('InsertEvent', { record: {} }))
    const [id = ''] = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/.exec(text) ?? []
    const { body } = await (await restClient(served.instance)).ask('GET', `/event/${id}`)
    expectComputed((body as { event: Event }).event)
  })

  it.skipIf(!present)('all descriptions say that they are optional', async () => {
    const openApi = await (await served.instance.fetch('/api/shop/1.0/openapi.json')).json()
    const { required, properties } = openApi.components.schemas['Event.insert']
    expect([required, properties.id.description]).toEqual([undefined, 'If absent, a random UUID is stored.'])
    expect(properties.day).not.toHaveProperty('default')
    const wsdl = await (await served.instance.fetch('/soap/shop/1.0?wsdl')).text()
    expect(wsdl).toContain('minOccurs="0"><xsd:annotation><xsd:documentation>If absent, the present day in UTC')
    const { schema } = await graphQlClient(served.instance)
    expect(JSON.stringify(schema.getType('EventInsert')?.toConfig())).toContain(
      'If absent, the present time is stored.',
    )
  })
})
