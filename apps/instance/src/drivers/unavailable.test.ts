import { mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { startMariadb } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { freePort } from '@cadmus/testing/temporary'
import { describe, expect, it } from 'vitest'
import { postgresSettings, serverSettings } from '../testing/databases.ts'
import { DatabaseError, type DatabaseErrorKind, type DatabaseServer } from './driver.ts'
import { openDriver } from './open.ts'

it.each(['postgresql', 'mysql', 'mssql', 'oracle'] as const)(
  'an unreachable %s server is reported as unavailable on every attempt',
  async dialect => {
    const place = { host: '127.0.0.1', port: await freePort(), database: 'shop', username: 'ann', password: 'secret' }
    const driver = await openDriver({ dialect, ...place })
    for (const work of [() => driver.check(), () => driver.transaction(async () => undefined)]) {
      const error: unknown = await work().catch((thrown: unknown) => thrown)
      expect(error instanceof DatabaseError ? error.kind : error).toBe('unavailable')
    }
    await driver.close()
  },
)

describe.each([
  {
    name: 'PostgreSQL',
    present: postgresAvailability().present,
    make: async () => ({ of: postgresSettings, ...(await (await startPostgres()).createDatabase()) }),
  },
  {
    name: 'MariaDB',
    present: mariadbAvailability().present,
    make: async () => ({
      of: (url: string) => serverSettings('mysql', url),
      ...(await (await startMariadb()).createDatabase()),
    }),
  },
])('$name', ({ present, make }) => {
  it.skipIf(!present).each<{ what: string; wrong: Partial<DatabaseServer>; kind: DatabaseErrorKind }>([
    { what: 'an unknown user', wrong: { username: 'nobody_of_this_name', password: 'wrong' }, kind: 'refused' },
    { what: 'an unknown database', wrong: { database: 'no_such_database' }, kind: 'noDatabase' },
  ])('reports $what as $kind, not as unavailable', async ({ wrong, kind }) => {
    const { url, drop, of } = await make()
    const driver = await openDriver({ ...of(url), ...wrong })
    const error: unknown = await driver.check().catch((thrown: unknown) => thrown)
    expect(error instanceof DatabaseError ? error.kind : error).toBe(kind)
    await driver.close()
    await drop()
  })
})
