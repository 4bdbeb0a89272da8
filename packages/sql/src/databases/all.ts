// One line per database.
export { hsql } from './hsql.ts'
export { mssql } from './mssql.ts'
export { mysql } from './mysql.ts'
export { oracle } from './oracle.ts'
export { postgresql } from './postgresql.ts'
export { sqlite } from './sqlite.ts'
