import { describe, expect, it } from 'vitest'
import { ApiError, unreachable } from '../../api/error.ts'
import { checkState, ownParameters, problemOf, refusedBy } from './login-flow.ts'

it("removes the provider's parameters from an address and keeps its own", () => {
  const provider = { state: 'abc', code: '1', iss: 'https://id.example', session_state: 's', error: 'access_denied' }
  const search = { entity: '12', tab: 'relationships', ...provider, error_description: 'no', error_uri: 'https://x' }
  expect(ownParameters(search)).toEqual({ entity: '12', tab: 'relationships' })
})

describe('the state of a sign-in', () => {
  it('is accepted if this browser issued it', () => {
    expect(checkState('abc', ['abc'])).toBeNull()
    expect(checkState('abc', ['other', 'abc'])).toBeNull()
  })
  it("is required: 401 State Mismatch, 'State not found on the URL parameter'", () => {
    const missing = { code: 401, error: 'State Mismatch', message: 'State not found on the URL parameter' }
    expect(checkState(undefined, ['abc'])).toEqual(missing)
    expect(checkState('', [''])).toEqual(missing)
  })
  it("must be a stored one: 401, 'Could not find state session or incorrect state value'", () => {
    const wrong = {
      code: 401,
      error: 'State Mismatch',
      message: 'Could not find state session or incorrect state value',
    }
    expect(checkState('abc', ['abd'])).toEqual(wrong)
    expect(checkState('abc', [])).toEqual(wrong)
  })
})

describe('a failed sign-in', () => {
  it('is reported as Invalid Request with the message and status of its origin', () => {
    expect(refusedBy('The user said no.')).toEqual({
      code: 400,
      error: 'Invalid Request',
      message: 'The user said no.',
    })
    const away = new ApiError(503, { message: 'The identity provider cannot be reached.', code: 'unavailable' })
    const words = 'The identity provider cannot be reached.'
    expect(problemOf(away)).toEqual({ code: 503, error: 'Invalid Request', message: words })
    expect(problemOf(new ApiError(500, {}))).toEqual({
      code: 500,
      error: 'Invalid Request',
      message: 'Unexpected error',
    })
    expect(problemOf(new TypeError('no'))).toEqual({ code: 400, error: 'Invalid Request', message: 'Unexpected error' })
  })
  it('a failed sign-in is reported as State Mismatch if the server reports it, as after ten minutes at the provider', () => {
    const message = 'Could not find state session or incorrect state value'
    const late = new ApiError(401, { message, code: 'state_mismatch' })
    expect(problemOf(late)).toEqual({ code: 401, error: 'State Mismatch', message })
  })
  it('is not reported while the server is unreachable: the code may still be valid', () => {
    expect(problemOf(unreachable())).toBeNull()
  })
})
