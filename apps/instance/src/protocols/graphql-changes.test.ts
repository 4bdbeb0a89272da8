import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEngine } from '../engine/engine.ts'
import { OperationError } from '../engine/errors.ts'
import { graphQlClient, type GraphQlClient } from '../testing/graphql-client.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

describe('GraphQL mutations with relations', () => {
  let instance: TestInstance
  let shop: GraphQlClient
  let isAway = false
  beforeAll(async () => {
    instance = await startTestInstance({
      openEngine: async (...options) => {
        const engine = await openEngine(...options)
        return {
          ...engine,
          run: async (operation, ...rest) => {
            if (isAway && operation.entity === 'Order')
              throw new OperationError({ kind: 'unavailable', message: 'Away.' })
            return engine.run(operation, ...rest)
          },
        }
      },
    })
    await instance.upload(packageZip())
    await instance.settled('shop')
    shop = await graphQlClient(instance)
    const email = 'x'.repeat(5_000_000)
    await shop.ask('mutation ($email: String!) { insertCustomer(record: { name: "Ada", email: $email }) { id } }', {
      email,
    })
  })
  afterAll(() => instance.stop())

  const nameOf = async () => (await shop.ask('{ customer(id: 1) { name } }')).data

  it('a record is not changed if its relations would be larger than an answer', async () => {
    const insert = 'mutation ($record: OrderInsert!) { insertOrder(record: $record) { id } }'
    for (const number of ['1', '2']) {
      const { errors } = await shop.ask(insert, { record: { number, total: '1', customerId: 1 } })
      expect(errors).toBeUndefined()
    }
    const emails = Array.from({ length: 8 }, (_, at) => `e${at}: email`).join(' ')
    const query = `mutation { updateCustomer(record: { id: 1, name: "Bea" }) { order { customer { ${emails} } } } }`
    const answer = await shop.ask(query)
    expect(answer.errors?.[0]?.message).toMatch(/^The answer would be larger than 64 MB\./)
    expect(await nameOf()).toEqual({ customer: { name: 'Ada' } })
  })

  it('a failure after a committed mutation does not have a status that callers retry', async () => {
    isAway = true
    const answer = await shop.ask(
      'mutation { updateCustomer(record: { id: 1, name: "Cid" }) { id } deleteOrder(id: 1) }',
    )
    const refused = await shop.ask('mutation { a: deleteOrder(id: 1) b: deleteOrder(id: 2) }')
    isAway = false
    expect([answer.status, answer.errors?.[0]?.message, refused.status]).toEqual([200, 'Away.', 503])
    expect(await nameOf()).toEqual({ customer: { name: 'Cid' } })
  })

  it('the record counts once towards the size limit of the answer', async () => {
    const emails = Array.from({ length: 8 }, (_, at) => `e${at}: email`).join(' ')
    const query = `mutation { updateCustomer(record: { id: 1, name: "Dan" }) { ${emails} order { number } } }`
    const { status, errors, data } = await shop.ask(query)
    expect([status, errors, data !== null]).toEqual([200, undefined, true])
  })
})
