import { standard, type Dialect } from '../dialect.ts'

export const oracle: Dialect = { ...standard }
