import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type PackageModel, packageModelForm } from '@cadmus/model/api/package-model'
import { stepsBetween } from '@cadmus/model/data-steps'
import { maxSchemaSteps, schemaGrades, type SchemaStep } from '@cadmus/model/schema-step'
import { readStored } from '@cadmus/model/stored/stored-form'
import { type Alteration, alterationOf, isAlterable } from '@cadmus/sql/alter'
import type { SchemaChange } from '@cadmus/sql/alter-changes'
import { refusalText, type SchemaRefusal } from '@cadmus/sql/alter-refusals'
import { type InstanceSchema, instanceSchemaOf } from '@cadmus/sql/instance-schema'
import { DatabaseError, type DatabaseErrorKind, type Driver, type Queries } from '../drivers/driver.ts'
import { SchemaError, type SchemaObstacle } from './errors.ts'
import { type PackageOwner, type PackageRow, refuseExistingTables, updatePackage } from './package-table.ts'

/** Permitted changes of tables from another version to this version. */
export type SchemaOptions = {
  /** The owner of the package, for the check of existing tables. */
  readonly owner: PackageOwner
  readonly allowDataLoss: boolean
  /** The digest of the confirmed data loss (`lossDigestOf`); '': any loss. */
  readonly lossDigest: string
  /** If true, missing tables are an error instead of being created. */
  readonly onlyReopens?: boolean
  /** Awaited before the first change, in each attempt. */
  beforeChanges(): Promise<void>
  /** Called before another attempt, after the tables were in use and nothing was changed. */
  betweenTries(): void
  /** Called before the commit; an error rolls the changes back. */
  beforeCommit(): void
}

type Altering = {
  readonly driver: Driver
  readonly existing: PackageRow
  readonly target: PackageRow
  readonly model: PackageModel
  readonly newSchema: InstanceSchema
  readonly options: SchemaOptions
}

type AlterationCheck = Omit<Altering, 'options'> & {
  readonly options: Pick<SchemaOptions, 'allowDataLoss' | 'lossDigest'>
}

type Fingerprint = (newSchema: InstanceSchema) => string

/**
 * Changes the existing tables to the target model and keeps the records, in one transaction. Throws a `SchemaError`.
 */
export async function alterTables(altering: Altering, fingerprintOf: Fingerprint): Promise<void> {
  const { driver, target, options } = altering
  const alteration = alterationFor(altering, fingerprintOf)
  if (alteration === null || driver.reshape === undefined) return updatePackage(driver, driver.dialect, target)
  for (let left = maxAttempts - 1; !(await isReshaped(altering, alteration, driver.reshape, left > 0)); left -= 1) {
    options.betweenTries()
    await wait(pause)
  }
}

/** Time limit for previewing a start, in milliseconds. */
export const previewTimeout = 10_000

/** Throws what `alterTables` would throw if no data may be lost, without changing anything. */
export async function checkAlteration(check: Omit<Altering, 'options'>, fingerprintOf: Fingerprint): Promise<void> {
  const alteration = alterationFor(check, fingerprintOf)
  if (alteration === null) return
  const options = { allowDataLoss: false, lossDigest: '' }
  await checkWithoutTimeouts({ ...check, options }, alteration, previewTimeout)
}

/** How many records a change of the existing tables would lose or be prevented by. `version`: that of the existing tables. */
export type SchemaCounts = {
  readonly version: string
  readonly counts: readonly { readonly key: string; readonly count: number }[]
}

/** Counts one after the other until `deadline`, in milliseconds of `performance.now`; null if that is not enough. */
export async function countAlteration(
  check: Omit<Altering, 'options'>,
  fingerprintOf: Fingerprint,
  deadline: number,
): Promise<SchemaCounts | null> {
  const { driver, existing } = check
  const { version } = existing
  const all = alterationFor(check, fingerprintOf)?.counts ?? []
  const read = async (connection: Queries) => {
    const counts: SchemaCounts['counts'][number][] = []
    for (const { key, query } of all.slice(0, maxSchemaSteps)) {
      if (performance.now() >= deadline) return null
      const { rows } = await connection.query({ text: query, parameters: [] })
      counts.push({ key, count: Number(rows[0]?.[0]) })
    }
    return { version, counts }
  }
  return driver.longRead?.(read, Math.max(1, Math.ceil(deadline - performance.now()))) ?? read(driver)
}

/** Null if all tables are the same. */
function alterationFor(check: Omit<Altering, 'options'>, fingerprintOf: Fingerprint): Alteration | null {
  const { driver, existing, target, newSchema } = check
  const before = schemaOf(existing, driver)
  const isKnown = before !== null && fingerprintOf(before) === existing.tables
  const { dialect } = driver
  if (!isKnown || !isAlterable(dialect) || driver.reshape === undefined) {
    if (existing.tables === target.tables) return null
    throw new SchemaError(`${differentTablesText(check)} ${isKnown ? notHereText : unknownText}`)
  }
  const steps = stepsBetween(modelOf(existing), check.model)
  const alteration = alterationOf(before.schema, newSchema.schema, dialect, steps)
  if (alteration.faults.length > 0)
    throw new SchemaError(`${differentTablesText(check)} ${joinTexts(alteration.faults)} Nothing was changed.`)
  return alteration.changes.length + alteration.refusals.length === 0 ? null : alteration
}

/** Attempts to change tables that are in use, with a pause in milliseconds in which callers are served. */
const maxAttempts = 3
const pause = 1000

/** Returns false if the tables are in use and another attempt is allowed. */
async function isReshaped(
  altering: Altering,
  alteration: Alteration,
  reshape: NonNullable<Driver['reshape']>,
  mayRetry: boolean,
): Promise<boolean> {
  const { driver, model, options } = altering
  try {
    await checkWithoutTimeouts(altering, alteration)
    await refuseExistingTables(
      driver,
      model.package,
      alteration.names.map(name => ({ name })),
    )
    await options.beforeChanges()
    await reshape(
      connection => change(altering, alteration, connection),
      () => options.beforeCommit(),
    )
    return true
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    if (error.kind === 'contended' && mayRetry) return false
    throw refusalOf(error, model)
  }
}

/** Uses the driver's connection for long reads, if any, because no caller waits. */
async function checkWithoutTimeouts(check: AlterationCheck, alteration: Alteration, max?: number): Promise<void> {
  const { driver } = check
  const ask = (connection: Queries) => refuse(check, alteration, connection)
  await (driver.longRead?.(ask, max) ?? ask(driver))
}

function refusalOf(error: DatabaseError, { package: name, version }: PackageModel): Error {
  if (error.kind === 'contended') {
    const text = `The tables of ${name} are in use and could not be changed for version ${version} in ${maxAttempts} attempts.`
    return new SchemaError(`${text} Nothing was changed. Try again later.`, { cause: error })
  }
  const reason = reasons[error.kind]
  if (reason === undefined) return error
  return new SchemaError(`The records of ${name} do not fit version ${version}: ${reason}`, { cause: error })
}

const notHereText = 'This instance cannot change tables on this type of database. Nothing was changed.'
const unknownText = 'The model of the existing tables is unknown. Nothing was changed.'

/** Database errors that records may cause in the new tables. */
const reasons: Readonly<Partial<Record<DatabaseErrorKind, string>>> = {
  unique: 'values that must be unique are repeated. Nothing was changed.',
  foreignKey: 'references to missing records. Nothing was changed.',
  check: 'values that its checks do not allow. Nothing was changed.',
  notNull: 'required values are missing. Nothing was changed.',
  value: 'values that its types cannot hold. Nothing was changed.',
}

async function change(altering: Altering, alteration: Alteration, to: Queries): Promise<void> {
  const { driver, target } = altering
  const run = (text: string) => to.query({ text, parameters: [] })
  for (const text of alteration.locks) await run(text)
  await refuse(altering, alteration, to)
  for (const text of alteration.statements) await run(text)
  await updatePackage(to, driver.dialect, target)
}

/** Refuses the alteration if records make it impossible, or if unconfirmed data would be lost. */
async function refuse(check: AlterationCheck, { refusals, changes }: Alteration, to: Queries): Promise<void> {
  const { existing, model, options } = check
  const obstacles = await obstaclesOf(refusals, to)
  if (obstacles.length > 0) {
    throw new SchemaError(
      `The tables of ${model.package} cannot become those of its version ${model.version}: ${joinTexts(textsOf(obstacles))} Nothing was changed.`,
      { obstacles },
    )
  }
  if (options.allowDataLoss && options.lossDigest === '') return
  const lost = await withRows(changes, to)
  const steps = stepsOf(changes, new Set(lost))
  if (lost.length === 0 || (options.allowDataLoss && options.lossDigest === lossDigestOf(steps))) return
  const advice = options.allowDataLoss
    ? 'This differs from the confirmed data loss.'
    : 'To allow this, upload or start it with allowDataLoss=true.'
  throw new SchemaError(
    `Version ${model.version} of ${model.package} would lose data of version ${existing.version}: ${joinTexts(textsOf(lost))} ` +
      `Nothing was changed. ${advice}`,
    { steps },
  )
}

/** The refusals that records cause, with their number. */
async function obstaclesOf(refusals: readonly SchemaRefusal[], to: Queries): Promise<SchemaObstacle[]> {
  const obstacles: SchemaObstacle[] = []
  for (const refusal of refusals) {
    const { rows } = await to.query({ text: refusal.query, parameters: [] })
    const { entity, source } = refusal
    const attribute = { kind: source.kind, uid: source.uid }
    if (rows.length > 0) obstacles.push({ text: refusalText(refusal, rows.length), entity, attribute })
  }
  return obstacles
}

async function withRows<T extends { readonly query: string | null }>(
  checkWithoutTimeouts: readonly T[],
  to: Queries,
): Promise<T[]> {
  const matches: T[] = []
  for (const one of checkWithoutTimeouts) {
    const { query } = one
    if (query !== null && (await to.query({ text: query, parameters: [] })).rows.length > 0) matches.push(one)
  }
  return matches
}

/** Sorts steps by severity. A step without data to lose is reported as a lock. */
function stepsOf(changes: readonly SchemaChange[], lost: ReadonlySet<SchemaChange>): SchemaStep[] {
  const steps = changes.map((change): SchemaStep => {
    const { entity, attribute, text, query } = change
    if (query === null || lost.has(change)) return { grade: change.grade, entity, attribute, text }
    return { grade: 'locks', entity, attribute, text: `${text} There are none.` }
  })
  const severity = (step: SchemaStep) => schemaGrades.indexOf(step.grade)
  return steps.toSorted((one, other) => severity(other) - severity(one))
}

function textsOf(changes: readonly { readonly text: string }[]): string[] {
  return changes.map(({ text }) => text)
}

const maxListed = 20

/** A table and its history table may give the same text. */
function joinTexts(all: readonly string[]): string {
  const sentences = [...new Set(all)]
  const more = sentences.length - maxListed
  return [...sentences.slice(0, maxListed), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')
}

function differentTablesText({ existing, model }: Pick<Altering, 'existing' | 'model'>): string {
  return `The tables of ${model.package} belong to version ${existing.version}; version ${model.version} needs different ones.`
}

function modelOf({ model }: PackageRow): PackageModel {
  return readStored(packageModelForm, JSON.parse(model))
}

/** The schema of the existing tables; null if their model cannot be read. */
export function schemaOf(row: PackageRow, { dialect }: Driver): InstanceSchema | null {
  try {
    return instanceSchemaOf(modelOf(row), dialect)
  } catch {
    return null
  }
}

/**
 * Identifies a list of data losses, so that a confirmation applies to the list that was shown: 64 hexadecimal digits.
 */
export function lossDigestOf(steps: readonly SchemaStep[]): string {
  const lost = steps.filter(({ grade }) => grade === 'losesData')
  const losses = lost.map(({ entity, attribute, text }) => [entity, attribute, text])
  return createHash('sha256').update(JSON.stringify(losses)).digest('hex')
}
