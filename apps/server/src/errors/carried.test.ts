import { expect, it } from 'vitest'
import { ApiError } from './api-error.ts'
import { carried, toCarry } from './carried.ts'

it('an ApiError of a thread is restored outside of it', () => {
  const errors = [{ path: 'a.b', message: 'No.' }]
  const said = new ApiError(503, 'store_away', 'Away.', { retryAfter: 2, errors, detail: 'select secret' })
  const arrived = carried(structuredClone(toCarry(said)))
  expect(arrived).toBeInstanceOf(ApiError)
  expect(arrived).toMatchObject({ status: 503, code: 'store_away', message: 'Away.', retryAfter: 2, errors })
})

it('other errors of a thread stay unchanged', () => {
  const error = new Error('x', { cause: { apiError: 'no' } })
  expect(toCarry(error)).toBe(error)
  expect(carried(error)).toBe(error)
})
