import type { DatabaseType } from '@cadmus/model/database-types'
import type { Dialect } from './dialect.ts'
import { dialects } from './dialects.ts'
import { sqlite } from './dialects/sqlite.ts'

/** The databases that an instance can use: the databases of exports, and the embedded one. */
export type InstanceDialect = DatabaseType | 'sqlite'

/** Collation by code points, so that sorting is the same on all servers and can use an index. */
const postgresql: Dialect = {
  ...dialects.postgresql,
  typeName: type => {
    const name = dialects.postgresql.typeName(type)
    return type.kind === 'text' || type.kind === 'varchar' ? `${name} COLLATE "C"` : name
  },
}

export const instanceDialects = { ...dialects, postgresql, sqlite } as const satisfies Readonly<
  Record<InstanceDialect, Dialect>
>
