import { databaseTypeTable } from '@cadmus/model/database-types'
import { invalid } from '../http-error.ts'
import type { Driver } from './driver.ts'
import type { DatabaseSettings } from './settings.ts'
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

/** Drivers are loaded on demand, since an instance uses few kinds of databases. */
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
