import type { PackageModel } from '@cadmus/model/api/package-model'
import { instanceDialects } from '@cadmus/sql/instance-dialects'
import type { InstanceSchema } from '@cadmus/sql/instance-schema'
import { queryDialects } from '@cadmus/sql/queries/query-dialects'
import type { Schema } from '@cadmus/sql/tree'
import { randomUUID } from 'node:crypto'
import { DatabaseError, type Driver } from '../drivers/driver.ts'
import type { DatabaseDialect } from '../drivers/settings.ts'
import { schemaOf } from './alter-tables.ts'
import { SchemaError } from './errors.ts'
import {
  forgetPackage,
  isThere,
  keepPackage,
  type KnownPackage,
  refuseTaken,
  replacePackage,
  takenText,
} from './package-table.ts'

type Making = {
  readonly driver: Driver
  readonly wanted: KnownPackage
  readonly model: PackageModel
  readonly made: InstanceSchema
}

const mark = 'unfinished '

/** Whether its tables were begun and never finished: nobody was answered from them. */
export function isUnfinished({ tables }: KnownPackage): boolean {
  return tables.startsWith(mark)
}

/**
 * Makes a package's tables where each is there at once, whatever becomes of the others. Whose they are is remembered before the first of them,
 * and once all are there, that they are: what a kill leaves in between, `unfinished`, is cleared away and made anew. Throws a `SchemaError`.
 */
export async function makeOneByOne(making: Making, unfinished: KnownPackage | null): Promise<void> {
  const { driver, wanted, made } = making
  const begun = marked(wanted)
  if (unfinished === null) await begin(making, begun)
  else await beginAnew(making, begun, unfinished)
  try {
    for (const text of made.statements) await driver.query({ text, parameters: [] })
  } catch (error) {
    await takeBack(making, begun).catch(() => undefined)
    throw error
  }
  await replace(making, begun, wanted)
}

/** Another one each time: who writes theirs over it has the tables from then on. */
function marked(known: KnownPackage): KnownPackage {
  return { ...known, tables: `${mark}${randomUUID()}` }
}

async function begin(making: Making, begun: KnownPackage): Promise<void> {
  const { driver } = making
  await keepPackage(driver, driver.dialect, begun).catch((error: unknown) => {
    throw error instanceof DatabaseError && error.kind === 'unique' ? elsewhere(making) : error
  })
}

/** It is known as what was begun until that is gone. */
async function beginAnew(making: Making, begun: KnownPackage, unfinished: KnownPackage): Promise<void> {
  const taken = marked(unfinished)
  await replace(making, unfinished, taken)
  await clear(making, taken)
  await replace(making, taken, begun)
}

async function replace(making: Making, before: KnownPackage, after: KnownPackage): Promise<void> {
  const { driver } = making
  if (!(await replacePackage(driver, driver.dialect, after, before.tables))) throw elsewhere(making)
}

function elsewhere({ model }: Making): SchemaError {
  return new SchemaError(`Another instance makes the tables of ${model.package} too. Start it again when that is done.`)
}

/** Drops what was begun, which nothing is in: what has records somebody else made. */
async function clear({ driver, model, made }: Making, unfinished: KnownPackage): Promise<void> {
  const before = schemaOf(unfinished, driver)
  if (before === null) {
    throw new SchemaError(
      `The tables of ${model.package} were begun for its version ${unfinished.version}, and it is not known which they are.`,
    )
  }
  const taken = await withRecords(driver, before.schema)
  if (taken !== undefined) throw new SchemaError(takenText(taken, model.package))
  await dropTables(driver, before.schema)
  await refuseTaken(driver, model.package, made.schema.tables)
}

/** As if nothing had been begun, unless something of it is left, or another instance has the tables by now: they are its own then. */
async function takeBack(making: Making, begun: KnownPackage): Promise<void> {
  const { driver, made } = making
  const taken = marked(begun)
  await replace(making, begun, taken)
  if ((await withRecords(driver, made.schema)) !== undefined) return
  await dropTables(driver, made.schema)
  for (const { name } of made.schema.tables) if (await isThere(driver, name)) return
  await forgetPackage(driver, driver.dialect, taken)
}

/** The first of the tables that is there and has records. */
async function withRecords(driver: Driver, { tables }: Schema): Promise<string | undefined> {
  const { quote, page } = queryDialects[driver.dialect]
  for (const { name } of tables) {
    if (!(await isThere(driver, name))) continue
    const { rows } = await driver.query({ text: `SELECT 1 FROM ${quote(name)} ${page('1', null)}`, parameters: [] })
    if (rows.length > 0) return name
  }
  return undefined
}

/** Those of them that are there. */
async function dropTables(driver: Driver, schema: Schema): Promise<void> {
  for (const text of removals(schema, driver.dialect)) {
    await driver.query({ text, parameters: [] }).catch((error: unknown) => {
      if (!(error instanceof DatabaseError) || error.kind === 'unavailable' || error.kind === 'refused') throw error
    })
  }
}

/** Foreign keys first where they would be in the way: tables may refer to each other in circles. */
function removals({ tables }: Schema, dialect: DatabaseDialect): string[] {
  const { quote } = instanceDialects[dialect]
  const dropped = tables.map(({ name }) => `DROP TABLE ${quote(name)}`)
  if (dialect !== 'mysql') return dropped.map(text => `${text} CASCADE${dialect === 'oracle' ? ' CONSTRAINTS' : ''}`)
  const untied = tables.flatMap(table =>
    table.foreignKeys.map(key => `ALTER TABLE ${quote(table.name)} DROP FOREIGN KEY ${quote(key.name)}`),
  )
  return [...untied, ...dropped]
}
