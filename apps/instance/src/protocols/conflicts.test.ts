import { aConfiguration, aPackageSource } from '@cadmus/formats/testing/built-packages'
import { packageModelOf } from '@cadmus/formats/package/package-model'
import { soapClient } from '@cadmus/testing/soap-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aCheck } from '@cadmus/model/testing/builders'
import { testDatabases } from '../testing/databases.ts'
import { graphQlClient } from '../testing/graphql-client.ts'
import { restClient } from '../testing/rest-client.ts'
import { serveModel, type ServedModel } from '../testing/served-model.ts'

const violation = 'A name is no level.'

/** The package's model, in which the name and level of a customer are unique together, and differ. */
function groupedModel(): object {
  const model = packageModelOf(aPackageSource({ configuration: aConfiguration() }))
  const entities = model.entities.map(entity => {
    if (entity.name !== 'Customer') return entity
    const members = ['name', 'level'].map(name => ({
      uid: entity.typeAttributes.find(item => item.name === name)?.uid ?? '',
      name,
      descending: false,
    }))
    const checks = [aCheck('name <> level', { message: violation })]
    return { ...entity, groups: [{ uid: 'g', kind: 'unique' as const, name: '', members }], checks }
  })
  return { ...model, entities }
}

const message = 'There is a record with this name and level already.'

describe.each(testDatabases)(
  'A second record with values that are unique together, over $name',
  ({ create, present }) => {
    let served: ServedModel
    beforeAll(async () => {
      if (!present) return
      served = await serveModel(create, groupedModel())
      await (await restClient(served.instance)).ask('POST', '/customer', { name: 'Ann', level: 'gold' })
    })
    afterAll(async () => {
      if (present) await served.stop()
    })

    it.skipIf(!present)('is refused by REST with its fields, and described in OpenAPI', async () => {
      const rest = await restClient(served.instance)
      const { status, body } = await rest.ask('POST', '/customer', { name: 'Ann', level: 'gold' })
      expect([status, body]).toEqual([409, { result: 'ERROR', message, fields: ['name', 'level'] }])
      expect((await rest.ask('POST', '/customer', { name: 'Ann', level: 'plain' })).status).toBe(200)
      const described = await (await served.instance.fetch('/api/shop/1.0/openapi.json')).text()
      expect(JSON.parse(described).components.schemas.Customer['x-unique']).toEqual([['name', 'level']])
    })

    it.skipIf(!present)(
      'violates a check alike in all protocols: as a new record, or as the record after a change',
      async () => {
        const [rest, graphQl] = [await restClient(served.instance), await graphQlClient(served.instance)]
        const soap = await soapClient(`${served.instance.url}/soap/shop/1.0?wsdl`, '1.1')
        const refusal = { result: 'ERROR', message: violation, fields: ['name', 'level'] }
        const twice = { name: 'gold', level: 'gold' }
        expect(await rest.ask('POST', '/customer', twice)).toMatchObject({ status: 400, body: refusal })
        const { body } = await rest.ask('POST', '/customer', { name: 'plain', level: 'gold' })
        const { id } = (body as { customer: { id: number } }).customer
        expect(await rest.ask('PUT', '/customer', { id, level: 'plain' })).toMatchObject({ status: 400, body: refusal })
        expect((await rest.ask('PUT', '/customer', { id, ...twice, name: 'other' })).status).toBe(200)
        expect((await rest.ask('PUT', '/customer', { id: 999, level: 'gold' })).status).toBe(404)
        const { errors } = await graphQl.ask(`mutation { updateCustomer(record: { id: ${id}, name: "gold" }) { id } }`)
        expect(errors).toMatchObject([
          { message: violation, extensions: { code: 'BAD_REQUEST', fields: refusal.fields } },
        ])
        const answer = await soap.call('UpdateCustomer', { record: { id, name: 'gold' } })
        expect(answer).toMatchObject({ kind: 'fault', message: expect.stringContaining(violation) })
        expect(graphQl.schema.getType('Customer')?.description).toContain(`Records meet: name <> level. ${violation}`)
      },
    )

    it.skipIf(!present)('is refused alike as a change, and among several changes of a request', async () => {
      const [rest, graphQl] = [await restClient(served.instance), await graphQlClient(served.instance)]
      const soap = await soapClient(`${served.instance.url}/soap/shop/1.0?wsdl`, '1.1')
      const { body } = await rest.ask('POST', '/customer', { name: 'Bob', level: 'gold' })
      const { id } = (body as { customer: { id: number } }).customer
      const refusal = { result: 'ERROR', message, fields: ['name', 'level'] }
      expect(await rest.ask('PUT', '/customer', { id, name: 'Ann' })).toMatchObject({ status: 409, body: refusal })
      const { errors } = await graphQl.ask(`mutation {
        other: updateCustomer(record: { id: ${id}, name: "Cid" }) { name }
        same: updateCustomer(record: { id: ${id}, name: "Ann" }) { name } }`)
      expect(errors).toMatchObject([
        { message, path: ['same'], extensions: { code: 'CONFLICT', fields: refusal.fields } },
      ])
      const answer = await soap.call('UpdateCustomer', { record: { id, name: 'Ann' } })
      expect(JSON.stringify(answer)).toContain('"field":["name","level"]')
      expect((await rest.ask('GET', `/customer/${id}`)).body).toMatchObject({ customer: { name: 'Cid' } })
    })

    it.skipIf(!present)('is refused by GraphQL with its fields, and described in the schema', async () => {
      const graphQl = await graphQlClient(served.instance)
      const { errors } = await graphQl.ask('mutation { insertCustomer(record: { name: "Ann", level: "gold" }) { id } }')
      expect(errors).toMatchObject([{ message, extensions: { code: 'CONFLICT', fields: ['name', 'level'] } }])
      expect(graphQl.schema.getType('Customer')?.description).toContain('No two records have the same name, level.')
    })

    it.skipIf(!present)('is refused by SOAP with its fields', async () => {
      const client = await soapClient(`${served.instance.url}/soap/shop/1.0?wsdl`, '1.1')
      const answer = await client.call('InsertCustomer', { record: { name: 'Ann', level: 'gold' } })
      expect(answer).toMatchObject({ kind: 'fault', message: expect.stringContaining(message) })
      expect(JSON.stringify(answer)).toContain('"field":["name","level"]')
    })
  },
)
