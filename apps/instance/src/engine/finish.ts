import type { Steps } from '@cadmus/sql/queries/plan'
import { DatabaseError, type Queries, type SqlStatement } from '../drivers/driver.ts'
import { limits } from '@cadmus/model/limits'
import type { RequestScope } from '../request-scope.ts'

/** For whom is read, and the statements whose last answers were large: those wait for a slot before they are sent. */
export type Reading = { readonly scope: RequestScope; readonly large: Set<string> }

/** So many texts are remembered. */
const most = 1000

/** Runs a plan's statements one after the other on a connection. */
export async function finish<Result>(
  steps: Steps<Result>,
  connection: Queries,
  reading: Reading | null = null,
): Promise<Result> {
  let step = steps.next([])
  while (!step.done) {
    const statement = step.value
    const key = reading === null ? '' : keyOf(statement)
    const wasLarge = reading !== null && reading.large.has(key)
    if (wasLarge) await reading.scope.slot()
    const before = reading?.scope.bytes ?? 0
    try {
      const { rows, changes } = await connection.query(statement, reading?.scope)
      if (wasLarge && reading.scope.bytes - before <= limits.quickAnswer) reading.large.delete(key)
      step = steps.next(statement.answers === 'count' ? [[changes]] : rows)
    } catch (error) {
      if (reading && error instanceof DatabaseError && error.kind === 'needsSlot') remember(reading, key)
      throw error
    }
  }
  return step.value
}

/** With its parameters: the first page of a list is small though a later one is large. */
function keyOf({ text, parameters }: SqlStatement): string {
  return [text, ...parameters.map(value => String(value).slice(0, 40))].join('\n')
}

function remember({ large }: Reading, text: string): void {
  if (large.size >= most) large.clear()
  large.add(text)
}
