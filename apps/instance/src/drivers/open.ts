import { databaseTypeTable } from '@cadmus/model/database-types'
import { invalid } from '../http-error.ts'
import type { Driver } from './driver.ts'
import type { DatabaseSettings } from './settings.ts'
import { openSqlite } from './sqlite.ts'

type Shared = { readonly driver: Promise<Driver>; users: number }

/** Packages that run on the same database share its connections: a file has one writer, a server few connections. */
const open = new Map<string, Shared>()

/**
 * The database's connections; they end when everybody who asked for them has closed them. Connects when it is first asked something. Throws
 * an HttpError for a database that this instance has no driver for.
 */
export async function openDriver(settings: DatabaseSettings): Promise<Driver> {
  const key = JSON.stringify(Object.entries(settings).toSorted())
  const shared = open.get(key) ?? { driver: newDriver(settings), users: 0 }
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

/** The code of a driver comes with the first package that needs it: an instance has few kinds of databases, or none but its own. */
async function newDriver(settings: DatabaseSettings): Promise<Driver> {
  switch (settings.dialect) {
    case 'sqlite':
      return openSqlite(settings.file)
    case 'postgresql':
      return (await import('./postgres.ts')).openPostgres(settings)
    case 'mysql':
      return (await import('./mysql.ts')).openMysql(settings)
    case 'mssql':
      return (await import('./mssql.ts')).openMssql(settings)
    case 'oracle':
      return (await import('./oracle.ts')).openOracle(settings)
    case 'hsql':
      throw invalid(`Packages on ${databaseTypeTable[settings.dialect].label} cannot be run by this instance.`)
  }
}
