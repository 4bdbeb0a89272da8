import { limits } from '@cadmus/model/limits'
import type { BoundStatement, Steps } from '@cadmus/sql/queries/plan'
import { DatabaseError, type Queries, type SqlResult, type SqlStatement } from '../drivers/driver.ts'
import type { AnswerScope } from '../request-scope.ts'
import { OperationError } from './errors.ts'

/** Maximum number of cached keys. */
const maxKeys = 1000

/** Statements and records whose last answer was large: they wait for a slot before they run. */
export class LargeAnswerCache {
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
export async function runSteps<Result>(
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
