import type { Problem } from '@cadmus/model/problem'
import { refuseErrors } from './problems.ts'

/** Returns the result of an export; throws 400 with all problems if there is none. */
export function requireExport<T extends object>(result: T | { problems: Problem[] }): T {
  if (!('problems' in result)) return result
  refuseErrors(result.problems)
  throw new Error('An export returned neither a result nor an error.')
}
