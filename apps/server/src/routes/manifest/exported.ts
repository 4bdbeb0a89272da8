import type { Problem } from '@cadmus/model/problem'
import { refuseErrors } from './problems.ts'

/** What an export made; 400 with all problems where it made nothing. */
export function exported<T extends object>(made: T | { problems: Problem[] }): T {
  if (!('problems' in made)) return made
  refuseErrors(made.problems)
  throw new Error('An export gave neither a script nor an error.')
}
