import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { DatabaseError, pauseText } from '../drivers/driver.ts'
import { openDriver } from '../drivers/open.ts'
import { invalid, notFound } from '../http-error.ts'
import { type Databases, databaseSchema, type NamedDatabase } from '../packages/databases.ts'
import { nameParams, parse, sizeQuery } from './packages.ts'

const testSchema = databaseSchema.partial({ name: true, url: true })

/** The calls below `/esbapi/databases`. Passwords are accepted but never returned. */
export async function serveDatabases(app: FastifyInstance, { databases }: Context): Promise<void> {
  app.get('/esbapi/databases', async ({ query }) => {
    const { size } = parse(sizeQuery, query)
    const items = databases
      .list()
      .map(({ name, autoStart, owner }) => ({ id: name, name, autoStart, ...ownedBy(owner), ...pool }))
    return { items: items.slice(0, size) }
  })
  app.get('/esbapi/databases/:name', async ({ params }) =>
    detailOf(requireDatabase(databases, parse(nameParams, params).name)),
  )
  app.post('/esbapi/databases', async ({ body }) => {
    const database = parse(databaseSchema, body)
    databases.save(database)
    return detailOf(database)
  })
  app.post('/esbapi/databases/test-connection', async ({ body }) => {
    const { url, name, ...rest } = parse(testSchema, body)
    if (url === undefined && name === undefined) throw invalid('Specify the name or the URL of the database.')
    const database = url === undefined ? requireDatabase(databases, name ?? '') : { ...rest, name: name ?? '', url }
    await testConnection(databases, database)
    return { result: 'OK', message: 'The connection works.' }
  })
  app.delete('/esbapi/databases/:name', async ({ params }, reply) => {
    if (!databases.remove(parse(nameParams, params).name)) throw notFound('The database')
    return reply.status(204).send()
  })
}

/** The type and state that the platform expects. Connections open when a package needs them. */
const pool = { type: 'jdbc', status: 'STARTED' } as const

function requireDatabase(databases: Databases, name: string): NamedDatabase {
  const database = databases.find(name)
  if (database === undefined) throw notFound('The database')
  return database
}

function detailOf({ name, url, username, driverClassName, autoStart, owner }: NamedDatabase) {
  return { id: name, name, url, username, driverClassName, autoStart, ...ownedBy(owner), ...pool }
}

function ownedBy(owner: string | null) {
  return owner === null ? {} : { owner }
}

/** Throws 400 if the database is unreachable or refuses the user. */
async function testConnection(databases: Databases, { url, username, password }: NamedDatabase): Promise<void> {
  const address = databases.addressOf(url)
  // SQLite files are created when a package needs them.
  if (address.dialect === 'sqlite') return
  const driver = await openDriver({ ...address, username, password })
  try {
    await driver.check()
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    throw invalid(
      `${address.host}:${address.port} is not reachable or refuses this user access to ${address.database}.${pauseText(error)}`,
      error,
    )
  } finally {
    await driver.close()
  }
}
