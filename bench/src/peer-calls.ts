import { type Call, type Caller, comparedCalls, customers } from './serve-calls.ts'

/** The operations compared, in the API of each peer. */
export const lines = [
  'one by its key',
  'a filtered, sorted list of 20',
  'an order with its customer and items',
  'a customer with its orders and their items',
  'insert',
  'update',
] as const
export type Line = (typeof lines)[number]

export type PeerCalls = Readonly<Partial<Record<Line, Caller>>>

const own = new Map(comparedCalls('').map(({ name, ours }) => [name, ours]))

/** Reads over REST include direct relations only. */
export const instanceRest: PeerCalls = ownCalls(line => line)
export const instanceGraphQl: PeerCalls = {
  ...ownCalls(line => `GraphQL: ${line}`),
  'a customer with its orders and their items': at =>
    graphQl(
      '/graphql/shop/1.0',
      'query ($id: Long!) { customer(id: $id) { id name order { id number total item { sku amount } } } }',
      {
        id: keyOf(at),
      },
    ),
}

const rowOfPostGraphile = 'rowId name email born since credit level points rating active token extra picture opens'

export const postGraphile: PeerCalls = {
  'one by its key': at =>
    postGraphileOf(`query ($id: BigInt!) { customerByRowId(rowId: $id) { ${rowOfPostGraphile} } }`, {
      id: `${keyOf(at)}`,
    }),
  'a filtered, sorted list of 20': () =>
    postGraphileOf(
      `query ($level: String) { allCustomers(condition: { level: $level }, orderBy: NAME_ASC, first: 20) { totalCount nodes { ${rowOfPostGraphile} } } }`,
      { level: 'gold' },
    ),
  'an order with its customer and items': at =>
    postGraphileOf(
      `query ($id: BigInt!) { orderByRowId(rowId: $id) { rowId number total customerId customerByCustomerId { ${rowOfPostGraphile} }
        itemsByOrderId { nodes { sku amount orderId } } } }`,
      { id: `${orderOf(at)}` },
    ),
  'a customer with its orders and their items': at =>
    postGraphileOf(
      `query ($id: BigInt!) { customerByRowId(rowId: $id) { rowId name
        ordersByCustomerId { nodes { rowId number total itemsByOrderId { nodes { sku amount } } } } } }`,
      { id: `${keyOf(at)}` },
    ),
  insert: at =>
    postGraphileOf(
      `mutation ($customer: CustomerInput!) { createCustomer(input: { customer: $customer }) { customer { ${rowOfPostGraphile} } } }`,
      { customer: { name: `New ${at}`, email: 'a@example.com' } },
    ),
  update: at =>
    postGraphileOf(
      `mutation ($id: BigInt!, $patch: CustomerPatch!) { updateCustomerByRowId(input: { rowId: $id, customerPatch: $patch }) {
        customer { ${rowOfPostGraphile} } } }`,
      { id: `${keyOf(at)}`, patch: { email: `${at}@example.com` } },
    ),
}

export const directusToken = 'bench-token-of-directus-0123456789'
const withToken = { authorization: `Bearer ${directusToken}` }

export const directusRest: PeerCalls = {
  'one by its key': at => ({ method: 'GET', path: `/items/Customer/${keyOf(at)}`, headers: withToken }),
  'a filtered, sorted list of 20': () => ({
    method: 'GET',
    path: '/items/Customer?filter[level][_eq]=gold&sort=name&limit=20&meta=filter_count,total_count',
    headers: withToken,
  }),
  'an order with its customer and items': at => ({
    method: 'GET',
    path: `/items/Order/${orderOf(at)}?fields=*,customerId.*,items.*`,
    headers: withToken,
  }),
  'a customer with its orders and their items': at => ({
    method: 'GET',
    path: `/items/Customer/${keyOf(at)}?fields=id,name,orders.id,orders.number,orders.total,orders.items.sku,orders.items.amount`,
    headers: withToken,
  }),
  insert: at => json('POST', '/items/Customer', { name: `New ${at}`, email: 'a@example.com' }, withToken),
  update: at => json('PATCH', `/items/Customer/${keyOf(at)}`, { email: `${at}@example.com` }, withToken),
}

const rowOfDirectus = 'id name email born since credit level points rating active token extra picture opens'

export const directusGraphQl: PeerCalls = {
  'one by its key': at =>
    directusOf(`query ($id: ID!) { Customer_by_id(id: $id) { ${rowOfDirectus} } }`, { id: keyOf(at) }),
  'a filtered, sorted list of 20': () =>
    directusOf(
      `query ($level: String) { Customer(filter: { level: { _eq: $level } }, sort: ["name"], limit: 20) { ${rowOfDirectus} }
        Customer_aggregated(filter: { level: { _eq: $level } }) { countAll } }`,
      { level: 'gold' },
    ),
  'an order with its customer and items': at =>
    directusOf(
      `query ($id: ID!) { Order_by_id(id: $id) { id number total customerId { ${rowOfDirectus} } items { sku amount } } }`,
      { id: orderOf(at) },
    ),
  'a customer with its orders and their items': at =>
    directusOf(
      'query ($id: ID!) { Customer_by_id(id: $id) { id name orders { id number total items { sku amount } } } }',
      { id: keyOf(at) },
    ),
  insert: at =>
    directusOf(`mutation ($data: create_Customer_input!) { create_Customer_item(data: $data) { ${rowOfDirectus} } }`, {
      data: { name: `New ${at}`, email: 'a@example.com', credit: 0, level: 'plain', active: true },
    }),
  update: at =>
    directusOf(
      `mutation ($id: ID!, $data: update_Customer_input!) { update_Customer_item(id: $id, data: $data) { ${rowOfDirectus} } }`,
      { id: keyOf(at), data: { email: `${at}@example.com` } },
    ),
}

/** CAP does not generate integer keys, so the callers do. */
let lastKey = 1_000_000

export const cap: PeerCalls = {
  'one by its key': at => ({ method: 'GET', path: `/odata/Customers(${keyOf(at)})` }),
  'a filtered, sorted list of 20': () => ({
    method: 'GET',
    path: `/odata/Customers?$filter=level%20eq%20'gold'&$orderby=name&$top=20&$count=true`,
  }),
  'an order with its customer and items': at => ({
    method: 'GET',
    path: `/odata/OrdersOf(${orderOf(at)})?$expand=customer,items`,
  }),
  'a customer with its orders and their items': at => ({
    method: 'GET',
    path: `/odata/Customers(${keyOf(at)})?$select=id,name&$expand=orders($select=id,number,total;$expand=items($select=sku,amount))`,
  }),
  insert: at => json('POST', '/odata/Customers', { id: `${++lastKey}`, name: `New ${at}`, email: 'a@example.com' }),
  update: at => json('PATCH', `/odata/Customers(${keyOf(at)})`, { email: `${at}@example.com` }),
}

function ownCalls(nameOf: (line: Line) => string): PeerCalls {
  return Object.fromEntries(
    lines.flatMap(line => {
      const call = own.get(nameOf(line))
      return call ? [[line, call]] : []
    }),
  )
}

function keyOf(at: number): number {
  return (at % customers) + 1
}

function orderOf(at: number): number {
  return (at % 100) + 1
}

function postGraphileOf(query: string, variables: Record<string, unknown>): Call {
  return graphQl('/graphql', query, variables)
}

function directusOf(query: string, variables: Record<string, unknown>): Call {
  return graphQl('/graphql', query, variables, withToken)
}

function graphQl(path: string, query: string, variables: Record<string, unknown>, headers = {}): Call {
  return json('POST', path, { query, variables }, headers)
}

function json(method: string, path: string, body: unknown, headers = {}): Call {
  return { method, path, body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }
}
