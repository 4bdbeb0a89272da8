import type { FixKind } from '../messages/fixes.ts'
import type { FixedProblem, FixState } from './fix-state.ts'

/**
 * A repair of problems of a code. `apply` makes it in the state and returns the name or value that it introduces, '' if there is none to
 * name; undefined if it does not apply.
 */
export type Fix = {
  kind: FixKind
  apply: (problem: FixedProblem, state: FixState) => string | undefined
}
