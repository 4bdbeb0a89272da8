import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { packageModelOf } from '@cadmus/formats/package/package-model'
import { aList, anEntity, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { soapClient } from '@cadmus/testing/soap-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabases } from '../testing/databases.ts'
import { graphQlClient } from '../testing/graphql-client.ts'
import { restClient } from '../testing/rest-client.ts'
import { serveModel, type ServedModel } from '../testing/served-model.ts'

/** The package's model, in which an item has an instant and a wall-clock time. */
function timedModel(): object {
  const model = packageModelOf(aPackageSource({ configuration: aConfiguration() }))
  const entities = model.entities.map(entity => {
    if (entity.name !== 'Item') return entity
    const [key] = entity.typeAttributes
    const timed = (['instant', 'local'] as const).map((format, at) => ({
      ...key!,
      uid: `uid of ${format}`,
      name: { instant: 'sentAt', local: 'opensAt' }[format],
      dataType: 'dateTime' as const,
      format,
      maximumLength: null,
      purpose: 'hasA' as const,
      nullable: true,
      position: entity.typeAttributes.length + at,
    }))
    return { ...entity, typeAttributes: [...entity.typeAttributes, ...timed] }
  })
  return { ...model, entities }
}

const timed = timedModel()

const instant = { dataType: 'dateTime', format: 'instant' } as const

/** A model whose events are identified by an instant and have choices and a default value of instants. */
const eventModel = packageModelOf(
  aPackageSource({
    resolvedModel: aResolvedModel([
      anEntity({
        name: 'Event',
        typeAttributes: aList(
          aTypeAttribute({ ...instant, name: 'at', purpose: 'identifiedBy' }),
          aTypeAttribute({ ...instant, name: 'ends', choices: ['2026-03-29T02:00:00.500+02:00'] }),
          aTypeAttribute({ ...instant, name: 'until', defaultValue: '2026-03-30T02:00:00.500+02:00' }),
        ),
      }),
    ]),
    configuration: aConfiguration({ services: { applySot: true, sotEntities: ['Event'] } }),
  }),
)

const sent = { sku: 'a', amount: 1, sentAt: '2026-03-29T03:30:00.25+02:00', opensAt: '2026-03-29T02:30:00' }
const answered = { sku: 'a', sentAt: '2026-03-29T01:30:00.25Z', opensAt: '2026-03-29T02:30:00' }

describe.each(testDatabases)('Instants and wall-clock times, over $name', ({ create, present }) => {
  let served: ServedModel
  beforeAll(async () => {
    if (!present) return
    served = await serveModel(create, timed)
    await (await restClient(served.instance)).ask('POST', '/item', sent)
  })
  afterAll(async () => {
    if (present) await served.stop()
  })

  it.skipIf(!present)('REST answers an instant in UTC with Z, and a wall-clock time as it was sent', async () => {
    const rest = await restClient(served.instance)
    expect((await rest.ask('GET', '/item/a')).body).toMatchObject({ item: answered })
    const later = { sku: 'b', amount: 1, sentAt: '2026-03-29T01:30:01Z' }
    await rest.ask('POST', '/item', later)
    const { body } = await rest.ask('GET', '/item?sort=-sentAt')
    expect(body).toMatchObject({ item: [later, answered] })
  })

  it.skipIf(!present)('REST refuses an instant without an offset, and a wall-clock time with one', async () => {
    const rest = await restClient(served.instance)
    const refusalOf = async (change: object) => {
      const { status, body } = await rest.ask('PUT', '/item', { sku: 'a', ...change })
      return [status, body]
    }
    const error = (message: string) => [400, { result: 'ERROR', message }]
    expect(await refusalOf({ sentAt: '2026-03-29T01:30:00' })).toEqual(
      error('sentAt: this must be a moment with its offset, such as 2026-01-31T13:45:00Z.'),
    )
    expect(await refusalOf({ opensAt: '2026-03-29T02:30:00Z' })).toEqual(
      error('opensAt: this must be a date and time without an offset, such as 2026-01-31T13:45:00.'),
    )
  })

  it.skipIf(!present)('GraphQL compares instants whatever their offset, and has a scalar for each', async () => {
    const graphQl = await graphQlClient(served.instance)
    const { data } = await graphQl.ask(
      '{ itemList(filter: { sentAt: { eq: "2026-03-29T06:30:00.25+05:00" } }) { records { sku sentAt opensAt } } }',
    )
    expect(data).toEqual({ itemList: { records: [answered] } })
    expect(['DateTime', 'LocalDateTime', 'Timestamp'].map(name => graphQl.schema.getType(name)?.name)).toEqual([
      'DateTime',
      'LocalDateTime',
      'Timestamp',
    ])
  })

  it.skipIf(!present)('SOAP answers both to a client that knows only the WSDL', async () => {
    const client = await soapClient(`${served.instance.url}/soap/shop/1.0?wsdl`, '1.1')
    const answer = await client.call('SelectItem', { sku: 'a' })
    expect(JSON.stringify(answer)).toContain(answered.opensAt)
    expect(JSON.stringify(answer)).toContain('2026-03-29T01:30:00.25')
  })

  it.skipIf(!present)('a wall-clock time becomes a time in UTC in the same tables, and reads offsets', async () => {
    const model = JSON.parse(JSON.stringify(timed).replaceAll('"local"', 'null'))
    expect(await served.publish(model, '1.1.0')).toMatchObject({ status: 'STARTED', runningVersion: '1.1.0' })
    const rest = await restClient(served.instance)
    await rest.ask('PUT', '/item', { sku: 'a', opensAt: '2026-03-29T02:30:00+02:00' })
    expect((await rest.ask('GET', '/item/a')).body).toMatchObject({ item: { opensAt: '2026-03-29T00:30:00' } })
  })
})

describe.each(testDatabases)('Records identified by an instant, over $name', ({ name, create, present }) => {
  const event = { at: '2026-03-29T01:00:00Z', ends: '2026-03-29T00:00:00.5Z', until: '2026-03-30T00:00:00.5Z' }
  let served: ServedModel
  beforeAll(async () => {
    if (!present) return
    served = await serveModel(create, eventModel)
    const rest = await restClient(served.instance)
    await rest.ask('POST', '/event', { at: '2026-03-29T03:00:00+02:00', ends: event.ends })
  })
  afterAll(async () => {
    if (present) await served.stop()
  })

  it.skipIf(!present)('have choices and default values as they are described and answered', async () => {
    const rest = await restClient(served.instance)
    expect((await rest.ask('GET', '/event?filter[until]=2026-03-30T02:00:00.500%2B02:00')).body).toMatchObject({
      event: [event],
    })
    const description = await (await served.instance.fetch('/api/shop/1.0/openapi.json')).json()
    expect(description).toMatchObject({
      components: {
        schemas: { 'Event.insert': { properties: { ends: { enum: [event.ends] }, until: { default: event.until } } } },
      },
    })
  })

  it.skipIf(!present)('have a history by this instant, whatever its offset', async () => {
    const rest = await restClient(served.instance)
    for (const key of [event.at, '2026-03-29T03:00:00.000%2B02:00'])
      expect((await rest.ask('GET', `/_history/event/${key}`)).body).toMatchObject({
        event: [{ key: event.at, after: event }],
      })
  })

  // Others refuse versions with different tables.
  if (!['SQLite', 'PostgreSQL'].includes(name)) return
  it.skipIf(!present)('keep their history where the instant becomes a wall-clock time', async () => {
    const text = JSON.stringify(eventModel)
      .replaceAll('"instant"', '"local"')
      .replaceAll('02:00:00.500+02:00', '00:00:00.5')
    await served.publish(JSON.parse(text), '1.1.0')
    const rest = await restClient(served.instance)
    expect((await rest.ask('GET', '/_history/event/2026-03-29T01:00:00')).body).toMatchObject({
      event: [{ key: '2026-03-29T01:00:00' }],
    })
  })
})
