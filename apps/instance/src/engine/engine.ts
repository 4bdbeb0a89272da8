import type { Api } from '@cadmus/model/api/api'
import type { Caller, Operation, OperationResult, WrittenResult } from '@cadmus/model/api/operation'
import type { PackageModel } from '@cadmus/model/api/package-model'
import { apiOf } from '@cadmus/sql/api-of'
import { instanceSchemaOf } from '@cadmus/sql/instance-schema'
import { compileApi } from '@cadmus/sql/queries/compile'
import { type CompiledApi, type Plan, PlanFault } from '@cadmus/sql/queries/plan'
import { existsSync } from 'node:fs'
import { DatabaseError, type Driver } from '../drivers/driver.ts'
import { openDriver } from '../drivers/open.ts'
import type { DatabaseSettings } from '../drivers/settings.ts'
import { gone, type RequestScope, tooLargeAnswer } from '../request-scope.ts'
import type { SchemaWishes } from './alter-tables.ts'
import { OperationError, SchemaError } from './errors.ts'
import { finish } from './finish.ts'
import type { PackageOwner } from './package-owner.ts'
import { checkSchema, makeSchema } from './schema.ts'

/** A package over its database. */
export type Engine = {
  readonly api: Api
  /**
   * Throws an `OperationError` where the operation was not made, and an `HttpError` where its caller is gone or too many want large answers; any
   * other error is a defect of ours.
   */
  run(operation: Operation, caller: Caller, scope?: RequestScope): Promise<OperationResult>
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
    throw told(compiled, error)
  })
  try {
    await makeSchema(driver, model, schema, wishes)
  } catch (error) {
    await driver.close()
    throw told(compiled, error)
  }
  const large = new Set<string>()
  const runner = { driver, compiled, large }
  return {
    api,
    run: (operation, caller, scope) => run(runner, operation.kind, () => compiled.plan(operation, caller), scope),
    write: (operation, caller, scope) => run(runner, operation.kind, () => compiled.written(operation, caller), scope),
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

/** `large`: the statements whose last answers were large, which wait for a slot before they are sent. */
type Runner = { readonly driver: Driver; readonly compiled: CompiledApi; readonly large: Set<string> }

const changes: ReadonlySet<Operation['kind']> = new Set(['insert', 'update', 'delete'])

/** `plan`: makes one for each attempt. A change that is begun ends, whether its caller is there or not. */
async function run<Result>(
  { driver, compiled, large }: Runner,
  kind: Operation['kind'],
  plan: () => Plan<Result>,
  scope: RequestScope | undefined,
): Promise<Result> {
  scope?.requireCaller()
  const isChange = changes.has(kind)
  if (isChange && scope) scope.isChange = true
  const reading = isChange || scope === undefined ? null : { scope, large }
  for (let attempt = 1; ;) {
    try {
      const { writes, steps } = plan()
      return writes
        ? await driver.transaction(connection => finish(steps, connection))
        : await finish(steps, driver, reading)
    } catch (error) {
      const reason = error instanceof DatabaseError ? error.kind : null
      if (reason === 'needsSlot' && scope) await scope.slot()
      else if (reason !== 'contended' || attempt++ === attempts) throw told(compiled, error)
    }
  }
}

const away = 'The database cannot be reached at the moment. Try again shortly.'

const full = 'The database has no room left. What is there can be read.'

/** What a caller may hear of an error; a defect of ours stays what it is. */
function told(compiled: CompiledApi, error: unknown): unknown {
  if (error instanceof PlanFault) return new OperationError(error.fault, { cause: error })
  if (!(error instanceof DatabaseError)) return error
  if (error.kind === 'gone') return gone()
  if (error.kind === 'unavailable' || error.kind === 'contended') {
    return new OperationError({ kind: 'unavailable', message: away }, { cause: error })
  }
  if (error.kind === 'tooLarge')
    return new OperationError({ kind: 'invalid', message: tooLargeAnswer }, { cause: error })
  if (error.kind === 'full') return new OperationError({ kind: 'unavailable', message: full }, { cause: error })
  const fault = compiled.faultOf(error.cause)
  return fault ? new OperationError(fault, { cause: error }) : error
}
