import type { JsonTree } from '../json-tree.ts'
import { gloopText, setLine, tryCatch } from './gloop.ts'

/**
 * The startup service: creates the connection pool from the package's properties, then the tables. Undocumented
 * platform functions are named only here.
 */
export function setupService(pool: string, databaseType: string, script: string): string {
  const settings = ['driver', 'connection.url', 'username', 'password']
  const call = (methodName: string, parameters: readonly string[], inputs: readonly JsonTree[]): JsonTree => ({
    type: 'invokeCode',
    className: 'io.toro.martini.SqlMethods',
    methodName,
    parameters,
    inputs,
  })
  return gloopText({
    comments: 'Creates the connection pool, then the tables.',
    steps: [
      call(
        'createPool',
        ['String', 'String', 'String', 'String', 'String'],
        [
          setLine(['name'], pool),
          ...settings.map(setting =>
            setLine([setting.replace('connection.', '')], `'${databaseType}.${setting}'.getPackageProperty()`, true),
          ),
        ],
      ),
      tryCatch(
        [call('executeScript', ['String', 'String'], [setLine(['name'], pool), setLine(['script'], script)])],
        [],
      ),
    ],
  })
}
