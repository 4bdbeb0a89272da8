import { limits } from '@cadmus/model/limits'
import type { Steps } from '@cadmus/sql/queries/plan'
import { DatabaseError, type Queries, type SqlStatement } from '../drivers/driver.ts'
import type { AnswerScope } from '../request-scope.ts'

/** So many are remembered. */
const most = 1000

/** What had a large answer when it was asked last: it waits for a slot before it is asked. */
export class LargeMemory {
  readonly #keys = new Set<string>()

  has(key: string): boolean {
    return this.#keys.has(key)
  }

  remember(key: string, isLarge: boolean): void {
    if (!isLarge) return void this.#keys.delete(key)
    if (this.#keys.size >= most) this.#keys.clear()
    this.#keys.add(key)
  }
}

/**
 * Runs a plan's statements one after the other on a connection. `scope`: of whoever is answered what they read. `memory`: of reads, which
 * alone may wait in between.
 */
export async function finish<Result>(
  steps: Steps<Result>,
  connection: Queries,
  scope?: AnswerScope,
  memory?: LargeMemory,
): Promise<Result> {
  let step = steps.next([])
  while (!step.done) {
    const statement = step.value
    const { rows, changes } = await (scope && memory
      ? read(connection, statement, scope, memory)
      : connection.query(statement, scope))
    step = steps.next(statement.answers === 'count' ? [[changes]] : rows)
  }
  return step.value
}

async function read(connection: Queries, statement: SqlStatement, scope: AnswerScope, memory: LargeMemory) {
  const key = keyOf(statement)
  scope.isLarge = memory.has(key)
  if (scope.isLarge) await scope.slot()
  const before = scope.bytes
  try {
    const result = await connection.query(statement, scope)
    const isLarge = scope.bytes - before > limits.quickAnswer
    if (isLarge || scope.isLarge) memory.remember(key, isLarge)
    return result
  } catch (error) {
    if (error instanceof DatabaseError && error.kind === 'needsSlot') memory.remember(key, true)
    throw error
  }
}

/** With its parameters: the first page of a list is small though a later one is large. */
function keyOf({ text, parameters }: SqlStatement): string {
  return [text, ...parameters.map(value => String(value).slice(0, 40))].join('\n')
}
