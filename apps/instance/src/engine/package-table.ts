import * as z from 'zod'
import type { PackageModel } from '@cadmus/model/api/package-model'
import { adaptSchema } from '@cadmus/sql/adapt-schema'
import { compileSchema } from '@cadmus/sql/compiler'
import { databases, type RunDatabase } from '@cadmus/sql/databases'
import type { Column, ColumnType, Table } from '@cadmus/sql/tree'
import { DatabaseError, type Driver, type Queries, type SqlStatement } from '../drivers/driver.ts'
import { SchemaError } from './errors.ts'

/** A row of the table of packages. It is stored in the database of the package, so that backups contain both. */
export type PackageRow = {
  readonly name: string
  readonly version: string
  /** A fingerprint of the tables. */
  readonly tables: string
  /** The model as JSON with the owner of its package (`modelText`). */
  readonly model: string
}

/** The stored text of a model. Earlier releases stored no owner, the first ones no id. */
export function modelText({ id, owner }: PackageOwner, model: PackageModel): string {
  return JSON.stringify({ id, ...(owner === null ? {} : { owner }), ...model })
}

const ownedSchema = z.object({
  id: z.string().optional(),
  owner: z.string().nullable().default(null),
  root: z.number(),
  manifests: z.array(z.object({ id: z.number(), uid: z.string() })),
})

/** Whether both rows belong to the same owner and manifest. */
export function isSamePackage(row: PackageRow, incoming: PackageRow, owner: PackageOwner): boolean {
  const [one, other] = [manifestOf(row), manifestOf(incoming)]
  if (one === null || other === null) return true
  return one.uid === other.uid && isSameOwner({ id: one.id ?? owner.id, owner: one.owner }, owner)
}

type StoredOwner = { id: string | undefined; owner: string | null; uid: string | undefined }

function manifestOf({ model }: PackageRow): StoredOwner | null {
  const read = ownedSchema.safeParse(jsonOf(model))
  if (!read.success) return null
  const { id, owner, root, manifests } = read.data
  return { id, owner, uid: manifests.find(manifest => manifest.id === root)?.uid }
}

function jsonOf(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return json
  } catch {
    return null
  }
}

const name = 'cadmus_package'

/** Creates the table of packages if it is missing. */
export async function createPackageTable(driver: Driver): Promise<void> {
  if (await packageTableExists(driver)) return
  const dialect = databases[driver.dialect].run.dialect
  const { schema } = adaptSchema({ name, tables: [packageTable] }, dialect)
  const { preamble, tables } = compileSchema(schema, dialect)
  try {
    for (const text of [...preamble, ...tables]) await driver.query({ text, parameters: [] })
  } catch (error) {
    // Another package may have created it concurrently.
    if (!(await packageTableExists(driver))) throw error
  }
}

export function packageTableExists(driver: Driver): Promise<boolean> {
  return tableExists(driver, name)
}

export async function findPackage({ dialect, query }: Driver, packageName: string): Promise<PackageRow | null> {
  const { quote, placeholder } = databases[dialect].run.queries
  const columns = ['name', 'version', 'tables', 'model'].map(quote).join(', ')
  const text = `SELECT ${columns} FROM ${quote(name)} WHERE ${quote('name')} = ${placeholder(1)}`
  const [row] = (await query({ text, parameters: [packageName] })).rows
  if (row === undefined) return null
  return { name: String(row[0]), version: String(row[1]), tables: String(row[2]), model: String(row[3]) }
}

export async function insertPackage({ query }: Queries, dialect: RunDatabase, row: PackageRow): Promise<void> {
  const { quote, placeholder } = databases[dialect].run.queries
  const columns = ['name', 'version', 'tables', 'model'].map(quote).join(', ')
  const placeholders = [1, 2, 3, 4].map(placeholder).join(', ')
  const text = `INSERT INTO ${quote(name)} (${columns}) VALUES (${placeholders})`
  await query({ text, parameters: [row.name, row.version, row.tables, row.model] })
}

export async function updatePackage({ query }: Queries, dialect: RunDatabase, row: PackageRow): Promise<void> {
  await query(versionStatement(dialect, row))
}

/** Updates the row only if its `tables` are unchanged; returns whether they were. */
export async function replacePackage(
  { query }: Queries,
  dialect: RunDatabase,
  row: PackageRow,
  tables: string,
): Promise<boolean> {
  const { text, parameters } = versionStatement(dialect, row)
  const condition = ` AND ${tablesAre(dialect, 5)}`
  return (await query({ text: text + condition, parameters: [...parameters, tables], answers: 'count' })).changes === 1
}

/** Deletes the row only if its `tables` are unchanged. */
export async function deletePackage(
  { query }: Queries,
  dialect: RunDatabase,
  { name: packageName, tables }: PackageRow,
): Promise<void> {
  const { quote, placeholder } = databases[dialect].run.queries
  const text = `DELETE FROM ${quote(name)} WHERE ${quote('name')} = ${placeholder(1)} AND ${tablesAre(dialect, 2)}`
  await query({ text, parameters: [packageName, tables] })
}

function versionStatement(
  dialect: RunDatabase,
  { name: packageName, version, tables, model }: PackageRow,
): SqlStatement {
  const { quote, placeholder } = databases[dialect].run.queries
  const assignments = ['version', 'tables', 'model'].map(
    (column, index) => `${quote(column)} = ${placeholder(index + 1)}`,
  )
  const text = `UPDATE ${quote(name)} SET ${assignments.join(', ')} WHERE ${quote('name')} = ${placeholder(4)}`
  return { text, parameters: [version, tables, model, packageName] }
}

function tablesAre(dialect: RunDatabase, index: number): string {
  const { quote, placeholder } = databases[dialect].run.queries
  return `${quote('tables')} = ${placeholder(index)}`
}

/** Throws a `SchemaError` if one of the tables exists. */
export async function refuseExistingTables(
  driver: Driver,
  packageName: string,
  tables: readonly { readonly name: string }[],
): Promise<void> {
  for (const table of tables) {
    if (await tableExists(driver, table.name)) throw new SchemaError(existingTableText(table.name, packageName))
  }
}

export function existingTableText(table: string, packageName: string): string {
  return `The database already has a table "${table}" that was not created by ${packageName}.`
}

/** Whether a table of this name exists and can be read. */
export async function tableExists({ dialect, query }: Driver, table: string): Promise<boolean> {
  try {
    await query({ text: `SELECT 1 FROM ${databases[dialect].run.queries.quote(table)} WHERE 1 = 0`, parameters: [] })
    return true
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'other') return false
    throw error
  }
}

const packageTable: Table = {
  name,
  comment: '',
  source: { id: 0, uid: name, name, path: '', place: [] },
  columns: [
    column('name', { kind: 'varchar', length: 200 }),
    column('version', { kind: 'varchar', length: 100 }),
    column('tables', { kind: 'varchar', length: 64 }),
    column('model', { kind: 'text' }),
  ],
  primaryKey: { name: `pk_${name}`, columns: ['name'], sources: [source('name')] },
  uniques: [],
  checks: [],
  indexes: [],
  foreignKeys: [],
}

function column(columnName: string, type: ColumnType): Column {
  return {
    name: columnName,
    type,
    nullable: false,
    default: null,
    identity: false,
    comment: '',
    source: source(columnName),
  }
}

function source(columnName: string): Column['source'] {
  return { kind: 'typeAttribute', uid: `${name}:${columnName}`, name: columnName }
}

/** The owner of a package. Organisations may share display ids, so uids identify them. */
export type PackageOwner = {
  readonly id: string
  /** The uid of the organisation; null in packages of earlier releases. */
  readonly owner: string | null
  /** Whether the owner also owns packages and tables of the same id that state no owner. */
  readonly adopts: boolean
}

/** Whether an existing package has the owner of an incoming one. */
export function isSameOwner(existing: Pick<PackageOwner, 'id' | 'owner'>, incoming: PackageOwner): boolean {
  if (existing.owner !== null) return existing.owner === incoming.owner
  return existing.id === incoming.id && (incoming.owner === null || incoming.adopts)
}
