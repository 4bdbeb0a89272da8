import { databaseTypeOf, databaseTypes, databaseTypeTable, type DatabaseType } from './database-types.ts'
import { isEqual } from './equal.ts'

/** Limits of an organisation; stored and sent as text: `mc=50|rs=1|gqls=1|db=mysql~hsql~oracle~postgresql~mssql`. */
export type Licence = {
  manifestLimit: number
  rest: boolean
  graphql: boolean
  /** In the licence's order: the first is the default. */
  databaseTypes: readonly DatabaseType[]
}

/** Licence of a new organisation. */
export const defaultLicence = 'mc=50|rs=1|gqls=1|db=mysql~hsql~oracle~postgresql~mssql'

/**
 * Missing keys mean no restriction: no `mc` is unlimited, no `db` allows every database, and only `'0'` turns an API off. Unsupported
 * databases are skipped.
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

/** The text with other limits. Keeps unknown keys and databases and unchanged spellings, because other systems write this text too. */
export function writeLicence(before: string, licence: Licence): string {
  const was = parseLicence(before)
  const { manifestLimit, rest, graphql, databaseTypes: types } = licence
  let parts = before === '' ? [] : before.split('|')
  if (manifestLimit !== was.manifestLimit)
    parts = withPair(parts, 'mc', Number.isFinite(manifestLimit) ? String(manifestLimit) : null)
  if (rest !== was.rest) parts = withPair(parts, 'rs', rest ? '1' : '0')
  if (graphql !== was.graphql) parts = withPair(parts, 'gqls', graphql ? '1' : '0')
  if (!isEqual(types, was.databaseTypes)) {
    const present =
      parts
        .map(pairOf)
        .findLast(([key]) => key === 'db')?.[1]
        .split('~') ?? []
    const unknown = present.filter(spelling => spelling !== '' && databaseTypeOf(spelling) === undefined)
    parts = withPair(parts, 'db', [...types, ...unknown].join('~'))
  }
  return parts.join('|')
}

/** The differences of two texts in words; the texts themselves if only unknown keys differ. */
export function describeLicenceChange(before: string, after: string): string {
  const [was, is] = [parseLicence(before), parseLicence(after)]
  const limitOf = ({ manifestLimit }: Licence) => (Number.isFinite(manifestLimit) ? String(manifestLimit) : 'no limit')
  const databasesOf = (licence: Licence) => licence.databaseTypes.map(type => databaseTypeTable[type].label).join(', ')
  const differing = (what: string, from: string, to: string) => (from === to ? [] : [`${what} from ${from} to ${to}`])
  const added = (what: string, had: boolean, has: boolean) =>
    had === has ? [] : [`${what} ${has ? 'included' : 'no longer included'}`]
  const changes = [
    ...differing('manifest limit', limitOf(was), limitOf(is)),
    ...added('REST API', was.rest, is.rest),
    ...added('GraphQL API', was.graphql, is.graphql),
    ...differing('database types', databasesOf(was) || 'none', databasesOf(is) || 'none'),
  ]
  return changes.length === 0 ? `from ${before} to ${after}` : changes.join('; ')
}

/** Replaces or appends the pair; null removes it. */
function withPair(parts: readonly string[], key: string, value: string | null): string[] {
  const read = parts.findLastIndex(part => pairOf(part)[0] === key)
  const pair = value === null ? [] : [`${key}=${value}`]
  if (read < 0) return [...parts, ...pair]
  return parts.flatMap((part, at) => (at === read ? pair : pairOf(part)[0] === key ? [] : [part]))
}

function databaseTypesIn(db: string): DatabaseType[] {
  return [...new Set(db.split('~').flatMap(spelling => databaseTypeOf(spelling) ?? []))]
}

function pairOf(text: string): [string, string] {
  const equals = text.indexOf('=')
  return equals < 0 ? [text.trim(), ''] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()]
}
