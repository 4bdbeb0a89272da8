import { type PackageModel, packageModelSchema } from '@cadmus/model/api/package-model'
import { schemaGrades, type SchemaStep } from '@cadmus/model/schema-step'
import { alterable, type Alteration, type AlterableDialect, alterationOf } from '@cadmus/sql/alter'
import type { SchemaChange } from '@cadmus/sql/alter-changes'
import { type InstanceSchema, instanceSchemaOf } from '@cadmus/sql/instance-schema'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseError, type DatabaseErrorKind, type Driver, type Queries } from '../drivers/driver.ts'
import { SchemaError } from './errors.ts'
import { lossDigestOf } from './loss-digest.ts'
import type { PackageOwner } from './package-owner.ts'
import { keepVersion, type KnownPackage, refuseTaken } from './package-table.ts'

/** How the tables of another version may become those of this one. */
export type SchemaWishes = {
  /** Whose tables they are, with the manifest that the model is of. */
  readonly owner: PackageOwner
  readonly allowDataLoss: boolean
  /** Of the list of lost data that was agreed to (`lossDigestOf`); '': of any. */
  readonly lossDigest: string
  /** Where there are no tables yet, none are made. */
  readonly onlyReopens?: boolean
  /** Awaited before the first table is changed, at each try. */
  beforeChanges(): Promise<void>
  /** Called when others held the tables, so that nothing was changed, and it is tried again a little later. */
  betweenTries(): void
  /** Called when all is changed and nothing is committed: what it throws takes the changes back. */
  beforeCommit(): void
}

export type Altering = {
  readonly driver: Driver
  readonly known: KnownPackage
  readonly wanted: KnownPackage
  readonly model: PackageModel
  readonly made: InstanceSchema
  readonly wishes: SchemaWishes
}

type Asking = Omit<Altering, 'wishes'> & { readonly wishes: Pick<SchemaWishes, 'allowDataLoss' | 'lossDigest'> }

type Fingerprint = (made: InstanceSchema) => string

/**
 * Makes of the tables of the known model those of the wanted one, with the records in them: all of it or nothing. Throws a `SchemaError` that
 * says what is in the way.
 */
export async function alterTables(altering: Altering, fingerprintOf: Fingerprint): Promise<void> {
  const { driver, wanted, wishes } = altering
  const alteration = alterationFor(altering, fingerprintOf)
  if (alteration === null || driver.reshape === undefined) return keepVersion(driver, driver.dialect, wanted)
  for (let left = tries - 1; !(await isReshaped(altering, alteration, driver.reshape, left > 0)); left -= 1) {
    wishes.betweenTries()
    await wait(pause)
  }
}

/** Nobody who does not start the package waits longer for what a start would say, in milliseconds. */
export const foresight = 10_000

/** Throws what `alterTables` would, as far as that can be told without changing anything, where nothing may be lost. */
export async function checkAlteration(asking: Omit<Altering, 'wishes'>, fingerprintOf: Fingerprint): Promise<void> {
  const alteration = alterationFor(asking, fingerprintOf)
  if (alteration === null) return
  const wishes = { allowDataLoss: false, lossDigest: '' }
  await asked({ ...asking, wishes }, alteration, foresight)
}

/** Null where no table is another one. */
function alterationFor(asking: Omit<Altering, 'wishes'>, fingerprintOf: Fingerprint): Alteration | null {
  const { driver, known, wanted, made } = asking
  const before = schemaOf(known, driver)
  const isKnown = before !== null && fingerprintOf(before) === known.tables
  const { dialect } = driver
  if (!isKnown || !isAlterable(dialect) || driver.reshape === undefined) {
    if (known.tables === wanted.tables) return null
    throw new SchemaError(`${othersText(asking)} ${isKnown ? notHereText : unknownText}`)
  }
  const alteration = alterationOf(before.schema, made.schema, dialect)
  return alteration.changes.length === 0 ? null : alteration
}

/** So often tables are tried that others hold, with a pause in between in which they are answered, in milliseconds. */
const tries = 3
const pause = 1000

/** False where others hold the tables, and it may be tried again. */
async function isReshaped(
  altering: Altering,
  alteration: Alteration,
  reshape: NonNullable<Driver['reshape']>,
  mayAgain: boolean,
): Promise<boolean> {
  const { driver, model, wishes } = altering
  try {
    await asked(altering, alteration)
    await refuseTaken(
      driver,
      model.package,
      alteration.names.map(name => ({ name })),
    )
    await wishes.beforeChanges()
    await reshape(
      connection => change(altering, alteration, connection),
      () => wishes.beforeCommit(),
    )
    return true
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    if (error.kind === 'contended' && mayAgain) return false
    throw refusalOf(error, model)
  }
}

/** Where no caller of a package waits for it. */
async function asked(asking: Asking, alteration: Alteration, most?: number): Promise<void> {
  const { driver } = asking
  const ask = (connection: Queries) => refuse(asking, alteration, connection)
  await (driver.unhurried?.(ask, most) ?? ask(driver))
}

function refusalOf(error: DatabaseError, { package: name, version }: PackageModel): Error {
  if (error.kind === 'contended') {
    const text = `Others hold the tables of ${name}, which could not be changed for its version ${version} in ${tries} tries.`
    return new SchemaError(`${text} Nothing was changed: try again when they are done.`, { cause: error })
  }
  const reason = reasons[error.kind]
  if (reason === undefined) return error
  return new SchemaError(`The records of ${name} do not fit its version ${version}: ${reason}`, { cause: error })
}

const notHereText = 'This instance does not change tables on a database of this kind. They were left as they are.'
const unknownText = 'It is not known which model they were made of. They were left as they are.'

/** What of the records a database may refuse in their new tables. */
const reasons: Readonly<Partial<Record<DatabaseErrorKind, string>>> = {
  unique: 'what is to be unique is there more than once. Nothing was changed.',
  foreignKey: 'some refer to what is not there. Nothing was changed.',
  check: 'some have values that it does not allow. Nothing was changed.',
  notNull: 'some have no value where one is required. Nothing was changed.',
  value: 'some have values that its types do not hold. Nothing was changed.',
}

async function change(altering: Altering, alteration: Alteration, to: Queries): Promise<void> {
  const { driver, wanted } = altering
  const run = (text: string) => to.query({ text, parameters: [] })
  for (const text of alteration.locks) await run(text)
  await refuse(altering, alteration, to)
  for (const text of alteration.statements) await run(text)
  await keepVersion(to, driver.dialect, wanted)
}

/** Asks for what the records stand in the way of, and for what would be lost of them. */
async function refuse(asking: Asking, { refusals, changes }: Alteration, to: Queries): Promise<void> {
  const { known, model, wishes } = asking
  const impossible = await thoseWithRows(refusals, to)
  if (impossible.length > 0) {
    throw new SchemaError(
      `The tables of ${model.package} cannot become those of its version ${model.version}: ${listed(textsOf(impossible))} Nothing was changed.`,
    )
  }
  if (wishes.allowDataLoss && wishes.lossDigest === '') return
  const lost = await thoseWithRows(changes, to)
  const steps = stepsOf(changes, new Set(lost))
  if (lost.length === 0 || (wishes.allowDataLoss && wishes.lossDigest === lossDigestOf(steps))) return
  const advice = wishes.allowDataLoss
    ? 'That is not what was agreed to.'
    : 'Upload or start it with allowDataLoss=true where that is meant.'
  throw new SchemaError(
    `Version ${model.version} of ${model.package} would lose data of version ${known.version}: ${listed(textsOf(lost))} ` +
      `Nothing was changed. ${advice}`,
    { steps },
  )
}

async function thoseWithRows<T extends { readonly query: string | null }>(
  asked: readonly T[],
  to: Queries,
): Promise<T[]> {
  const found: T[] = []
  for (const one of asked) {
    const { query } = one
    if (query !== null && (await to.query({ text: query, parameters: [] })).rows.length > 0) found.push(one)
  }
  return found
}

/** What loses data first. What could, and has none to lose, does no harm. */
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

const mostListed = 20

/** A table and its history may say the same. */
function listed(all: readonly string[]): string {
  const sentences = [...new Set(all)]
  const more = sentences.length - mostListed
  return [...sentences.slice(0, mostListed), ...(more > 0 ? [`And ${more} more.`] : [])].join(' ')
}

function othersText({ known, model }: Pick<Altering, 'known' | 'model'>): string {
  return `The tables of ${model.package} are those of its version ${known.version}; version ${model.version} has others.`
}

/** The tables of the known model; null where it cannot be read. */
export function schemaOf({ model }: KnownPackage, { dialect }: Driver): InstanceSchema | null {
  try {
    return instanceSchemaOf(packageModelSchema.parse(JSON.parse(model)), dialect)
  } catch {
    return null
  }
}

function isAlterable(dialect: Driver['dialect']): dialect is AlterableDialect {
  return alterable.some(name => name === dialect)
}
