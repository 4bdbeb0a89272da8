import type { DatabaseType } from '@cadmus/model/database-types'
import type { Dialect } from './dialect.ts'
import { dialects } from './dialects.ts'
import { sqlite } from './dialects/sqlite.ts'

/** The databases that an instance runs packages on: those of exports, and the embedded one. */
export type InstanceDialect = DatabaseType | 'sqlite'

export const instanceDialects = { ...dialects, sqlite } as const satisfies Readonly<Record<InstanceDialect, Dialect>>
