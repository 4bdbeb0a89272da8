import fastify from 'fastify'
import pg from 'pg'

// A hand-written server for customers and orders of the shop, on the tables of its package: `node hand-written.ts
// <database> <port>`.

const [database, port] = process.argv.slice(2)
const int8 = 20
pg.types.setTypeParser(int8, Number)
const pool = new pg.Pool({ connectionString: database, max: 10 })
const app = fastify({ logger: false })

const columns = `id, name, email, to_char(born, 'YYYY-MM-DD') AS born, to_char(since, 'YYYY-MM-DD"T"HH24:MI:SS.US') AS since,
  credit, level, points, rating, active, token, extra, encode(picture, 'base64') AS picture, opens`
const ok = { result: 'OK', message: 'OK', warnings: [] }
const one = async (name: string, text: string, values: unknown[]) => (await pool.query({ name, text, values })).rows[0]

type Listing = { 'filter[level]': string; limit?: string }

app.get<{ Params: { id: string } }>('/customer/:id', async ({ params }) => ({
  ...ok,
  customer: await one('read', `SELECT ${columns} FROM "Customer" WHERE id = $1`, [params.id]),
}))

app.get<{ Querystring: Listing }>('/customer', async ({ query }) => {
  const level = query['filter[level]']
  const text = `SELECT ${columns} FROM "Customer" WHERE level = $1 ORDER BY name, id LIMIT $2`
  const counts = `SELECT count(*) FILTER (WHERE level = $1) AS total, count(*) AS "totalNotFiltered" FROM "Customer"`
  const [rows, counted] = await Promise.all([
    pool.query({ name: 'list', text, values: [level, query.limit ?? 20] }),
    one('counts', counts, [level]),
  ])
  return { ...ok, ...counted, customer: rows.rows }
})

app.get<{ Params: { id: string } }>('/order/:id', async ({ params }) => {
  const text = `SELECT id, number, total, "customerId",
    (SELECT row_to_json(c) FROM (SELECT ${columns} FROM "Customer" WHERE id = o."customerId") c) AS customer,
    (SELECT coalesce(json_agg(i), '[]') FROM (SELECT sku, amount, "orderId" FROM "Item" WHERE "orderId" = o.id ORDER BY sku LIMIT 1000) i) AS item
    FROM "Order" o WHERE id = $1`
  return { ...ok, order: await one('nested', text, [params.id]) }
})

app.post<{ Body: { name: string; email: string } }>(
  '/customer',
  {
    schema: { body: { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 100 } } } },
  },
  async ({ body }) => ({
    ...ok,
    customer: await one('insert', `INSERT INTO "Customer" (name, email) VALUES ($1, $2) RETURNING ${columns}`, [
      body.name,
      body.email,
    ]),
  }),
)

app.put<{ Body: { id: number; email: string } }>(
  '/customer',
  { schema: { body: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } } },
  async ({ body }) => ({
    ...ok,
    customer: await one('update', `UPDATE "Customer" SET email = $1 WHERE id = $2 RETURNING ${columns}`, [
      body.email,
      body.id,
    ]),
  }),
)

await app.listen({ port: Number(port) })
