import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { packageModelOf } from '@cadmus/formats/package/package-model'
import { soapClient } from '@cadmus/testing/soap-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { graphQlClient } from '../testing/graphql-client.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'
import { restClient } from '../testing/rest-client.ts'

/** The package's model, in which an item has an instant and a wall-clock time. */
function timedModel(): string {
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
  return JSON.stringify({ ...model, entities })
}

const sent = { sku: 'a', amount: 1, sentAt: '2026-03-29T03:30:00.25+02:00', opensAt: '2026-03-29T02:30:00' }
const answered = { sku: 'a', sentAt: '2026-03-29T01:30:00.25Z', opensAt: '2026-03-29T02:30:00' }

describe.each(testDatabases)('Instants and wall-clock times, over $name', ({ create, present }) => {
  let database: TestDatabase
  let instance: TestInstance
  beforeAll(async () => {
    if (!present) return
    database = await create()
    instance = await startTestInstance()
    const files = { 'resources/cadmus/model.json': timedModel() }
    await instance.upload(packageZip({ properties: propertiesOf(database.settings), files }))
    await instance.settled('shop')
    await (await restClient(instance)).ask('POST', '/item', sent)
  })
  afterAll(async () => {
    if (!present) return
    await instance.stop()
    await database.drop()
  })

  it.skipIf(!present)('REST answers an instant in UTC with Z, and a wall-clock time as it was sent', async () => {
    const rest = await restClient(instance)
    expect((await rest.ask('GET', '/item/a')).body).toMatchObject({ item: answered })
    const later = { sku: 'b', amount: 1, sentAt: '2026-03-29T01:30:01Z' }
    await rest.ask('POST', '/item', later)
    const { body } = await rest.ask('GET', '/item?sort=-sentAt')
    expect(body).toMatchObject({ item: [later, answered] })
  })

  it.skipIf(!present)('REST refuses an instant without an offset, and a wall-clock time with one', async () => {
    const rest = await restClient(instance)
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
    const graphQl = await graphQlClient(instance)
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
    const client = await soapClient(`${instance.url}/soap/shop/1.0?wsdl`, '1.1')
    const answer = await client.call('SelectItem', { sku: 'a' })
    expect(JSON.stringify(answer)).toContain(answered.opensAt)
    expect(JSON.stringify(answer)).toContain('2026-03-29T01:30:00.25')
  })
})
