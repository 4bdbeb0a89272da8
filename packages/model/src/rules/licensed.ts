import { apiTypes, type ApiType } from '../configuration.ts'
import { databaseTypeOf, databaseTypeTable, type DatabaseType } from '../database-types.ts'
import type { Licence } from '../licence.ts'
import { messages } from '../messages.ts'

const apiNames = { REST: 'REST', SOAP: 'SOAP', GRAPHQL: 'GraphQL' } as const

/** Reason why the licence excludes an API. SOAP is in every licence; an unknown licence allows all. */
export function licensedApi(api: ApiType, licence: Pick<Licence, 'rest' | 'graphql'> | null): string | undefined {
  const included = { REST: licence?.rest ?? true, SOAP: true, GRAPHQL: licence?.graphql ?? true }
  if (included[api]) return undefined
  return messages.notLicensed(
    apiNames[api],
    apiTypes.filter(type => included[type]).map(type => apiNames[type]),
  )
}

/** The database of any spelling, by default the first of the licence, or why it is excluded. */
export function licensedDatabase(
  requested: string | undefined,
  { databaseTypes }: Pick<Licence, 'databaseTypes'>,
): { type: DatabaseType } | { refusal: string } {
  const type = requested === undefined ? databaseTypes[0] : databaseTypeOf(requested)
  if (type !== undefined && databaseTypes.includes(type)) return { type }
  const name = type === undefined ? (requested ?? 'a database') : databaseTypeTable[type].label
  const allowed = databaseTypes.map(one => databaseTypeTable[one].label)
  return { refusal: messages.notLicensed(name, allowed.length > 0 ? allowed : ['no database']) }
}
