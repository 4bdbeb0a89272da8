import { firstTexts } from '@cadmus/model/messages/first-load'
import { ApiError, messageOf } from '../../api/error.ts'

/** Parameters of the provider's redirects. No page but those of the sign-in reads them. */
const providerParameters: ReadonlySet<string> = new Set([
  'state',
  'code',
  'iss',
  'session_state',
  'error',
  'error_description',
  'error_uri',
])

export type SignInProblem = { code: number; error: string; message: string }

/** The parameters of an address that are not the provider's. */
export function ownParameters(search: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !providerParameters.has(name)))
}

/** The state must be present and issued to this browser. */
export function checkState(state: string | undefined, stored: readonly string[]): SignInProblem | null {
  const { stateMismatch: error, stateMissing, stateWrong } = firstTexts.session
  if (!state) return { code: 401, error, message: stateMissing }
  return stored.includes(state) ? null : { code: 401, error, message: stateWrong }
}

export function refusedBy(message: string): SignInProblem {
  return { code: 400, error: firstTexts.session.invalidRequest, message }
}

/** The server's reason for a failed sign-in; null if it was unreachable, so that the code may still be valid. */
export function problemOf(failure: unknown): SignInProblem | null {
  const message = messageOf(failure, firstTexts.failed.unexpected)
  if (!(failure instanceof ApiError)) return refusedBy(message)
  if (failure.status === 0) return null
  const { stateMismatch, invalidRequest } = firstTexts.session
  return { code: failure.status, error: failure.code === 'state_mismatch' ? stateMismatch : invalidRequest, message }
}
