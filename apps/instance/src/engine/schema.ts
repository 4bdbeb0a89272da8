import { createHash, randomUUID } from 'node:crypto'
import type { PackageModel } from '@cadmus/model/api/package-model'
import { databases, type RunDatabase } from '@cadmus/sql/databases'
import type { InstanceSchema } from '@cadmus/sql/instance-schema'
import type { Schema } from '@cadmus/sql/tree'
import { DatabaseError, type Driver, isSignInError } from '../drivers/driver.ts'
import {
  alterTables,
  checkAlteration,
  countAlteration,
  type SchemaCounts,
  schemaOf,
  type SchemaOptions,
} from './alter-tables.ts'
import { OthersTablesError, SchemaError } from './errors.ts'
import {
  createPackageTable,
  deletePackage,
  existingTableText,
  findPackage,
  insertPackage,
  isSamePackage,
  modelText,
  type PackageOwner,
  type PackageRow,
  packageTableExists,
  refuseExistingTables,
  replacePackage,
  tableExists,
} from './package-table.ts'

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

type Checked = { driver: Driver; model: PackageModel; newSchema: InstanceSchema; owner: PackageOwner }

/** Throws the `SchemaError` with which a start on the existing tables would fail. Changes nothing. */
export async function checkSchema(checked: Checked): Promise<void> {
  const change = await changeOf(checked)
  if (change !== null) await checkAlteration(change, fingerprintOf)
}

/** What a start on the existing tables would lose or be prevented by; null if there are none, or not before `deadline`. */
export async function countSchema(checked: Checked, deadline: number): Promise<SchemaCounts | null> {
  const change = await changeOf(checked)
  return change && countAlteration(change, fingerprintOf, deadline)
}

async function changeOf({ driver, model, newSchema, owner }: Checked) {
  if (!(await packageTableExists(driver))) return null
  const target = targetOf(model, newSchema, owner)
  const existing = await findPackage(driver, model.package)
  // In these cases the start itself decides.
  if (existing === null || isPartlyCreated(existing) || !isSamePackage(existing, target, owner)) return null
  return { driver, existing, target, model, newSchema }
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

/** The fingerprint of tables, independent of comments, sources and what their times and numbers mean. */
function fingerprintOf({ schema }: InstanceSchema): string {
  const ignored = new Set(['comment', 'counted', 'isLocal', 'isWhole', 'source', 'sources'])
  const text = JSON.stringify(schema.tables, (name, value: unknown) => (ignored.has(name) ? undefined : value))
  return createHash('sha256').update(text).digest('hex')
}

type Creation = {
  readonly driver: Driver
  readonly target: PackageRow
  readonly model: PackageModel
  readonly newSchema: InstanceSchema
}

const marker = 'unfinished '

/** Whether the creation of the tables was interrupted. */
function isPartlyCreated({ tables }: PackageRow): boolean {
  return tables.startsWith(marker)
}

/**
 * Creates tables on databases without transactional DDL. The package row is inserted first with the marker
 * `unfinished`, which is replaced at the end; tables left by a kill are dropped and created again. Throws a
 * `SchemaError`.
 */
async function createOneByOne(creation: Creation, unfinished: PackageRow | null): Promise<void> {
  const { driver, target, newSchema } = creation
  const started = withMarker(target)
  if (unfinished === null) await registerStart(creation, started)
  else await restart(creation, started, unfinished)
  try {
    for (const text of newSchema.statements) await driver.query({ text, parameters: [] })
  } catch (error) {
    await undo(creation, started).catch(() => undefined)
    throw error
  }
  await replace(creation, started, target)
}

/** Unique per attempt: the last writer owns the tables. */
function withMarker(row: PackageRow): PackageRow {
  return { ...row, tables: `${marker}${randomUUID()}` }
}

async function registerStart(creation: Creation, started: PackageRow): Promise<void> {
  const { driver } = creation
  await insertPackage(driver, driver.dialect, started).catch((error: unknown) => {
    throw error instanceof DatabaseError && error.kind === 'unique' ? otherInstance(creation) : error
  })
}

/** The row keeps the interrupted model until its tables are dropped. */
async function restart(creation: Creation, started: PackageRow, unfinished: PackageRow): Promise<void> {
  const claimed = withMarker(unfinished)
  await replace(creation, unfinished, claimed)
  await clear(creation, claimed)
  await replace(creation, claimed, started)
}

async function replace(creation: Creation, before: PackageRow, after: PackageRow): Promise<void> {
  const { driver } = creation
  if (!(await replacePackage(driver, driver.dialect, after, before.tables))) throw otherInstance(creation)
}

function otherInstance({ model }: Creation): SchemaError {
  return new SchemaError(
    `Another instance is creating the tables of ${model.package}. Start the package again when it has finished.`,
  )
}

/** Drops the tables of an interrupted creation. Tables with records were created by others. */
async function clear({ driver, model, newSchema }: Creation, unfinished: PackageRow): Promise<void> {
  const before = schemaOf(unfinished, driver)
  if (before === null) {
    throw new SchemaError(
      `The tables of ${model.package} were partly created for version ${unfinished.version}, whose model cannot be read.`,
    )
  }
  const claimed = await tableWithRecords(driver, before.schema)
  if (claimed !== undefined) throw new SchemaError(existingTableText(claimed, model.package))
  await dropTables(driver, before.schema)
  await refuseExistingTables(driver, model.package, newSchema.schema.tables)
}

/** Undoes a failed creation, unless records exist or another instance has taken over. */
async function undo(creation: Creation, started: PackageRow): Promise<void> {
  const { driver, newSchema } = creation
  const claimed = withMarker(started)
  await replace(creation, started, claimed)
  if ((await tableWithRecords(driver, newSchema.schema)) !== undefined) return
  await dropTables(driver, newSchema.schema)
  for (const { name } of newSchema.schema.tables) if (await tableExists(driver, name)) return
  await deletePackage(driver, driver.dialect, claimed)
}

/** The first existing table with records. */
async function tableWithRecords(driver: Driver, { tables }: Schema): Promise<string | undefined> {
  const { quote, page } = databases[driver.dialect].run.queries
  for (const { name } of tables) {
    if (!(await tableExists(driver, name))) continue
    const { rows } = await driver.query({ text: `SELECT 1 FROM ${quote(name)} ${page('1', null)}`, parameters: [] })
    if (rows.length > 0) return name
  }
  return undefined
}

async function dropTables(driver: Driver, schema: Schema): Promise<void> {
  for (const text of removals(schema, driver.dialect)) {
    await driver.query({ text, parameters: [] }).catch((error: unknown) => {
      const isFatal =
        !(error instanceof DatabaseError) ||
        isSignInError(error) ||
        error.kind === 'unavailable' ||
        error.kind === 'privilege'
      if (isFatal) throw error
    })
  }
}

/** Drops foreign keys first where the database requires it, since tables may refer to each other in cycles. */
function removals({ tables }: Schema, dialect: RunDatabase): string[] {
  const { quote } = databases[dialect].run.dialect
  const dropped = tables.map(({ name }) => `DROP TABLE ${quote(name)}`)
  if (dialect !== 'mysql') return dropped.map(text => `${text} CASCADE${dialect === 'oracle' ? ' CONSTRAINTS' : ''}`)
  const keyRemovals = tables.flatMap(table =>
    table.foreignKeys.map(key => `ALTER TABLE ${quote(table.name)} DROP FOREIGN KEY ${quote(key.name)}`),
  )
  return [...keyRemovals, ...dropped]
}
