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
import { type CompiledApi, type Plan, PlanFault } from '@cadmus/sql/queries/plan'
import { existsSync } from 'node:fs'
import { DatabaseError, type Driver } from '../drivers/driver.ts'
import { bytesOf, notTaken } from '../drivers/intake.ts'
import { openDriver } from '../drivers/open.ts'
import type { DatabaseSettings } from '../drivers/settings.ts'
import { AnswerScope, gone, type RequestScope, tooLargeAnswer } from '../request-scope.ts'
import type { SchemaWishes } from './alter-tables.ts'
import { OperationError, SchemaError, SignInError } from './errors.ts'
import { finish, LargeMemory } from './finish.ts'
import type { PackageOwner } from './package-owner.ts'
import { checkSchema, makeSchema } from './schema.ts'

/** A package over its database. */
export type Engine = {
  readonly api: Api
  /**
   * Throws an `OperationError` where the operation was not made, and an `HttpError` where its caller is gone or too many want large answers; any
   * other error is a defect of ours. `copies`: how often the answer holds what is read.
   */
  run(operation: Operation, caller: Caller, scope?: RequestScope, copies?: number): Promise<OperationResult>
  /** The same with records as JSON, which the database writes where it can. */
  write(operation: Operation, caller: Caller, scope?: RequestScope): Promise<WrittenResult>
  /** Whether the database answers. Throws an `OperationError` where it does not. */
  check(): Promise<void>
  /** What is under way ends; nothing is begun anymore. */
  close(): Promise<void>
}

/** How an instance opens its engines; tests hand in others. */
export type OpenEngine = typeof openEngine

/**
 * Makes the package's tables where there are none, and of those of another version its own. Throws a `SchemaError` where they cannot be, an
 * `OperationError` without a database.
 */
export async function openEngine(
  model: PackageModel,
  database: DatabaseSettings,
  wishes: SchemaWishes,
): Promise<Engine> {
  const api = apiOf(model)
  const schema = instanceSchemaOf(model, database.dialect)
  const compiled = compileApi(api, schema, database.dialect)
  const driver = await openDriver(database).catch((error: unknown) => {
    throw opening(compiled, error)
  })
  try {
    await makeSchema(driver, model, schema, wishes)
  } catch (error) {
    await driver.close()
    throw opening(compiled, error)
  }
  const runner = { api, driver, compiled, memory: new LargeMemory() }
  return {
    api,
    run: (operation, caller, scope, copies) =>
      run(runner, operation, scope, () => compiled.plan(operation, caller), copies),
    write: (operation, caller, scope) =>
      run(runner, operation, scope, most => compiled.written(operation, caller, most)),
    check: () =>
      driver.check().catch((error: unknown) => {
        throw told(compiled, error)
      }),
    close: () => driver.close(),
  }
}

/** What would keep the package from being opened on the tables as they are, as far as that can be told; nothing is changed or made. */
export async function foreseen(
  model: PackageModel,
  database: DatabaseSettings,
  owner: PackageOwner,
): Promise<SchemaError | null> {
  if (database.dialect === 'sqlite' && !existsSync(database.file)) return null
  const driver = await openDriver(database)
  try {
    await checkSchema(driver, model, instanceSchemaOf(model, database.dialect), owner)
    return null
  } catch (error) {
    if (error instanceof SchemaError) return error
    throw error
  } finally {
    await driver.close()
  }
}

/** So often an operation is made that others are in the way of. */
const attempts = 3

type Runner = {
  readonly api: Api
  readonly driver: Driver
  readonly compiled: CompiledApi
  readonly memory: LargeMemory
}

/** `plan`: makes one for each attempt, of a changed record of at most so many bytes. */
async function run<Result>(
  { api, driver, compiled, memory }: Runner,
  operation: Operation,
  request: RequestScope | undefined,
  plan: (most: number) => Plan<Result>,
  copies = 1,
): Promise<Result> {
  request?.requireCaller()
  const change = changeOf(api, operation)
  if (change && request) request.isChange = true
  const key = change?.key ?? ''
  for (let attempt = 1; ;) {
    const scope = request && new AnswerScope(request, change !== null, copies)
    try {
      if (!change) return await finish(plan(0).steps, driver, scope, memory)
      if (scope && memory.has(key)) await scope.slot()
      // Others may have found out while it waited for a connection.
      const isLate = () => memory.has(key) && scope?.hasSlot === false
      const result = await changed(driver, plan, { ...change, isLate }, scope)
      if (memory.has(key)) memory.remember(key, (scope?.bytes ?? 0) > limits.quickAnswer)
      return result
    } catch (error) {
      scope?.undo()
      const reason = error instanceof DatabaseError ? error.kind : null
      const needsSlot = reason === 'needsSlot' || error instanceof KnownLarge
      if (needsSlot && scope && !scope.hasSlot) {
        if (key !== '') memory.remember(key, true)
        await scope.slot()
      } else if (reason !== 'contended' || attempt++ === attempts) throw told(compiled, error)
    }
  }
}

/** Nothing is done yet. */
class KnownLarge extends Error {}

/** Where the answer may be large nothing is changed before there is a slot for it: what was changed by then is taken back. */
async function changed<Result>(
  driver: Driver,
  plan: (most: number) => Plan<Result>,
  { sent, isLate }: Change & { isLate(): boolean },
  scope: AnswerScope | undefined,
): Promise<Result> {
  const refusal = scope?.take(sent) ?? null
  if (refusal !== null) throw notTaken(refusal)
  scope?.giveBack(sent)
  const { writes, steps } = plan(scope?.room ?? limits.databaseAnswer)
  if (writes) {
    return driver.transaction(async connection => {
      if (isLate()) throw new KnownLarge()
      return finish(steps, connection, scope)
    }, scope)
  }
  // It is committed as it is answered: that is counted, and no longer refused.
  return finish(steps, {
    async query(statement) {
      const result = await driver.query(statement)
      for (const row of result.rows) scope?.count(bytesOf(row))
      return result
    },
  })
}

type Change = {
  /** Which record is changed. */
  readonly key: string | null
  /** Bytes that are sent of it, and come back. */
  readonly sent: number
}

function changeOf(api: Api, operation: Operation): Change | null {
  const { kind, entity } = operation
  const keyOf = (value: WireValue | undefined) => JSON.stringify([entity, value])
  switch (kind) {
    case 'insert':
      return { key: null, sent: sizeOf(operation.record) }
    case 'update': {
      const name = api.entities.find(one => one.name === entity)?.key?.name ?? ''
      return { key: keyOf(operation.record[name]), sent: sizeOf(operation.record) }
    }
    case 'delete':
      return { key: keyOf(operation.key), sent: 0 }
    default:
      return null
  }
}

/** About as many bytes as it has in JSON, and exactly as many where they may be much. */
function sizeOf(record: WireRecord): number {
  const characters = charactersOf(record)
  return characters * longestEscape < limits.quickAnswer ? characters : Buffer.byteLength(JSON.stringify(record))
}

/** Of a character in JSON. */
const longestEscape = 6

function charactersOf(value: WireValue | undefined): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce((sum: number, one: WireValue) => sum + charactersOf(one), 0)
}

const away = 'The database cannot be reached at the moment. Try again shortly.'

const full = 'The database has no room left. What is there can be read.'

/** What whoever starts a package may hear of an error. */
function opening(compiled: CompiledApi, error: unknown): unknown {
  const isRefused = error instanceof DatabaseError && error.kind === 'refused'
  return isRefused ? new SignInError({ cause: error }) : told(compiled, error)
}

/** What a caller may hear of an error; a defect of ours stays what it is. */
function told(compiled: CompiledApi, error: unknown): unknown {
  if (error instanceof PlanFault) return new OperationError(error.fault, { cause: error })
  if (!(error instanceof DatabaseError)) return error
  if (error.kind === 'gone') return gone()
  if (error.kind === 'unavailable' || error.kind === 'contended' || error.kind === 'refused') {
    return new OperationError({ kind: 'unavailable', message: away }, { cause: error })
  }
  // In a slot.
  if (error.kind === 'tooLarge' || error.kind === 'needsSlot')
    return new OperationError({ kind: 'invalid', message: tooLargeAnswer }, { cause: error })
  if (error.kind === 'full') return new OperationError({ kind: 'unavailable', message: full }, { cause: error })
  const fault = compiled.faultOf(error.cause)
  return fault ? new OperationError(fault, { cause: error }) : error
}
