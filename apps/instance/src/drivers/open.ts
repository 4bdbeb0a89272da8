import { databaseTypeTable } from '@cadmus/model/database-types'
import type { Driver } from './driver.ts'
import { openMysql } from './mysql.ts'
import { openPostgres } from './postgres.ts'
import type { DatabaseSettings } from './settings.ts'
import { openSqlite } from './sqlite.ts'

type Shared = { readonly driver: Driver; users: number }

/** Packages that run on the same database share its connections: a file has one writer, a server few connections. */
const open = new Map<string, Shared>()

/** The database's connections; they end when everybody who asked for them has closed them. Connects when it is first asked something. */
export function openDriver(settings: DatabaseSettings): Driver {
  const key = JSON.stringify(Object.entries(settings).toSorted())
  const shared = open.get(key) ?? { driver: newDriver(settings), users: 0 }
  open.set(key, shared)
  shared.users++
  let isOpen = true
  return {
    ...shared.driver,
    async close() {
      if (!isOpen) return
      isOpen = false
      shared.users--
      if (shared.users > 0) return
      open.delete(key)
      await shared.driver.close()
    },
  }
}

function newDriver(settings: DatabaseSettings): Driver {
  switch (settings.dialect) {
    case 'sqlite':
      return openSqlite(settings.file)
    case 'postgresql':
      return openPostgres(settings)
    case 'mysql':
      return openMysql(settings)
    default:
      throw new Error(`Packages on ${databaseTypeTable[settings.dialect].label} cannot be run by this instance.`)
  }
}
