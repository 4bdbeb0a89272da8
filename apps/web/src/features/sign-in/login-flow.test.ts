import { describe, expect, it } from 'vitest'
import { checkState } from './login-flow.ts'

describe('the state of a sign-in', () => {
  it('is fine when it is the stored one', () => {
    expect(checkState('abc', 'abc')).toBeNull()
  })
  it("must be there: 401 State Mismatch, 'State not found on the URL parameter'", () => {
    const missing = { code: 401, error: 'State Mismatch', message: 'State not found on the URL parameter' }
    expect(checkState(undefined, 'abc')).toEqual(missing)
    expect(checkState('', '')).toEqual(missing)
  })
  it("must be the stored one: 401, 'Could not find state session or incorrect state value'", () => {
    const wrong = {
      code: 401,
      error: 'State Mismatch',
      message: 'Could not find state session or incorrect state value',
    }
    expect(checkState('abc', 'abd')).toEqual(wrong)
    expect(checkState('abc', null)).toEqual(wrong)
  })
})
