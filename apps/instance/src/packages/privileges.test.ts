import { mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { startMariadb } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { describe, expect, it } from 'vitest'
import { propertiesOf, serverSettings } from '../testing/databases.ts'
import { startTestInstance } from '../testing/instance.ts'
import { packageZip } from '../testing/package-zip.ts'

/** Statements of an administrator for a user with too few privileges; § is the name of the database. */
const servers = [
  {
    name: 'PostgreSQL',
    dialect: 'postgresql',
    present: postgresAvailability().present,
    start: startPostgres,
    create: ['CREATE ROLE lacking LOGIN', 'REVOKE CREATE ON SCHEMA public FROM PUBLIC'],
    grant: ['GRANT CREATE ON SCHEMA public TO lacking'],
    revoke: ['REVOKE SELECT ON "Customer" FROM lacking'],
    remove: ['DROP OWNED BY lacking CASCADE', 'DROP ROLE lacking'],
  },
  {
    name: 'MariaDB',
    dialect: 'mysql',
    present: mariadbAvailability().present,
    start: startMariadb,
    create: ["CREATE USER lacking@'%'", "GRANT SELECT ON `§`.* TO lacking@'%'"],
    grant: ["GRANT ALL ON `§`.* TO lacking@'%'"],
    // Open connections keep the privileges of a database.
    revoke: [],
    remove: ["DROP USER lacking@'%'"],
  },
] as const

describe.each(servers)(
  'database user with too few privileges on $name',
  ({ dialect, present, start, create, grant, revoke, remove }) => {
    it.skipIf(!present)('the start reports the missing privilege, a request gets 500', async () => {
      const { url, query, drop } = await (await start()).createDatabase()
      const settings = serverSettings(dialect, url)
      const run = async (texts: readonly string[]) => {
        for (const text of texts) await query(text.replaceAll('§', settings.database))
      }
      await run(create)
      const instance = await startTestInstance()
      const properties = propertiesOf({ ...settings, username: 'lacking', password: '' })
      await instance.upload(packageZip({ properties }))
      expect(await instance.settled('shop')).toMatchObject({
        status: 'START_FAILED',
        reason: expect.stringMatching(/^The database user lacks a privilege: .*denied/),
      })
      await run(grant)
      await instance.upload(packageZip({ properties }))
      expect(await instance.settled('shop')).toMatchObject({ status: 'STARTED' })
      await run(revoke)
      const { status } = await instance.fetch('/api/shop/1.0/customer')
      expect(status).toBe(revoke.length === 0 ? 200 : 500)
      await instance.stop()
      await run(remove)
      await drop()
    })
  },
)
