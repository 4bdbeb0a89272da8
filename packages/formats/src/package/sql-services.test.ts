import { packageDatabaseTable, type PackageDatabase } from '@cadmus/model/database-types'
import { hsqldbAvailability, mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { startHsqldb } from '@cadmus/testing/hsqldb'
import { startMariadb } from '@cadmus/testing/mariadb'
import { checkScript } from '@cadmus/testing/parsers'
import { startPostgres } from '@cadmus/testing/postgres'
import { describe, expect, it } from 'vitest'
import { aConfiguration, aPackageSource, aShop, withOrderLines, withSlots } from '../testing/built-packages.ts'
import { preparable, sqlServicesIn } from '../testing/sql-services.ts'
import { writePackage } from './write.ts'

const engines = {
  postgresql: { availability: postgresAvailability(), start: startPostgres },
  mysql: { availability: mariadbAvailability(), start: startMariadb },
  hsql: { availability: hsqldbAvailability(), start: async () => startHsqldb() },
} as const

/** Planning a statement checks it against the tables without executing it. */
const explain = { postgresql: 'EXPLAIN', mysql: 'EXPLAIN', hsql: 'EXPLAIN PLAN FOR' } as const

describe.each(['postgresql', 'mysql', 'hsql'] as const)('SQL services of a package on a database: %s', type => {
  const { availability, start } = engines[type]

  it.skipIf(!availability.present)(
    `a database plans every SQL service over the package's tables ${availability.advice}`,
    async () => {
      const files = filesFor(type)
      const server = await start()
      const database = await server.createDatabase()
      try {
        await database.execute(files.get(`shop/resources/schema/${type}.sql`) ?? '')
        const refused: string[] = []
        for (const [path, service] of sqlServicesIn(files)) {
          const query = `${explain[type]} ${preparable(service, type)};`
          await database.execute(query).catch((error: unknown) => refused.push(`${path}: ${query}: ${String(error)}`))
        }
        expect(refused).toEqual([])
        expect(sqlServicesIn(files).size).toBeGreaterThan(20)
      } finally {
        await database.drop()
        await server.stop()
      }
    },
  )
})

describe.each(['oracle', 'mssql'] as const)('SQL services of a package in a parser: %s', type => {
  it('a parser accepts every SQL service', () => {
    const files = filesFor(type)
    expect(checkScript(files.get(`shop/resources/schema/${type}.sql`) ?? '', type)).toEqual([])
    const refused = [...sqlServicesIn(files)].flatMap(([path, service]) =>
      checkScript(`${preparable(service, type)};`, type).map(fault => `${path}: ${fault}`),
    )
    expect(refused).toEqual([])
  })
})

function filesFor(type: PackageDatabase): ReadonlyMap<string, string> {
  const configuration = aConfiguration({
    connection: { type: packageDatabaseTable[type].configuration },
    sql: { applyCoalesce: true },
    aggregates: [
      {
        name: 'perLevel',
        entity: 'Customer',
        columns: [
          { field: 'level', type: 'GROUPBY', alias: 'level' },
          { field: 'credit', type: 'AVG', alias: 'creditAvg' },
          { field: 'id', type: 'COUNT', alias: 'idCount' },
        ],
      },
    ],
  })
  return writePackage({
    ...aPackageSource({ configuration, resolvedModel: withOrderLines(withSlots(aShop())) }),
    organisation: 'ACME',
  })
}
