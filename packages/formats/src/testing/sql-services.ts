import type { DatabaseType } from '@cadmus/model/database-types'

type CustomSql = {
  type: string
  sqlType: string
  query: string
  input: { gloopProperties: { name: string; type?: string }[] }[]
}

/** The SQL services of a package, by path. */
export function sqlServicesIn(files: ReadonlyMap<string, string>): ReadonlyMap<string, CustomSql> {
  const paths = [...files.keys()].filter(path => path.includes('/services_sql/'))
  return new Map(paths.map(path => [path, JSON.parse(files.get(path) ?? '')]))
}

/**
 * Converts the query to one that the database can prepare without values: each named parameter becomes a typed null.
 */
export function preparable({ query, input }: CustomSql, type: DatabaseType): string {
  const types = new Map(
    input.flatMap(({ gloopProperties }) => gloopProperties).map(({ name, type: kind }) => [name, kind]),
  )
  return query.replace(/:([A-Za-z_]\w*)/g, (_whole, name: string) => {
    if (!types.has(name)) throw new Error(`The place ${name} has no input.`)
    return name === 'offset' ? '0' : name === 'search' ? "'%'" : nothing(type, types.get(name))
  })
}

function nothing(type: DatabaseType, kind: string | undefined): string {
  if (kind === 'long' || kind === 'integer' || kind === 'short') return '1'
  if (kind === 'bigDecimal' || kind === 'double') return '1.5'
  return type === 'hsql' && kind === undefined ? "'x'" : 'NULL'
}
