import { standard, type Dialect } from '../dialect.ts'

export const hsql: Dialect = { ...standard }
