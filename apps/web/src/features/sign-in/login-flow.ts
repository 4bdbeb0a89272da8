import { messages } from '@cadmus/model/messages'

export type SignInProblem = { code: number; error: string; message: string }

/** The state of the address must be there and be the stored one. */
export function checkState(state: string | undefined, stored: string | null): SignInProblem | null {
  const { stateMismatch: error, stateMissing, stateWrong } = messages.session
  if (!state) return { code: 401, error, message: stateMissing }
  return state === stored ? null : { code: 401, error, message: stateWrong }
}
