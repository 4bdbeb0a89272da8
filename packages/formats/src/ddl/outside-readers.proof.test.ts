import { mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '@cadmus/model/testing/builders'
import { migrationPlan } from '@cadmus/sql/migrate/plan'
import { migrationScript } from '@cadmus/sql/migrate/script'
import { databaseScript, databaseStatements } from '@cadmus/sql/script'
import { hardModels } from '@cadmus/sql/testing/hard-models'
import type { Schema } from '@cadmus/sql/tree'
import { mariadbAvailability, postgresAvailability } from '@cadmus/testing/availability'
import { startMariadb } from '@cadmus/testing/mariadb'
import { startPostgres } from '@cadmus/testing/postgres'
import { recordProof } from '@cadmus/testing/proof'
import { temporaryFolder } from '@cadmus/testing/temporary'
import { describe, expect, it } from 'vitest'
import * as outside from '../testing/outside-readers.ts'

// oxlint-disable-next-line typescript/consistent-type-imports -- The linter would follow an import into 21 MB.
const { importer, Parser }: typeof import('@dbml/core') = createRequire(import.meta.url)('@dbml/core')

// Without checks of types and choices: @dbml/core writes those of MySQL in a form that it does not read.
const options = { applyAutoIncrement: true, sqlExport: { naming: 'snake', guards: 'off' } } as const
const models = { store: aStore, inheritance: hardModels['inheritance']!, 'foreign keys': hardModels['foreign-keys']! }

describe.each(Object.entries(models))('The script of the model "%s"', (name, make) => {
  it.each(['postgresql', 'mysql'] as const)('is read by the importer of @dbml/core as one of %s', type => {
    const { sql, schema } = writtenFor(type)
    const dbml = importer.import(sql, type === 'mysql' ? 'mysql' : 'postgres')
    const [read] = new Parser().parse(dbml, 'dbmlv2').schemas
    expect(read?.tables.flatMap(table => table.fields.map(field => `${table.name}.${field.name}`)).toSorted()).toEqual(
      schema.tables.flatMap(table => table.columns.map(column => `${table.name}.${column.name}`)).toSorted(),
    )
    expect(read?.refs).toHaveLength(numberOf(schema, 'foreignKeys'))
  })

  const readers = outside.outsideReaders()
  const advice = [readers, postgresAvailability(), mariadbAvailability()]
    .map(({ advice }) => advice)
    .join(' ')
    .trim()
  it.skipIf(advice !== '')(`has its types for drizzle-kit, kysely-codegen, kanel and squawk ${advice}`, async () => {
    const began = performance.now()
    const [folder, postgres, mariadb] = [temporaryFolder('readers'), await startPostgres(), await startMariadb()]
    const inFolder = (of: string) => {
      const path = join(folder, of)
      mkdirSync(path)
      return path
    }
    const [database, onMariadb] = [await postgres.createDatabase(), await mariadb.createDatabase('default')]
    try {
      const [{ sql, schema }, mysql] = [writtenFor('postgresql'), writtenFor('mysql')]
      await database.execute(sql)
      await onMariadb.execute(mysql.sql)
      const [kysely, kyselyOnMariadb] = [
        await outside.readByKysely(database.url, inFolder('kysely')),
        await outside.readByKysely(onMariadb.url, inFolder('kysely-on-mariadb')),
      ]
      expect(kysely.toSorted()).toEqual(outside.columnsFor('kysely', schema).toSorted())
      expect(kyselyOnMariadb.toSorted()).toEqual(outside.columnsFor('kyselyOnMariadb', mysql.schema).toSorted())
      const kanel = await outside.readByKanel(database.url, inFolder('kanel'))
      expect(kanel.toSorted()).toEqual(outside.columnsFor('kanel', schema).toSorted())
      const drizzle = await outside.readByDrizzle(database.url, inFolder('drizzle'))
      expect(drizzle.columns.toSorted()).toEqual(outside.columnsFor('drizzle', schema).toSorted())
      expect(drizzle).toMatchObject({
        foreignKeys: numberOf(schema, 'foreignKeys'),
        uniques: numberOf(schema, 'uniques'),
      })
      expect(await outside.compileErrors(folder)).toEqual([])
      const squawk = inFolder('squawk')
      expect(await outside.errorsBySquawk(sql, squawk)).toEqual([])
      expect(await outside.errorsBySquawk('CREATE TABEL x;', squawk)).not.toEqual([])
      for (const script of migrations(schema)) expect(await outside.errorsBySquawk(script, squawk)).toEqual([])
      recordProof({
        name: `Outside readers have the types of the model "${name}"`,
        counts: { columns: kysely.length },
        durationMs: performance.now() - began,
      })
    } finally {
      await Promise.all([database.drop(), onMariadb.drop()])
      await Promise.all([postgres.stop(), mariadb.stop()])
    }
  })

  function writtenFor(type: 'postgresql' | 'mysql') {
    const { sql } = databaseScript(make(), type, options)
    return { sql, schema: databaseStatements(make(), type, options).schema }
  }
})

/** From nothing to the schema, and back. */
function migrations(schema: Schema): string[] {
  const empty = { ...schema, tables: [] }
  return [migrationPlan(empty, schema, 'postgresql'), migrationPlan(schema, empty, 'postgresql')].map(plan =>
    migrationScript(plan, 'postgresql', []),
  )
}

function numberOf({ tables }: Schema, part: 'foreignKeys' | 'uniques'): number {
  return tables.reduce((sum, table) => sum + table[part].length, 0)
}

/** Attributes of each type with a counterpart in TypeScript, names of two words, keys of both kinds, and what is unique. */
function aStore() {
  const customer = anEntity({
    name: 'Customer',
    typeAttributes: aList(
      aKey({ name: 'customerId' }),
      aTypeAttribute({ name: 'fullName', maxLength: 80 }),
      aTypeAttribute({ name: 'emailAddress', maxLength: 120, unique: true }),
      aTypeAttribute({ name: 'isActive', dataType: 'boolean', defaultValue: 'true' }),
      aTypeAttribute({ name: 'bornOn', dataType: 'dateTime', format: 'date', nullable: true }),
    ),
  })
  const product = anEntity({
    name: 'Product',
    typeAttributes: aList(
      aKey({ name: 'sku', dataType: 'string', maxLength: 20 }),
      aTypeAttribute({ name: 'listPrice', dataType: 'double', format: 'decimal', precision: 12, scale: 2 }),
      aTypeAttribute({ name: 'weight', dataType: 'float', nullable: true }),
      aTypeAttribute({ name: 'stock', dataType: 'integer', format: 'int32', defaultValue: '0' }),
      aTypeAttribute({ name: 'extra', dataType: 'object', format: 'json', nullable: true }),
    ),
  })
  const orderLine = anEntity({
    name: 'OrderLine',
    typeAttributes: aList(
      aKey(),
      aTypeAttribute({ name: 'externalRef', format: 'guid', nullable: true }),
      aTypeAttribute({ name: 'quantity', dataType: 'integer', format: 'int16' }),
      aTypeAttribute({ name: 'orderedAt', dataType: 'dateTime', format: 'instant' }),
      aTypeAttribute({ name: 'deliverAt', dataType: 'dateTime', format: 'time', nullable: true }),
    ),
    entityAttributes: [
      aRelationship(customer, { position: 9 }),
      aRelationship(product, { position: 10, foreignKeyTypeAttribute: 'sku', foreignKeyDataType: 'string' }),
    ],
  })
  return aResolvedModel([customer, product, orderLine])
}
