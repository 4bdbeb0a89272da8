import { type JdbcEngine, startJdbc } from './jdbc.ts'
import { MSSQL, ORACLE } from './statements.ts'

/** H2 in the mode of another database, for effects of statements that parsers cannot check. */
export function startH2(mode: 'Oracle' | 'MSSQLServer'): JdbcEngine {
  const style = mode === 'Oracle' ? ORACLE : MSSQL
  return startJdbc({ engine: 'H2', urlOf: name => `jdbc:h2:mem:${name};MODE=${mode}`, style })
}
