import { expect, it } from 'vitest'
import { storeUnavailable } from '../store/failures.ts'
import { unavailable } from '../errors/api-error.ts'
import { writeError } from './errors.ts'

const isLogged = (error: unknown) => writeError(error, 'request').unexpected

it('logs a failure with its cause, but no full queue and no absent database for each request', () => {
  expect(isLogged(new Error('A defect'))).toBe(true)
  expect(isLogged(unavailable('The provider cannot be reached.', new Error('ECONNREFUSED')))).toBe(true)
  expect(isLogged(unavailable('Too many exports are waiting.'))).toBe(false)
  expect(isLogged(storeUnavailable(new Error('ECONNREFUSED')))).toBe(false)
})
