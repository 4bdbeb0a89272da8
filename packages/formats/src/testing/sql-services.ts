import type { DatabaseType } from '@cadmus/model/database-types'

// For tests only.

type CustomSql = {
  type: string
  sqlType: string
  query: string
  input: { gloopProperties: { name: string; type?: string }[] }[]
}

/** A package's services that hold SQL, by their paths. */
export function sqlServicesIn(files: ReadonlyMap<string, string>): ReadonlyMap<string, CustomSql> {
  const paths = [...files.keys()].filter(path => path.includes('/services_sql/'))
  return new Map(paths.map(path => [path, JSON.parse(files.get(path) ?? '')]))
}

/** The query as one that a database prepares without values: each named place is one of its input's type, and holds nothing. */
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
