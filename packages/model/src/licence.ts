import { databaseTypeOf, databaseTypes, type DatabaseType } from './database-types.ts'

/** What an organisation may do; stored and sent as text: `mc=50|rs=1|gqls=1|db=mysql~hsql~oracle~postgresql~mssql`. */
export type Licence = {
  /** The most manifests. */
  manifestLimit: number
  rest: boolean
  graphql: boolean
  /** In the licence's own order: the first is the default. */
  databaseTypes: readonly DatabaseType[]
}

/**
 * What is not said is allowed, as `'0'` alone means off: no `mc` is no limit, no `db` is every database. Of the databases only
 * those that the product knows can be chosen.
 */
export function parseLicence(text: string): Licence {
  const values = new Map(text.split('|').map(pairOf))
  const limit = values.get('mc')
  const db = values.get('db')
  return {
    manifestLimit: limit !== undefined && /^\d+$/.test(limit) ? Number(limit) : Number.POSITIVE_INFINITY,
    rest: values.get('rs') !== '0',
    graphql: values.get('gqls') !== '0',
    databaseTypes: db === undefined ? databaseTypes : databaseTypesIn(db),
  }
}

function databaseTypesIn(db: string): DatabaseType[] {
  return [...new Set(db.split('~').flatMap(spelling => databaseTypeOf(spelling) ?? []))]
}

function pairOf(text: string): [string, string] {
  const equals = text.indexOf('=')
  return equals < 0 ? [text.trim(), ''] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()]
}
