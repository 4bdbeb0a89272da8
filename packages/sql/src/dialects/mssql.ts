import { standard, type Dialect } from '../dialect.ts'

export const mssql: Dialect = { ...standard }
