import type { DatabaseType } from '@cadmus/model/database-types'
import type { Dialect } from './dialect.ts'
import { hsql } from './dialects/hsql.ts'
import { mssql } from './dialects/mssql.ts'
import { mysql } from './dialects/mysql.ts'
import { oracle } from './dialects/oracle.ts'
import { postgresql } from './dialects/postgresql.ts'

/** All dialects by name, including every database for which schemas can be exported. */
export const dialects = { postgresql, mysql, hsql, oracle, mssql } as const satisfies Readonly<
  Record<DatabaseType, Dialect> & Record<string, Dialect>
>
