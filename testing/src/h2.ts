import { type JdbcEngine, startJdbc } from './jdbc.ts'
import { MSSQL, ORACLE } from './statements.ts'

/** H2 pretending to be another database: a stand-in where no parser knows what a statement does. */
export function startH2(mode: 'Oracle' | 'MSSQLServer'): JdbcEngine {
  return startJdbc(name => `jdbc:h2:mem:${name};MODE=${mode}`, mode === 'Oracle' ? ORACLE : MSSQL)
}
