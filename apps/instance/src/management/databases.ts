import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { DatabaseError } from '../drivers/driver.ts'
import { openDriver } from '../drivers/open.ts'
import { invalid, notFound } from '../http-error.ts'
import { type Databases, databaseSchema, type NamedDatabase } from '../packages/databases.ts'
import { nameParams, sent, sizeQuery } from './sent.ts'

const testSchema = databaseSchema.partial({ name: true, url: true })

/** The calls below `/esbapi/databases`. A password goes in and never comes out. */
export async function serveDatabases(app: FastifyInstance, { databases }: Context): Promise<void> {
  app.get('/esbapi/databases', async ({ query }) => {
    const { size } = sent(sizeQuery, query)
    const items = databases
      .list()
      .map(({ name, autoStart, owner }) => ({ id: name, name, autoStart, ...ownedBy(owner), ...pool }))
    return { items: items.slice(0, size) }
  })
  app.get('/esbapi/databases/:name', async ({ params }) => shown(found(databases, sent(nameParams, params).name)))
  app.post('/esbapi/databases', async ({ body }) => {
    const database = sent(databaseSchema, body)
    databases.save(database)
    return shown(database)
  })
  app.post('/esbapi/databases/test-connection', async ({ body }) => {
    const { url, name, ...rest } = sent(testSchema, body)
    if (url === undefined && name === undefined) throw invalid('Say which database: its name, or its url.')
    const asked = url === undefined ? found(databases, name ?? '') : { ...rest, name: name ?? '', url }
    await test(databases, asked)
    return { result: 'OK', message: 'The database answers.' }
  })
  app.delete('/esbapi/databases/:name', async ({ params }, reply) => {
    if (!databases.remove(sent(nameParams, params).name)) throw notFound('The database')
    return reply.status(204).send()
  })
}

/** What connections are to the platform; they begin when a package needs them. */
const pool = { type: 'jdbc', status: 'STARTED' } as const

function found(databases: Databases, name: string): NamedDatabase {
  const database = databases.find(name)
  if (database === undefined) throw notFound('The database')
  return database
}

function shown({ name, url, username, driverClassName, autoStart, owner }: NamedDatabase) {
  return { id: name, name, url, username, driverClassName, autoStart, ...ownedBy(owner), ...pool }
}

function ownedBy(owner: string | null) {
  return owner === null ? {} : { owner }
}

/** Throws 400 with a sentence where the database does not answer. */
async function test(databases: Databases, { url, username, password }: NamedDatabase): Promise<void> {
  const address = databases.addressOf(url)
  // Files of the instance's own are made when a package needs one.
  if (address.dialect === 'sqlite') return
  const driver = await openDriver({ ...address, username, password })
  try {
    await driver.check()
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    throw invalid(
      `${address.host}:${address.port} does not answer, or does not let this user into ${address.database}.`,
      error,
    )
  } finally {
    await driver.close()
  }
}
