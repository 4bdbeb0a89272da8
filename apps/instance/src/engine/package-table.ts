import type { PackageModel } from '@cadmus/model/api/package-model'
import { compileSchema } from '@cadmus/sql/compiler'
import { adaptSchema } from '@cadmus/sql/adapt-schema'
import { instanceDialects } from '@cadmus/sql/instance-dialects'
import { queryDialects } from '@cadmus/sql/queries/query-dialects'
import type { Column, ColumnType, Table } from '@cadmus/sql/tree'
import * as z from 'zod'
import { DatabaseError, type Driver, type Queries, type SqlStatement } from '../drivers/driver.ts'
import type { DatabaseDialect } from '../drivers/settings.ts'
import { SchemaError } from './errors.ts'
import { isSameOwner, type PackageOwner } from './package-owner.ts'

/** Of what model a package's tables are: kept in their own database, so that one goes with the other into every backup. */
export type KnownPackage = {
  readonly name: string
  readonly version: string
  /** What tells one model's tables from another's. */
  readonly tables: string
  /** The model as JSON, with the id that its package has (`keptModel`). */
  readonly model: string
}

/** The text by which a model is known; those of earlier releases have no owner, the first ones no id either. */
export function keptModel({ id, owner }: PackageOwner, model: PackageModel): string {
  return JSON.stringify({ id, ...(owner === null ? {} : { owner }), ...model })
}

const ownedSchema = z.object({
  id: z.string().optional(),
  owner: z.string().nullable().default(null),
  root: z.number(),
  manifests: z.array(z.object({ id: z.number(), uid: z.string() })),
})

/** Whether both are of one package, whatever became of its model: of the same owner's, and of the same manifest. */
export function isOneOwner(known: KnownPackage, incoming: KnownPackage, owner: PackageOwner): boolean {
  const [one, other] = [manifestOf(known), manifestOf(incoming)]
  if (one === null || other === null) return true
  return one.uid === other.uid && isSameOwner({ id: one.id ?? owner.id, owner: one.owner }, owner)
}

type KeptOwner = { id: string | undefined; owner: string | null; uid: string | undefined }

function manifestOf({ model }: KnownPackage): KeptOwner | null {
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

/** Makes the table that remembers, where there is none. */
export async function createPackageTable(driver: Driver): Promise<void> {
  if (await isTherePackageTable(driver)) return
  const dialect = instanceDialects[driver.dialect]
  const { schema } = adaptSchema({ name, tables: [packageTable] }, dialect)
  const { preamble, tables } = compileSchema(schema, dialect)
  try {
    for (const text of [...preamble, ...tables]) await driver.query({ text, parameters: [] })
  } catch (error) {
    // Another package that starts on the same database may have made it meanwhile.
    if (!(await isTherePackageTable(driver))) throw error
  }
}

export function isTherePackageTable(driver: Driver): Promise<boolean> {
  return isThere(driver, name)
}

export async function findPackage({ dialect, query }: Driver, wanted: string): Promise<KnownPackage | null> {
  const { quote, placeholder } = queryDialects[dialect]
  const columns = ['name', 'version', 'tables', 'model'].map(quote).join(', ')
  const text = `SELECT ${columns} FROM ${quote(name)} WHERE ${quote('name')} = ${placeholder(1)}`
  const [row] = (await query({ text, parameters: [wanted] })).rows
  if (row === undefined) return null
  return { name: String(row[0]), version: String(row[1]), tables: String(row[2]), model: String(row[3]) }
}

/** Remembers a package that was not known. */
export async function keepPackage({ query }: Queries, dialect: DatabaseDialect, known: KnownPackage): Promise<void> {
  const { quote, placeholder } = queryDialects[dialect]
  const columns = ['name', 'version', 'tables', 'model'].map(quote).join(', ')
  const places = [1, 2, 3, 4].map(placeholder).join(', ')
  const text = `INSERT INTO ${quote(name)} (${columns}) VALUES (${places})`
  await query({ text, parameters: [known.name, known.version, known.tables, known.model] })
}

/** Remembers that a known package is of another version or model now. */
export async function keepVersion({ query }: Queries, dialect: DatabaseDialect, known: KnownPackage): Promise<void> {
  await query(versionStatement(dialect, known))
}

/** The same where its `tables` are still those, and whether they were. */
export async function replacePackage(
  { query }: Queries,
  dialect: DatabaseDialect,
  known: KnownPackage,
  tables: string,
): Promise<boolean> {
  const { text, parameters } = versionStatement(dialect, known)
  const condition = ` AND ${tablesAre(dialect, 5)}`
  return (await query({ text: text + condition, parameters: [...parameters, tables], answers: 'count' })).changes === 1
}

/** Forgets a package, where its `tables` are still those that are known. */
export async function forgetPackage(
  { query }: Queries,
  dialect: DatabaseDialect,
  { name: packageName, tables }: KnownPackage,
): Promise<void> {
  const { quote, placeholder } = queryDialects[dialect]
  const text = `DELETE FROM ${quote(name)} WHERE ${quote('name')} = ${placeholder(1)} AND ${tablesAre(dialect, 2)}`
  await query({ text, parameters: [packageName, tables] })
}

function versionStatement(
  dialect: DatabaseDialect,
  { name: packageName, version, tables, model }: KnownPackage,
): SqlStatement {
  const { quote, placeholder } = queryDialects[dialect]
  const assignments = ['version', 'tables', 'model'].map(
    (column, index) => `${quote(column)} = ${placeholder(index + 1)}`,
  )
  const text = `UPDATE ${quote(name)} SET ${assignments.join(', ')} WHERE ${quote('name')} = ${placeholder(4)}`
  return { text, parameters: [version, tables, model, packageName] }
}

function tablesAre(dialect: DatabaseDialect, index: number): string {
  const { quote, placeholder } = queryDialects[dialect]
  return `${quote('tables')} = ${placeholder(index)}`
}

/** Throws a `SchemaError` where the database has one of the tables. */
export async function refuseTaken(
  driver: Driver,
  packageName: string,
  tables: readonly { readonly name: string }[],
): Promise<void> {
  for (const table of tables) {
    if (await isThere(driver, table.name)) throw new SchemaError(takenText(table.name, packageName))
  }
}

export function takenText(table: string, packageName: string): string {
  return `The database has a table "${table}" already, which ${packageName} did not make.`
}

/** Whether the database has a table of the name that can be read. */
export async function isThere({ dialect, query }: Driver, table: string): Promise<boolean> {
  try {
    await query({ text: `SELECT 1 FROM ${queryDialects[dialect].quote(table)} WHERE 1 = 0`, parameters: [] })
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
