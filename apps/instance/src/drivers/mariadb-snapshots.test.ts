import { expect, it } from 'vitest'
import { testDatabases } from '../testing/databases.ts'
import { openDriver } from './open.ts'

const mariadb = testDatabases.find(({ name }) => name === 'MariaDB')

it.skipIf(!mariadb?.present)(
  'a change of a record that was changed since it was read is reported as contended',
  async () => {
    const database = await mariadb?.create()
    if (!database) throw new Error('MariaDB is missing.')
    const driver = await openDriver(database.settings)
    const run = (text: string) => driver.query({ text, parameters: [] })
    await run('CREATE TABLE t (id INT PRIMARY KEY, v INT)')
    await run('INSERT INTO t VALUES (1, 1)')
    const change = driver.transaction(async ({ query }) => {
      // The default of later releases.
      await query({ text: 'SET SESSION innodb_snapshot_isolation = ON', parameters: [] })
      await query({ text: 'SELECT v FROM t', parameters: [] })
      await run('UPDATE t SET v = 2')
      await query({ text: 'UPDATE t SET v = 3', parameters: [] })
    })
    await expect(change).rejects.toMatchObject({ kind: 'contended' })
    await driver.close()
    await database.drop()
  },
)
