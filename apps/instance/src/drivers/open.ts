import { databaseTypeTable } from '@cadmus/model/database-types'
import { invalid } from '../http-error.ts'
import type { Driver } from './driver.ts'
import type { DatabaseServer, DatabaseSettings, ServerDatabase } from './settings.ts'
import { SignIns, withSignIns } from './sign-ins.ts'
import { openSqlite } from './sqlite.ts'

type Opened = { readonly driver: Driver; readonly signIns: SignIns }
type Shared = { readonly opened: Promise<Opened>; users: number }

/** Packages on the same database share connections: a file allows one writer, a server few connections. */
const open = new Map<string, Shared>()

/**
 * Returns the shared connections of a database, which end when all users have closed them. Connects at the first
 * statement. Throws an `HttpError` if there is no driver for the database.
 */
export async function openDriver(settings: DatabaseSettings): Promise<Driver> {
  const key = JSON.stringify(Object.entries(settings).toSorted())
  const shared = open.get(key) ?? { opened: newDriver(settings).then(guarded), users: 0 }
  open.set(key, shared)
  shared.users++
  const leave = () => {
    shared.users--
    if (shared.users === 0) open.delete(key)
  }
  const { driver, signIns } = await shared.opened.catch((error: unknown) => {
    leave()
    throw error
  })
  signIns.endPause()
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

function guarded(driver: Driver): Opened {
  const signIns = new SignIns(() => driver.check())
  return { driver: withSignIns(driver, signIns), signIns }
}

async function newDriver(settings: DatabaseSettings): Promise<Driver> {
  return settings.dialect === 'sqlite' ? openSqlite(settings.file) : drivers[settings.dialect](settings)
}

/** Drivers are loaded on demand, since an instance uses few kinds of databases. */
const drivers: Readonly<Record<ServerDatabase, (server: DatabaseServer) => Promise<Driver>>> = {
  postgresql: async server => (await import('./postgres.ts')).openPostgres(server),
  mysql: async server => (await import('./mysql.ts')).openMysql(server),
  mssql: async server => (await import('./mssql.ts')).openMssql(server),
  oracle: async server => (await import('./oracle.ts')).openOracle(server),
  async hsql() {
    throw invalid(`Packages on ${databaseTypeTable.hsql.label} cannot be run by this instance.`)
  },
}
