import type { OperationResult } from '@cadmus/model/api/operation'
import type { BoundStatement, Plan, SqlRows } from '@cadmus/sql/queries/plan'
import type { Queries } from '../drivers/driver.ts'

/** Runs a plan's statements one after the other on a connection. */
export async function finish(steps: Plan['steps'], connection: Queries): Promise<OperationResult> {
  let step = steps.next([])
  while (!step.done) step = steps.next(await answerOf(step.value, connection))
  return step.value
}

async function answerOf(statement: BoundStatement, connection: Queries): Promise<SqlRows> {
  const { rows, changes } = await connection.query(statement)
  return statement.answers === 'count' ? [[changes]] : rows
}
