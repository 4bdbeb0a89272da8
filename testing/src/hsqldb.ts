import { type JdbcEngine, startJdbc } from './jdbc.ts'

/** HSQLDB in its default mode; every database is a new one in memory. */
export function startHsqldb(): JdbcEngine {
  return startJdbc({ engine: 'HSQLDB', urlOf: name => `jdbc:hsqldb:mem:${name}` })
}
