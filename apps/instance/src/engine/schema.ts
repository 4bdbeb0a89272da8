import type { PackageModel } from '@cadmus/model/api/package-model'
import type { InstanceSchema } from '@cadmus/sql/instance-schema'
import { createHash } from 'node:crypto'
import type { Driver } from '../drivers/driver.ts'
import type { DatabaseDialect } from '../drivers/settings.ts'
import { alterTables, checkAlteration, type SchemaWishes } from './alter-tables.ts'
import { OthersTablesError, SchemaError } from './errors.ts'
import type { PackageOwner } from './package-owner.ts'
import {
  createPackageTable,
  findPackage,
  isOneOwner,
  isTherePackageTable,
  keepPackage,
  keptModel,
  type KnownPackage,
  refuseTaken,
} from './package-table.ts'
import { isUnfinished, makeOneByOne } from './tables-one-by-one.ts'

/**
 * Makes a package's tables where it has none yet, all or nothing where the database can, and remembers of what model they are; those of
 * another model become its own. Throws a `SchemaError` where they cannot, or tables of others stand in their place: an `OthersTablesError` where those
 * are of another package of the same name.
 */
export async function makeSchema(
  driver: Driver,
  model: PackageModel,
  made: InstanceSchema,
  wishes: SchemaWishes,
): Promise<void> {
  if (wishes.onlyReopens && !(await isTherePackageTable(driver))) throw lostTables(model)
  await createPackageTable(driver)
  const wanted = wantedOf(model, made, wishes.owner)
  const known = await findPackage(driver, model.package)
  const isWhole = wholeDialects.includes(driver.dialect)
  if (known === null) {
    if (wishes.onlyReopens) throw lostTables(model)
    await refuseTaken(driver, model.package, made.schema.tables)
    if (!isWhole) return makeOneByOne({ driver, wanted, model, made }, null)
    return driver.transaction(async connection => {
      for (const text of made.statements) await connection.query({ text, parameters: [] })
      await keepPackage(connection, driver.dialect, wanted)
    })
  }
  if (known.tables === wanted.tables && known.model === wanted.model) return
  if (!isOneOwner(known, wanted, wishes.owner)) throw new OthersTablesError(othersText(model.package))
  if (isUnfinished(known)) return makeOneByOne({ driver, wanted, model, made }, known)
  await alterTables({ driver, known, wanted, model, made, wishes }, fingerprintOf)
}

/** Throws the `SchemaError` that a start would end with on the tables as they are, where that can be told; nothing is changed. */
export async function checkSchema(
  driver: Driver,
  model: PackageModel,
  made: InstanceSchema,
  owner: PackageOwner,
): Promise<void> {
  if (!(await isTherePackageTable(driver))) return
  const wanted = wantedOf(model, made, owner)
  const known = await findPackage(driver, model.package)
  // With tables of somebody else's it starts beside them, or says so.
  if (known === null || isUnfinished(known) || !isOneOwner(known, wanted, owner)) return
  await checkAlteration({ driver, known, wanted, model, made }, fingerprintOf)
}

function wantedOf(model: PackageModel, made: InstanceSchema, owner: PackageOwner): KnownPackage {
  const { package: name, version } = model
  return { name, version, tables: fingerprintOf(made), model: keptModel(owner, model) }
}

function lostTables({ package: name, version }: PackageModel): SchemaError {
  return new SchemaError(`The tables of ${name} ${version} are not there any more.`)
}

function othersText(name: string): string {
  return (
    `The database has the tables of another package '${name}', which was here before; they were left as they are. ` +
    'Choose another database, or remove them there.'
  )
}

/** Those where what makes tables is part of a transaction. */
const wholeDialects: readonly DatabaseDialect[] = ['sqlite', 'postgresql', 'mssql']

/** The same for the same tables, whatever is said of them. */
function fingerprintOf({ schema }: InstanceSchema): string {
  const told = new Set(['comment', 'source', 'sources'])
  const text = JSON.stringify(schema.tables, (name, value: unknown) => (told.has(name) ? undefined : value))
  return createHash('sha256').update(text).digest('hex')
}
