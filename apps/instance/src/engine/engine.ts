import { existsSync } from 'node:fs'
import type { Api } from '@cadmus/model/api/api'
import type {
  Caller,
  Operation,
  OperationResult,
  WireRecord,
  WireValue,
  WrittenResult,
} from '@cadmus/model/api/operation'
import type { PackageModel } from '@cadmus/model/api/package-model'
import { limits } from '@cadmus/model/limits'
import { apiOf } from '@cadmus/sql/api-of'
import { instanceSchemaOf } from '@cadmus/sql/instance-schema'
import { compileApi } from '@cadmus/sql/queries/compile'
import { type BoundStatement, type CompiledApi, type Plan, PlanFault, type Steps } from '@cadmus/sql/queries/plan'
import { answerRefused, bytesOf } from '../drivers/answer-size.ts'
import {
  DatabaseError,
  type DatabaseSettings,
  type Driver,
  isSignInError,
  type Queries,
  type SqlResult,
  type SqlStatement,
} from '../drivers/driver.ts'
import { openDriver } from '../drivers/open.ts'
import { AnswerScope, callerLeft, type RequestScope, tooLargeAnswer } from '../request-scope.ts'
import type { SchemaCounts, SchemaOptions } from './alter-tables.ts'
import { OperationError, SchemaError, SignInError } from './errors.ts'
import type { PackageOwner } from './package-table.ts'
import { checkSchema, countSchema, prepareSchema } from './schema.ts'

/** The engine of a package on its database. */
type Engine = {
  readonly api: Api
  /**
   * Throws an `OperationError` if the operation fails, and an `HttpError` if its caller has disconnected or too many
   * large answers are pending; any other error is a defect. `copies`: how often the answer repeats the result.
   */
  run(operation: Operation, caller: Caller, scope?: RequestScope, copies?: number): Promise<OperationResult>
  /** Like `run`, but returns records as JSON, written by the database if possible. */
  write(operation: Operation, caller: Caller, scope?: RequestScope): Promise<WrittenResult>
  /** Throws an `OperationError` if the database does not answer. */
  check(): Promise<void>
  /** Waits for running operations and refuses new ones. */
  close(): Promise<void>
}

/** Tests pass other implementations. */
export type OpenEngine = typeof openEngine

/**
 * Opens an engine. Creates the tables of the package or changes the tables of another version. Throws a `SchemaError`
 * if that fails, an `OperationError` if the database is unavailable.
 */
export async function openEngine(
  model: PackageModel,
  database: DatabaseSettings,
  options: SchemaOptions,
): Promise<Engine> {
  const api = apiOf(model)
  const schema = instanceSchemaOf(model, database.dialect)
  const compiled = compileApi(api, schema, database.dialect)
  const driver = await openDriver(database).catch((error: unknown) => {
    throw toStartError(compiled, error)
  })
  try {
    await prepareSchema(driver, model, schema, options)
  } catch (error) {
    await driver.close()
    throw toStartError(compiled, error)
  }
  const runner = { api, driver, compiled, largeAnswers: new LargeAnswerCache() }
  return {
    api,
    run: (operation, caller, scope, copies) =>
      run(runner, operation, scope, () => compiled.plan(operation, callerOf(caller, scope)), copies),
    write: (operation, caller, scope) =>
      run(runner, operation, scope, max => compiled.written(operation, callerOf(caller, scope), max)),
    check: () =>
      driver.check().catch((error: unknown) => {
        throw toCallerError(compiled, error)
      }),
    close: () => driver.close(),
  }
}

/**
 * The error a start on the existing tables would end with, as far as it can be determined without changing anything.
 * `counts`: null if they were not requested, or are not known before `deadline`.
 */
export async function previewStart(
  model: PackageModel,
  database: DatabaseSettings,
  owner: PackageOwner,
  { counts, deadline }: { counts: boolean; deadline: number },
): Promise<{ error: SchemaError | null; counts: SchemaCounts | null }> {
  if (database.dialect === 'sqlite' && !existsSync(database.file)) return { error: null, counts: null }
  const driver = await openDriver(database)
  try {
    const checked = { driver, model, newSchema: instanceSchemaOf(model, database.dialect), owner }
    const error = await schemaErrorOf(() => checkSchema(checked))
    const isCountable = counts && (error === null || error.isOfRecords)
    return { error, counts: isCountable ? await countSchema(checked, deadline) : null }
  } finally {
    await driver.close()
  }
}

async function schemaErrorOf(check: () => Promise<void>): Promise<SchemaError | null> {
  try {
    await check()
    return null
  } catch (error) {
    if (error instanceof SchemaError) return error
    throw error
  }
}

/** The caller with the one clock of its request. */
function callerOf({ name, tenant }: Caller, scope: RequestScope | undefined): Caller {
  return { name, tenant, ...(scope ? { at: scope.at } : {}) }
}

/** Attempts of an operation that conflicts with others. */
const maxAttempts = 3

type Runner = {
  readonly api: Api
  readonly driver: Driver
  readonly compiled: CompiledApi
  readonly largeAnswers: LargeAnswerCache
}

/** `plan` is called for each attempt; its argument limits the bytes of a changed record. */
async function run<Result>(
  { api, driver, compiled, largeAnswers }: Runner,
  operation: Operation,
  request: RequestScope | undefined,
  plan: (max: number) => Plan<Result>,
  copies = 1,
): Promise<Result> {
  request?.requireCaller()
  const change = changeOf(api, operation)
  const key = change?.key ?? ''
  for (let attempt = 1; ;) {
    const scope =
      request && new AnswerScope(request, change !== null, copies, change !== null && operation.kind !== 'delete')
    try {
      if (!change) return await runSteps(plan(0).steps, driver, scope, largeAnswers)
      if (scope && largeAnswers.has(key)) await scope.slot()
      // Another operation may have read it while this operation waited for a connection.
      const isLate = () => largeAnswers.has(key) && scope?.hasSlot === false
      const result = await runChange(driver, plan, { ...change, isLate }, scope)
      if (request) request.isCommitted = true
      if (largeAnswers.has(key)) largeAnswers.record(key, (scope?.bytes ?? 0) > limits.quickAnswer)
      return result
    } catch (error) {
      scope?.undo()
      const reason = error instanceof DatabaseError ? error.kind : null
      const needsSlot = reason === 'needsSlot' || error instanceof NeedsSlot
      if (needsSlot && scope && !scope.hasSlot) {
        if (key !== '') largeAnswers.record(key, true)
        await scope.slot()
      } else if (reason !== 'contended' || attempt++ === maxAttempts)
        throw toCallerError(compiled, error, operation.entity)
    }
  }
}

/** Thrown before any work if the operation turns out to need a slot. */
class NeedsSlot extends Error {}

/** Runs a change. It is rolled back if its answer turns out to be large and has no slot. */
async function runChange<Result>(
  driver: Driver,
  plan: (max: number) => Plan<Result>,
  { sent, isLate }: Change & { isLate(): boolean },
  scope: AnswerScope | undefined,
): Promise<Result> {
  const refusal = scope?.take(sent) ?? null
  if (refusal !== null) throw answerRefused(refusal)
  scope?.uncount(sent)
  const { writes, steps } = plan(scope?.room ?? limits.databaseAnswer)
  if (writes) {
    return driver.transaction(async connection => {
      if (isLate()) throw new NeedsSlot()
      return runSteps(steps, connection, scope)
    }, scope)
  }
  // The statement commits by itself, so its answer is counted but not refused.
  return runSteps(steps, {
    async query(statement) {
      const result = await driver.query(statement)
      for (const row of result.rows) scope?.count(bytesOf(row))
      return result
    },
  })
}

type Change = {
  /** Identifies the changed record; null for new ones. */
  readonly key: string | null
  /** Bytes of the sent record, which the answer repeats. */
  readonly sent: number
}

function changeOf(api: Api, operation: Operation): Change | null {
  const { kind, entity } = operation
  const keyOf = (values: readonly (WireValue | undefined)[]) => JSON.stringify([entity, ...values])
  switch (kind) {
    case 'insert':
      return { key: null, sent: sizeOf(operation.record) }
    case 'update': {
      const key = api.entities.find(one => one.name === entity)?.key ?? []
      return { key: keyOf(key.map(({ name }) => operation.record[name])), sent: sizeOf(operation.record) }
    }
    case 'delete':
      return { key: keyOf(operation.key), sent: 0 }
    default:
      return null
  }
}

/** An estimate of the bytes in JSON, exact for large records. */
function sizeOf(record: WireRecord): number {
  const characters = charactersOf(record)
  return characters * longestEscape < limits.quickAnswer ? characters : Buffer.byteLength(JSON.stringify(record))
}

/** The longest escape of a character in JSON. */
const longestEscape = 6

function charactersOf(value: WireValue | undefined): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce((sum: number, one: WireValue) => sum + charactersOf(one), 0)
}

const unavailableText = 'The database cannot be reached at the moment. Try again shortly.'

const refusedText =
  'The database refuses the sign-in of the package. Ask its administrator to correct its user or password.'

const fullText = 'The database is full. Existing records can be read.'

/** Converts an error for the user who starts the package. */
function toStartError(compiled: CompiledApi, error: unknown): unknown {
  if (isSignInError(error)) return new SignInError(undefined, { cause: error })
  if (error instanceof DatabaseError && error.kind === 'privilege') return lacksPrivilege(error)
  return toCallerError(compiled, error)
}

function lacksPrivilege({ cause }: DatabaseError): SchemaError {
  return new SchemaError(`The database user lacks a privilege: ${cause instanceof Error ? cause.message : ''}`, {
    cause,
  })
}

/** Converts an error for callers. Returns defects unchanged. `entity`: whose records are changed. */
function toCallerError(compiled: CompiledApi, error: unknown, entity?: string): unknown {
  if (error instanceof PlanFault) return new OperationError(error.fault, { cause: error })
  if (!(error instanceof DatabaseError)) return error
  if (error.kind === 'gone') return callerLeft()
  if (error.kind === 'unavailable' || error.kind === 'contended') {
    return new OperationError({ kind: 'unavailable', message: unavailableText }, { cause: error })
  }
  if (isSignInError(error)) return new OperationError({ kind: 'unavailable', message: refusedText }, { cause: error })
  // `needsSlot` occurs here only if the request has a slot already.
  if (error.kind === 'tooLarge' || error.kind === 'needsSlot')
    return new OperationError({ kind: 'invalid', message: tooLargeAnswer }, { cause: error })
  if (error.kind === 'full') return new OperationError({ kind: 'unavailable', message: fullText }, { cause: error })
  const fault = compiled.faultOf(error.cause, entity)
  return fault ? new OperationError(fault, { cause: error }) : error
}

/** Maximum number of cached keys. */
const maxKeys = 1000

/** Statements and records whose last answer was large: they wait for a slot before they run. */
class LargeAnswerCache {
  readonly #keys = new Set<string>()

  has(key: string): boolean {
    return this.#keys.has(key)
  }

  record(key: string, isLarge: boolean): void {
    if (!isLarge) return void this.#keys.delete(key)
    if (this.#keys.size >= maxKeys) this.#keys.clear()
    this.#keys.add(key)
  }
}

/**
 * Runs the statements of a plan in sequence. `scope` counts the answer. `largeAnswers` is passed for reads only, which
 * may wait between statements.
 */
async function runSteps<Result>(
  steps: Steps<Result>,
  connection: Queries,
  scope?: AnswerScope,
  largeAnswers?: LargeAnswerCache,
): Promise<Result> {
  let step = steps.next([])
  while (!step.done) {
    const statement = step.value
    const { rows, changes } = await (scope && largeAnswers
      ? read(connection, statement, scope, largeAnswers)
      : statement.isInternal
        ? queryInternally(connection, statement, scope)
        : connection.query(statement, scope))
    step = steps.next(statement.answers === 'count' ? [[changes]] : rows)
  }
  return step.value
}

/**
 * Runs a statement whose rows are not part of the answer. Without a slot they count until the change is repeated in one,
 * because many of them take long.
 */
async function queryInternally(
  connection: Queries,
  statement: BoundStatement,
  scope?: AnswerScope,
): Promise<SqlResult> {
  const release = scope?.mark()
  try {
    return await connection.query(statement, scope)
  } catch (error) {
    // Without a slot, the change is repeated in one.
    const isTooLarge = error instanceof DatabaseError && error.kind === 'tooLarge' && scope?.hasSlot !== false
    throw isTooLarge ? new OperationError({ kind: 'invalid', message: tooLargeChange }, { cause: error }) : error
  } finally {
    if (scope?.hasSlot) release?.()
  }
}

const tooLargeChange = `The change cannot be made: a record, or the keys of the related records, exceed ${limits.databaseAnswer / 2 ** 20} MB.`

async function read(connection: Queries, statement: SqlStatement, scope: AnswerScope, largeAnswers: LargeAnswerCache) {
  const key = keyOf(statement)
  scope.isLarge = largeAnswers.has(key)
  if (scope.isLarge) await scope.slot()
  const before = scope.bytes
  try {
    const result = await connection.query(statement, scope)
    const isLarge = scope.bytes - before > limits.quickAnswer
    if (isLarge || scope.isLarge) largeAnswers.record(key, isLarge)
    return result
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'needsSlot') largeAnswers.record(key, true)
    throw error
  }
}

/** Includes parameters, because pages of the same list differ in size. */
function keyOf({ text, parameters }: SqlStatement): string {
  return [text, ...parameters.map(value => String(value).slice(0, 40))].join('\n')
}

/** A running package as protocols see it. */
export type ServedPackage = {
  readonly api: Api
  readonly engine: Engine
  /** The uid of the owner; null in packages of earlier releases. */
  readonly owner: string | null
  /** The organisation part of the package id. */
  readonly organisation: string
}
