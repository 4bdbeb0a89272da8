import { createHash } from 'node:crypto'
import { databaseTypeTable } from '@cadmus/model/database-types'
import { invalid } from '../http-error.ts'
import type { DatabaseServer, DatabaseSettings, Driver, ServerDatabase } from './driver.ts'
import { SignIns } from './connection-pool.ts'
import { openSqlite } from './sqlite.ts'

type Shared = {
  readonly driver: Promise<Driver>
  readonly signIns: SignIns | null
  users: number
}

/** Packages on the same database share connections: a file allows one writer, a server few connections. */
const open = new Map<string, Shared>()

/** Sign-ins by server, user and password. They outlive connections, so that another start does not end a pause. */
const accounts = new Map<string, SignIns>()

/**
 * Returns the shared connections of a database, which end when all users have closed them. Connects at the first
 * statement. Throws an `HttpError` if there is no driver for the database.
 */
export async function openDriver(settings: DatabaseSettings): Promise<Driver> {
  const key = JSON.stringify(Object.entries(settings).toSorted())
  const shared = open.get(key) ?? newShared(settings)
  open.set(key, shared)
  shared.users++
  const leave = () => {
    shared.users--
    if (shared.users === 0) open.delete(key)
  }
  const driver = await shared.driver.catch((error: unknown) => {
    leave()
    throw error
  })
  let isOpen = true
  return {
    ...driver,
    async close() {
      if (!isOpen) return
      isOpen = false
      leave()
      if (shared.users === 0) await driver.close()
    },
  }
}

function newShared(settings: DatabaseSettings): Shared {
  if (settings.dialect === 'sqlite') return { driver: Promise.try(openSqlite, settings.file), signIns: null, users: 0 }
  const signIns = signInsOf(settings)
  return { driver: drivers[settings.dialect](settings, signIns), signIns, users: 0 }
}

/** Databases share the sign-ins of their user on the server. */
function signInsOf({ dialect, host, port, username, password }: DatabaseServer): SignIns {
  const account = createHash('sha256')
    .update(JSON.stringify([dialect, host, port, username, password]))
    .digest('base64')
  for (const [other, unused] of accounts) {
    const isUsed = other === account || [...open.values()].some(shared => shared.signIns === unused)
    if (unused.isOver && !isUsed) accounts.delete(other)
  }
  const signIns = accounts.get(account) ?? new SignIns()
  accounts.set(account, signIns)
  return signIns
}

/** Drivers are loaded on demand, since an instance uses few kinds of databases. */
const drivers: Readonly<Record<ServerDatabase, (server: DatabaseServer, signIns: SignIns) => Promise<Driver>>> = {
  postgresql: async (server, signIns) => (await import('./postgres.ts')).openPostgres(server, signIns),
  mysql: async (server, signIns) => (await import('./mysql.ts')).openMysql(server, signIns),
  mssql: async (server, signIns) => (await import('./mssql.ts')).openMssql(server, signIns),
  oracle: async (server, signIns) => (await import('./oracle.ts')).openOracle(server, signIns),
  async hsql() {
    throw invalid(`Packages on ${databaseTypeTable.hsql.label} cannot be run by this instance.`)
  },
}
