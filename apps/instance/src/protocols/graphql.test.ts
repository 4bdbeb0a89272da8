import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { graphQlClient, type GraphQlClient } from '../testing/graphql-client.ts'
import { propertiesOf, type TestDatabase, testDatabases } from '../testing/databases.ts'
import { startTestInstance, type TestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

const aggregates = [
  {
    name: 'credit',
    entity: 'Customer',
    columns: [
      { field: 'level', type: 'GROUPBY' as const, alias: 'level' },
      { field: 'credit', type: 'SUM' as const, alias: 'sum of credit' },
      { field: 'id', type: 'COUNT' as const, alias: 'count' },
    ],
  },
]

describe.each(testDatabases)('GraphQL over $name', ({ create, present }) => {
  let database: TestDatabase
  let instance: TestInstance
  let shop: GraphQlClient
  beforeAll(async () => {
    if (!present) return
    database = await create()
    instance = await startTestInstance()
    await instance.upload(packageZip({ properties: propertiesOf(database.settings), configuration: { aggregates } }))
    await instance.settled('shop')
    shop = await graphQlClient(instance)
  })
  afterAll(async () => {
    if (!present) return
    await instance.stop()
    await database.drop()
  })

  it.skipIf(!present)('creates, reads, updates and deletes a record without losing a digit', async () => {
    const made = await shop.ask(
      'mutation { insertCustomer(record: { name: "Ann", credit: 12.50, points: 9223372036854775807, extra: { a: [1] } }) { id name credit points level extra email } }',
    )
    expect(made).toMatchObject({
      status: 200,
      data: {
        insertCustomer: {
          name: 'Ann',
          credit: '12.5',
          points: '9223372036854775807',
          level: 'plain',
          extra: { a: [1] },
          email: null,
        },
      },
    })
    const lossy = await shop.ask(
      'mutation { insertCustomer(record: { name: "Ann", extra: { a: 12345678901234567890 } }) { extra } }',
    )
    expect(lossy.errors?.[0]?.message).toContain(
      'The number 12345678901234567890 cannot be stored exactly: send it as a string.',
    )
    const id = idOf(made.data?.['insertCustomer'])
    const changed = await shop.askRaw(
      '',
      `{"query":"mutation ($record: CustomerUpdate!) { updateCustomer(record: $record) { points rating } }","variables":{"record":{"id":${id},"points":-9223372036854775808,"rating":0.30000000000000004}}}`,
    )
    expect(changed.data).toEqual({ updateCustomer: { points: '-9223372036854775808', rating: 0.30000000000000004 } })
    expect((await shop.ask('query ($id: Long!) { customer(id: $id) { name } }', { id })).data).toEqual({
      customer: { name: 'Ann' },
    })
    expect((await shop.ask('mutation ($id: Long!) { deleteCustomer(id: $id) }', { id })).data).toEqual({
      deleteCustomer: true,
    })
    const gone = await shop.ask('query ($id: Long!) { customer(id: $id) { name } }', { id })
    expect(gone.data).toEqual({ customer: null })
    expect(gone.errors).toMatchObject([
      { message: "'Customer' record not found.", extensions: { code: 'NOT_FOUND', status: 404 } },
    ])
  })

  it.skipIf(!present)('lists with filters, search, sorting and pages, including relations', async () => {
    const { data } = await shop.ask(
      'mutation { a: insertCustomer(record: { name: "Bea" }) { id } b: insertCustomer(record: { name: "Cy", level: "gold" }) { id } }',
    )
    const [bea, cy] = [idOf(data?.['a']), idOf(data?.['b'])]
    for (const [number, customer] of [
      ['1', bea],
      ['2', bea],
      ['3', cy],
    ]) {
      const record = { number, total: '5', customerId: customer }
      const made = await shop.ask(
        'mutation ($record: OrderInsert!) { insertOrder(record: $record) { number customer { name } item { sku } } }',
        { record },
      )
      expect(made.data).toEqual({
        insertOrder: { number, customer: { name: customer === bea ? 'Bea' : 'Cy' }, item: [] },
      })
    }
    const query = `query ($first: Int) {
      customerList(filter: { name: { in: ["Bea", "Cy"] } }, sort: [{ field: name, descending: true }], limit: $first) {
        total
        totalNotFiltered
        records { ...Named __typename order(sort: [{ field: number, descending: true }], limit: 1) { nr: number customer { name } } }
      }
      orderList(search: "3") { records { number } }
    }
    fragment Named on Customer { name level @skip(if: false) active @include(if: false) }`
    const expected = {
      customerList: {
        total: 2,
        totalNotFiltered: 2,
        records: [
          { name: 'Cy', level: 'gold', __typename: 'Customer', order: [{ nr: '3', customer: { name: 'Cy' } }] },
          { name: 'Bea', level: 'plain', __typename: 'Customer', order: [{ nr: '2', customer: { name: 'Bea' } }] },
        ],
      },
      orderList: { records: [{ number: '3' }] },
    }
    // Executed at first, compiled when repeated.
    for (let time = 0; time < 3; time += 1) expect((await shop.ask(query, { first: 5 })).data).toEqual(expected)
    const one = await shop.ask(query, { first: 1 })
    expect(one.data?.['customerList']).toMatchObject({ total: 2, records: [{ name: 'Cy' }] })
    const figures = await shop.ask(
      '{ customerCreditAggregate(filter: { level: { eq: "gold" } }) { level sum_of_credit count } }',
    )
    expect(figures.data).toEqual({ customerCreditAggregate: [{ level: 'gold', sum_of_credit: '0', count: 1 }] })
  })

  it.skipIf(!present)(
    'reports errors of the engine with the messages of REST, next to the data of other fields',
    async () => {
      const answer = await shop.ask(
        'mutation { a: insertCustomer(record: { name: "Dee", level: "silver" }) { id } b: insertCustomer(record: { name: "Eve" }) { name } }',
      )
      expect(answer.status).toBe(200)
      expect(answer.errors).toHaveLength(1)
      const rest = await instance.fetch('/api/shop/1.0/customer', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Dee', level: 'silver' }),
      })
      expect(rest.status).toBe(400)
      expect(answer.errors).toMatchObject([
        { ...(await messageOf(rest)), extensions: { code: 'BAD_REQUEST', status: 400 } },
      ])
      const twice = await shop.ask(
        '{ customerList { records { a: order(limit: 1) { id } b: order(limit: 2) { id } } } }',
      )
      expect(twice.errors?.[0]?.message).toBe('"order" is selected twice with different arguments.')
      const same = await shop.ask(
        '{ customerList(limit: 1) { records { a: order(limit: 1) { id } b: order(limit: 1) { number } } } }',
      )
      expect(same.errors).toBeUndefined()
    },
  )

  it.skipIf(!present)('refuses invalid and too large requests as a whole', async () => {
    const nested = `{ customerList { records { ${'order { customer { '.repeat(6)} name ${'} }'.repeat(6)} } } }`
    const wide = `{ customerList { records { ${Array.from({ length: 1500 }, (_, at) => `a${at}: name`).join(' ')} } } }`
    const unfolding = `{ customerList { records { ...F1 } } } ${Array.from(
      { length: 10 },
      (_, at) =>
        `fragment F${at + 1} on Customer { a: order { customer { ${at === 9 ? 'name' : `...F${at + 2} b: name`} } } }`,
    ).join(' ')}`
    const doubling = `{ customerList { records { ...F1 } } } ${Array.from(
      { length: 40 },
      (_, at) => `fragment F${at + 1} on Customer { ${at === 39 ? 'name' : `...F${at + 2} ...F${at + 2}`} }`,
    ).join(' ')}`
    const circle = '{ customerList { records { ...F } } } fragment F on Customer { name ...F }'
    const roots = `{ ${Array.from({ length: 21 }, (_, at) => `a${at}: customerList { total }`).join(' ')} }`
    // The record itself is the first level.
    const deep = (levels: number) =>
      `mutation { insertCustomer(record: { name: "x", extra: ${'['.repeat(levels - 1)}${']'.repeat(levels - 1)} }) { id } }`
    const invalid = [
      '{',
      '{ nothing }',
      '{ customerList { records { nothing } } }',
      'query a { customerList { total } } query b { customerList { total } }',
    ]
    for (const query of [
      nested,
      wide,
      unfolding,
      doubling,
      circle,
      roots,
      deep(1900),
      deep(101),
      ...invalid,
      `{ ${' '.repeat(100_001)} }`,
    ]) {
      const { status, data, errors } = await shop.askRaw(query)
      expect({ status, data, hasErrors: (errors?.length ?? 0) > 0 }).toEqual({
        status: 400,
        data: undefined,
        hasErrors: true,
      })
    }
    expect((await shop.askRaw(deep(100))).status).toBe(200)
    const variables = await shop.askRaw('query ($id: Long!) { customer(id: $id) { name } }', {})
    expect(variables.status).toBe(400)
  })

  it.skipIf(!present)('accepts queries but no mutations by GET, and redirects browsers to the explorer', async () => {
    const root = '/graphql/shop/1.0'
    const read = await instance.fetch(
      `${root}?query=${encodeURIComponent('query ($n: Int) { customerList(limit: $n) { total } }')}&variables=${encodeURIComponent('{"n":1}')}`,
    )
    expect(read.status).toBe(200)
    const change = await instance.fetch(`${root}?query=${encodeURIComponent('mutation { deleteCustomer(id: 1) }')}`)
    expect(change.status).toBe(405)
    const page = await instance.fetch(root, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    const text = await page.text()
    const sources = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, source = '']) => source)
    expect(sources.length).toBeGreaterThan(0)
    for (const source of sources) expect((await instance.fetch(source)).status).toBe(200)
    expect(await (await instance.fetch(`${root}/schema.graphql`)).text()).toContain('type Customer {')
    expect((await instance.fetch('/graphql/nobody/1.0?query={a}')).status).toBe(404)
    const form = await instance.fetch(root, {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: '{"query":"{a}"}',
    })
    expect(form.status).toBe(415)
  })
})

function idOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null ? Reflect.get(record, 'id') : undefined
}

async function messageOf(answer: Response): Promise<{ message: unknown }> {
  return { message: Reflect.get(JSON.parse(await answer.text()), 'message') }
}
