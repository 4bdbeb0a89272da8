import type { PackageModel } from '@cadmus/model/api/package-model'
import { instanceDialects } from '@cadmus/sql/instance-dialects'
import type { InstanceSchema } from '@cadmus/sql/instance-schema'
import type { Schema } from '@cadmus/sql/tree'
import { createHash } from 'node:crypto'
import type { Driver, Queries } from '../drivers/driver.ts'
import type { DatabaseDialect } from '../drivers/settings.ts'
import { alterTables, type SchemaWishes } from './alter-tables.ts'
import { OthersTablesError, SchemaError } from './errors.ts'
import { createPackageTable, findPackage, isOneOwner, isThere, keepPackage, keptModel } from './package-table.ts'

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
  await createPackageTable(driver)
  const tables = fingerprintOf(made)
  const wanted = { name: model.package, version: model.version, tables, model: keptModel(wishes.packageId, model) }
  const known = await findPackage(driver, model.package)
  if (known === null) {
    await refuseTaken(driver, model, made)
    return makeTables(driver, made, connection => keepPackage(connection, driver.dialect, wanted))
  }
  if (known.tables === tables && known.model === wanted.model) return
  if (!isOneOwner(known, wanted)) throw new OthersTablesError(othersText(model.package))
  await alterTables({ driver, known, wanted, model, made, wishes }, fingerprintOf)
}

function othersText(name: string): string {
  return (
    `The database has the tables of another package '${name}', which was here before; they were left as they are. ` +
    'Choose another database, or remove them there.'
  )
}

/** Those where what makes tables is part of a transaction. */
const wholeDialects: readonly DatabaseDialect[] = ['sqlite', 'postgresql', 'mssql']

async function makeTables(
  driver: Driver,
  { schema, statements }: InstanceSchema,
  keep: (connection: Queries) => Promise<void>,
): Promise<void> {
  try {
    await driver.transaction(async connection => {
      for (const text of statements) await connection.query({ text, parameters: [] })
      await keep(connection)
    })
  } catch (error) {
    if (!wholeDialects.includes(driver.dialect)) await dropTables(driver, schema)
    throw error
  }
}

/** Takes back what was made, which nothing is in yet: again and again, as long as one of the tables goes, since they refer to each other. */
async function dropTables(driver: Driver, { tables }: Schema): Promise<void> {
  const left = new Set(tables.map(({ name }) => name))
  for (let before = left.size + 1; left.size < before;) {
    before = left.size
    for (const name of left) {
      const text = `DROP TABLE ${instanceDialects[driver.dialect].quote(name)}`
      const isGone = await driver.query({ text, parameters: [] }).then(
        () => true,
        () => false,
      )
      if (isGone) left.delete(name)
    }
  }
}

async function refuseTaken(driver: Driver, model: PackageModel, { schema }: InstanceSchema): Promise<void> {
  for (const { name } of schema.tables) {
    if (!(await isThere(driver, name))) continue
    throw new SchemaError(`The database has a table "${name}" already, which ${model.package} did not make.`)
  }
}

/** The same for the same tables, whatever is said of them. */
function fingerprintOf({ schema }: InstanceSchema): string {
  const told = new Set(['comment', 'source', 'sources'])
  const text = JSON.stringify(schema.tables, (name, value: unknown) => (told.has(name) ? undefined : value))
  return createHash('sha256').update(text).digest('hex')
}
