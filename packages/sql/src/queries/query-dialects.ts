import type { InstanceDialect } from '../instance-dialects.ts'
import type { QueryDialect } from './dialect.ts'
import { hsql } from './dialects/hsql.ts'
import { mssql } from './dialects/mssql.ts'
import { mysql } from './dialects/mysql.ts'
import { oracle } from './dialects/oracle.ts'
import { postgresql } from './dialects/postgresql.ts'
import { sqlite } from './dialects/sqlite.ts'

export const queryDialects = { postgresql, mysql, hsql, oracle, mssql, sqlite } as const satisfies Readonly<
  Record<InstanceDialect, QueryDialect>
>
