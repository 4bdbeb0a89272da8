import { type JdbcEngine, startJdbc } from './jdbc.ts'
import { MSSQL, ORACLE } from './statements.ts'

/** H2 emulating another database, where no parser knows the effect of a statement. */
export function startH2(mode: 'Oracle' | 'MSSQLServer'): JdbcEngine {
  const style = mode === 'Oracle' ? ORACLE : MSSQL
  return startJdbc({ engine: 'H2', urlOf: name => `jdbc:h2:mem:${name};MODE=${mode}`, style })
}
