import { type DatabaseType, databaseTypes } from '@cadmus/model/database-types'
import { useState } from 'react'
import { useLicence } from '../api/licence.ts'
import { ownSettings, storeOwnSettings } from '../api/own-settings.ts'

/** The database that consequences and migrations are worked out for: the one chosen last, else the first of the licence. */
export function useDatabase() {
  const licensed = useLicence()?.databaseTypes ?? databaseTypes
  const [last, setLast] = useState(() => ownSettings('compare')['database'])
  const database = databaseTypes.find(type => type === last) ?? licensed[0] ?? 'postgresql'
  return {
    database,
    setDatabase(next: DatabaseType) {
      storeOwnSettings('compare', { database: next })
      setLast(next)
    },
  }
}
