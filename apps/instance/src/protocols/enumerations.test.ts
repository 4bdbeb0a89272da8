import { packageModelOf } from '@cadmus/formats/package/package-model'
import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { anEnumeratedModel } from '@cadmus/formats/testing/enumerated-model'
import { soapClient } from '@cadmus/testing/soap-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabases } from '../testing/databases.ts'
import { graphQlClient } from '../testing/graphql-client.ts'
import { restClient } from '../testing/rest-client.ts'
import { serveModel, type ServedModel } from '../testing/served-model.ts'

const model = packageModelOf(aPackageSource({ resolvedModel: anEnumeratedModel(), configuration: aConfiguration() }))
const order = { state: 'in work', before: 'done', sorting: null }

describe.each(testDatabases)('Fields of enumerations, over $name', ({ create, present }) => {
  let served: ServedModel
  beforeAll(async () => {
    if (present) served = await serveModel(create, model)
  })
  afterAll(async () => {
    if (present) await served.stop()
  })

  it.skipIf(!present)('are texts in REST, where the description has the type of each', async () => {
    const rest = await restClient(served.instance)
    expect(await rest.ask('POST', '/order', order)).toMatchObject({ status: 200, body: { order } })
    expect((await rest.ask('POST', '/order', { state: 'other' })).status).toBe(400)
    const { components } = await (await served.instance.fetch('/api/shop/1.0/openapi.json')).json()
    expect(components.schemas.State.enum).toEqual(['in work', 'done'])
  })

  it.skipIf(!present)('are strings in GraphQL, whatever their values', async () => {
    const graphQl = await graphQlClient(served.instance)
    const answer = await graphQl.ask(
      'mutation { insertOrder(record: {state: "in work", before: "done"}) { state before sorting } }',
    )
    expect(answer).toMatchObject({ data: { insertOrder: order } })
  })

  it.skipIf(!present)('are sent and received by a client of SOAP that knows only the WSDL', async () => {
    const client = await soapClient(`${served.instance.url}/soap/shop/1.0?wsdl`, '1.1')
    const answer = JSON.stringify(await client.call('InsertOrder', { record: { state: 'in work', sorting: 'a<b' } }))
    expect(answer).toContain('in work')
    expect(answer).toMatch(/a(?:<|&lt;)b/)
  })
})
