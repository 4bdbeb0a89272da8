export type Call = {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Caller = (at: number) => Call

/** A row of the table: a call of the package, and the call it is compared with. */
export type Compared = {
  readonly name: string
  readonly ours: Caller
  readonly theirs: Caller
  /** Target ratio to the speed of the compared call. */
  readonly aim: number
  /** Kind of the compared call: the hand-written server, or another call of the instance. */
  readonly with: 'by hand' | 'package'
}

export const customers = 1000

const json = { 'content-type': 'application/json' }

const rest = {
  'one by its key': at => ({ method: 'GET', path: `/customer/${(at % customers) + 1}` }),
  'a filtered, sorted list of 20': () => ({ method: 'GET', path: '/customer?filter[level]=gold&sort=name&limit=20' }),
  'an order with its customer and items': at => ({ method: 'GET', path: `/order/${(at % 100) + 1}` }),
  insert: at => requestOf('POST', '/customer', { name: `New ${at}`, email: 'a@example.com' }),
  update: at => requestOf('PUT', '/customer', { id: (at % customers) + 1, email: `${at}@example.com` }),
} satisfies Record<string, Caller>

const customer = 'id name email born since credit level points rating active token extra picture opens'

const queries: Readonly<Record<keyof typeof rest, { query: string; variables(at: number): Record<string, unknown> }>> =
  {
    'one by its key': {
      query: `query ($id: Long!) { customer(id: $id) { ${customer} } }`,
      variables: at => ({ id: (at % customers) + 1 }),
    },
    'a filtered, sorted list of 20': {
      query: `query ($level: String) { customerList(filter: { level: { eq: $level } }, sort: [{ field: name }], limit: 20) {
      total totalNotFiltered records { ${customer} } } }`,
      variables: () => ({ level: 'gold' }),
    },
    'an order with its customer and items': {
      query: `query ($id: Long!) { order(id: $id) { id number total customerId customer { ${customer} } item { sku amount orderId } } }`,
      variables: at => ({ id: (at % 100) + 1 }),
    },
    insert: {
      query: `mutation ($record: CustomerInsert!) { insertCustomer(record: $record) { ${customer} } }`,
      variables: at => ({ record: { name: `New ${at}`, email: 'a@example.com' } }),
    },
    update: {
      query: `mutation ($record: CustomerUpdate!) { updateCustomer(record: $record) { ${customer} } }`,
      variables: at => ({ record: { id: (at % customers) + 1, email: `${at}@example.com` } }),
    },
  }

const reads = ['one by its key', 'a filtered, sorted list of 20', 'an order with its customer and items'] as const
const writes = ['insert', 'update'] as const

/**
 * The rows of the table. Writes are last, as lists would include their records. `token`: of a caller with all
 * permissions in the guarded package.
 */
export function comparedCalls(token: string): readonly Compared[] {
  const authorization = { authorization: `Bearer ${token}` }
  const withToken =
    (call: Caller): Caller =>
    at => {
      const open = call(at)
      return { ...open, path: open.path.replace('/shop/', '/guarded/'), headers: { ...open.headers, ...authorization } }
    }
  const byRest = (name: keyof typeof rest) => under('/api/shop/1.0', rest[name])
  const key = 'one by its key'
  const againstHand = (some: readonly (keyof typeof rest)[]): Compared[] =>
    [
      ...some.map(name => ({ name, ours: byRest(name), theirs: rest[name], aim: aimOf(name, 0.9, 0.85) })),
      ...some.map(name => ({
        name: `GraphQL: ${name}`,
        ours: inGraphQl(name),
        theirs: rest[name],
        aim: aimOf(name, 0.7, 0.6),
      })),
    ].map(call => ({ ...call, with: 'by hand' }))
  return [
    ...againstHand(reads),
    { name: `SOAP: ${key}`, ours: inSoap, theirs: rest[key], aim: 0.3, with: 'by hand' },
    {
      name: `${key}, with token and scope`,
      ours: withToken(byRest(key)),
      theirs: byRest(key),
      aim: 0.8,
      with: 'package',
    },
    {
      name: `GraphQL: ${key}, with token and scope`,
      ours: withToken(inGraphQl(key)),
      theirs: inGraphQl(key),
      aim: 0.8,
      with: 'package',
    },
    ...againstHand(writes),
  ]
}

function aimOf(name: keyof typeof rest, usual: number, nested: number): number {
  return name.startsWith('an order') ? nested : usual
}

function requestOf(method: string, path: string, body: unknown): Call {
  return { method, path, body: JSON.stringify(body), headers: json }
}

function under(prefix: string, call: Caller): Caller {
  return at => {
    const request = call(at)
    return { ...request, path: prefix + request.path }
  }
}

function inGraphQl(name: keyof typeof rest): Caller {
  const { query, variables } = queries[name]
  return at => requestOf('POST', '/graphql/shop/1.0', { query, variables: variables(at) })
}

function inSoap(at: number): Call {
  const key = (at % customers) + 1
  const body = `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>
    <SelectCustomer xmlns="urn:cadmus:shop:1.0"><id>${key}</id></SelectCustomer></s:Body></s:Envelope>`
  return { method: 'POST', path: '/soap/shop/1.0', body, headers: { 'content-type': 'text/xml; charset=utf-8' } }
}
