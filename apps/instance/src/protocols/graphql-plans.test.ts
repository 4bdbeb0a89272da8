import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphQlClient, type GraphQlClient } from '../testing/graphql-client.ts'
import { propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

// A query with a directive is run by the GraphQL executor, one without by a plan whose JSON the database writes.

/** § marks the place of the directive. */
const read = [
  '{ customerList(sort: [{ field: name }]) { __typename records { name § id __typename } total } }',
  '{ customerList { totalNotFiltered total § } }',
  '{ customerList(sort: [{ field: name }]) { records { ...All order(sort: [{ field: number, descending: true }]) { number § customer { name __typename } total } } } } fragment All on Customer { opens picture since born credit rating points extra token active level email }',
  '{ one: customerList(limit: 1, sort: [{ field: name }]) { records { name § } } two: orderList(search: "2") { records { number } } }',
  'query ($most: Int!, $level: String) { customerList(filter: { level: { eq: $level } }) { records { order(limit: $most, sort: [{ field: number }]) { number § } name } } }',
  '{ customer(id: 1) { name § name order { number item { sku } number } } }',
  '{ customerList(limit: 0) { total } order(id: 1) { number § } }',
  '{ customer(id: 4711) { name § } order(id: 1) { number } }',
]

describe.each(testDatabases)('GraphQL plans and executor over $name', ({ create, present }) => {
  let database: TestDatabase
  let instance: TestInstance
  let shop: GraphQlClient
  beforeAll(async () => {
    if (!present) return
    database = await create()
    instance = await startTestInstance()
    await instance.upload(packageZip({ properties: propertiesOf(database.settings) }))
    await instance.settled('shop')
    shop = await graphQlClient(instance)
    const record = {
      name: 'Ann "the" Ünlü\n',
      email: '\u2028\\',
      born: '2024-02-29',
      since: '2026-01-31T13:45:00.120',
      credit: '0.10',
      level: 'gold',
      points: '9223372036854775807',
      rating: 1e-7,
      active: false,
      extra: { b: [1.5, null, 'x'], a: {} },
      token: '0197F3A0-0000-7000-8000-00000000000A',
      picture: 'AP8Q',
      opens: '08:30:00.5',
    }
    const add = 'mutation ($record: CustomerInsert!) { insertCustomer(record: $record) { id } }'
    await shop.ask(add, { record })
    await shop.ask(add, { record: { name: 'Bea', picture: 'A'.repeat(400), rating: 123456789012 } })
    for (const number of ['1', '2', '3']) {
      const order = { number, total: '5', customerId: 1 }
      await shop.ask('mutation ($order: OrderInsert!) { insertOrder(record: $order) { id } }', { order })
    }
  })
  afterAll(async () => {
    if (!present) return
    await instance.stop()
    await database.drop()
  })

  it.skipIf(!present).each(read)('return the same data: %s', async query => {
    const variables = query.includes('$most') ? { most: 2, level: 'gold' } : {}
    const planned = await shop.askRaw(query.replace('§', ''), variables)
    const executed = await shop.askRaw(query.replace('§', '@include(if: true)'), variables)
    expect(JSON.stringify(planned.data)).toBe(JSON.stringify(executed.data))
    expect(new Set(planned.errors)).toEqual(new Set(executed.errors))
    expect(planned.status).toBe(executed.status)
  })

  it.skipIf(!present)('make the same changes and return the same errors', async () => {
    const change = (own: string, record: string) =>
      `mutation { updateCustomer(record: ${record}) { ${own} level id __typename } }`
    for (const record of [
      '{ id: 2, email: "b@example.com" }',
      '{ id: 2 }',
      '{ id: 4711, email: "c" }',
      '{ id: 2, level: "silver" }',
    ]) {
      const planned = await shop.askRaw(change('email', record))
      expect(planned).toEqual(await shop.askRaw(change('email @include(if: true)', record)))
    }
    const order = (own: string, number: string, customer: number) =>
      `mutation { insertOrder(record: { number: "${number}", total: 1, customerId: ${customer} }) { ${own} total customerId } }`
    expect(await shop.askRaw(order('number', '7', 1))).toMatchObject({
      data: { insertOrder: { number: '7', total: '1', customerId: 1 } },
    })
    for (const [number, customer] of [
      ['7', 1],
      ['8', 4711],
    ] as const) {
      const planned = await shop.askRaw(order('number', number, customer))
      expect(planned.errors).toHaveLength(1)
      expect(planned).toEqual(await shop.askRaw(order('number @include(if: true)', number, customer)))
    }
  })

  it.skipIf(!present)('a mutation after a failed one is not run, however often the document is sent', async () => {
    const query =
      'mutation ($name: String!) { a: updateCustomer(record: { id: 4711, name: $name }) { id } b: updateCustomer(record: { id: 2, name: $name }) { id } }'
    const name = async () => (await shop.ask('{ customer(id: 2) { name } }')).data
    const before = await name()
    for (let count = 0; count < 3; count += 1) {
      expect(await shop.ask(query, { name: 'changed' })).toMatchObject({ data: null, errors: [{}] })
      expect(await name()).toEqual(before)
    }
  })
})
