import type { OperationResult } from '@cadmus/model/api/operation'
import type { Plan } from '@cadmus/sql/queries/plan'
import type { Queries } from '../drivers/driver.ts'

/** Runs a plan's statements one after the other on a connection. */
export async function finish(steps: Plan['steps'], connection: Queries): Promise<OperationResult> {
  let step = steps.next([])
  while (!step.done) {
    const { rows, changes } = await connection.query(step.value)
    step = steps.next(step.value.answers === 'count' ? [[changes]] : rows)
  }
  return step.value
}
