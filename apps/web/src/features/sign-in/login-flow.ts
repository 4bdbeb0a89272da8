import { messages } from '@cadmus/model/messages'
import { ApiError, messageOf } from '../../api/error.ts'

export type SignInProblem = { code: number; error: string; message: string }

/** The state of the address must be there and be one that this browser left with. */
export function checkState(state: string | undefined, stored: readonly string[]): SignInProblem | null {
  const { stateMismatch: error, stateMissing, stateWrong } = messages.session
  if (!state) return { code: 401, error, message: stateMissing }
  return stored.includes(state) ? null : { code: 401, error, message: stateWrong }
}

/** What the provider refused, in its own words. */
export function refusedBy(message: string): SignInProblem {
  return { code: 400, error: messages.session.invalidRequest, message }
}

/** What the server says of a sign-in that failed; null where it was not reached, and the code may still be good. */
export function problemOf(failure: unknown): SignInProblem | null {
  const message = messageOf(failure, messages.failed.unexpected)
  if (!(failure instanceof ApiError)) return refusedBy(message)
  if (failure.status === 0) return null
  const { stateMismatch, invalidRequest } = messages.session
  return { code: failure.status, error: failure.code === 'state_mismatch' ? stateMismatch : invalidRequest, message }
}
