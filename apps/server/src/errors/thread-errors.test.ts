import { expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { decodeError, encodeError } from './thread-errors.ts'

it('an ApiError of a thread is restored outside of it', () => {
  const errors = [{ path: 'a.b', message: 'No.' }]
  const reported = new ApiError(503, 'store_away', 'Away.', { retryAfter: 2, errors, detail: 'select secret' })
  const arrived = decodeError(structuredClone(encodeError(reported)))
  expect(arrived).toBeInstanceOf(ApiError)
  expect(arrived).toMatchObject({ status: 503, code: 'store_away', message: 'Away.', retryAfter: 2, errors })
})

it('other errors of a thread are unchanged', () => {
  const error = new Error('x', { cause: { apiError: 'no' } })
  expect(encodeError(error)).toBe(error)
  expect(decodeError(error)).toBe(error)
})
