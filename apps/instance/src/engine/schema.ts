import type { PackageModel } from '@cadmus/model/api/package-model'
import { databases } from '@cadmus/sql/databases'
import type { InstanceSchema } from '@cadmus/sql/instance-schema'
import { createHash } from 'node:crypto'
import type { Driver } from '../drivers/driver.ts'
import { alterTables, checkAlteration, type SchemaOptions } from './alter-tables.ts'
import { OthersTablesError, SchemaError } from './errors.ts'
import type { PackageOwner } from './package-owner.ts'
import {
  createPackageTable,
  findPackage,
  isSamePackage,
  packageTableExists,
  insertPackage,
  modelText,
  type PackageRow,
  refuseExistingTables,
} from './package-table.ts'
import { isPartlyCreated, createOneByOne } from './create-tables.ts'

/**
 * Creates the tables of a package or changes the tables of another version, in one transaction where the database
 * supports it, and stores their model. Throws a `SchemaError` if that fails or foreign tables are in the way, an
 * `OthersTablesError` if they belong to another package of the same name.
 */
export async function prepareSchema(
  driver: Driver,
  model: PackageModel,
  newSchema: InstanceSchema,
  options: SchemaOptions,
): Promise<void> {
  if (options.onlyReopens && !(await packageTableExists(driver))) throw lostTables(model)
  await createPackageTable(driver)
  const target = targetOf(model, newSchema, options.owner)
  const existing = await findPackage(driver, model.package)
  const isTransactional = databases[driver.dialect].run.isTransactional
  if (existing === null) {
    if (options.onlyReopens) throw lostTables(model)
    await refuseExistingTables(driver, model.package, newSchema.schema.tables)
    if (!isTransactional) return createOneByOne({ driver, target, model, newSchema }, null)
    return driver.transaction(async connection => {
      for (const text of newSchema.statements) await connection.query({ text, parameters: [] })
      await insertPackage(connection, driver.dialect, target)
    })
  }
  if (existing.tables === target.tables && existing.model === target.model) return
  if (!isSamePackage(existing, target, options.owner)) throw new OthersTablesError(otherPackageText(model.package))
  if (isPartlyCreated(existing)) return createOneByOne({ driver, target, model, newSchema }, existing)
  await alterTables({ driver, existing, target, model, newSchema, options }, fingerprintOf)
}

/** Throws the `SchemaError` a start on the existing tables would end with, without changing anything. */
export async function checkSchema(
  driver: Driver,
  model: PackageModel,
  newSchema: InstanceSchema,
  owner: PackageOwner,
): Promise<void> {
  if (!(await packageTableExists(driver))) return
  const target = targetOf(model, newSchema, owner)
  const existing = await findPackage(driver, model.package)
  // In these cases the start itself decides.
  if (existing === null || isPartlyCreated(existing) || !isSamePackage(existing, target, owner)) return
  await checkAlteration({ driver, existing, target, model, newSchema }, fingerprintOf)
}

function targetOf(model: PackageModel, newSchema: InstanceSchema, owner: PackageOwner): PackageRow {
  const { package: name, version } = model
  return { name, version, tables: fingerprintOf(newSchema), model: modelText(owner, model) }
}

function lostTables({ package: name, version }: PackageModel): SchemaError {
  return new SchemaError(`The tables of ${name} ${version} no longer exist.`)
}

function otherPackageText(name: string): string {
  return (
    `The database has tables of an earlier package '${name}'. Nothing was changed. ` +
    'Choose another database, or remove these tables.'
  )
}

/** The fingerprint of tables, independent of comments and sources. */
function fingerprintOf({ schema }: InstanceSchema): string {
  const ignored = new Set(['comment', 'source', 'sources'])
  const text = JSON.stringify(schema.tables, (name, value: unknown) => (ignored.has(name) ? undefined : value))
  return createHash('sha256').update(text).digest('hex')
}
