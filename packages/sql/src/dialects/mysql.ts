import { standard, type Dialect } from '../dialect.ts'

export const mysql: Dialect = { ...standard }
