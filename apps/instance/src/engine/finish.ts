import type { Steps } from '@cadmus/sql/queries/plan'
import type { Queries } from '../drivers/driver.ts'

/** Runs a plan's statements one after the other on a connection. */
export async function finish<Result>(steps: Steps<Result>, connection: Queries): Promise<Result> {
  let step = steps.next([])
  while (!step.done) {
    const { rows, changes } = await connection.query(step.value)
    step = steps.next(step.value.answers === 'count' ? [[changes]] : rows)
  }
  return step.value
}
