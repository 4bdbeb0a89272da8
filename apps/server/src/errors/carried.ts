import * as z from 'zod'
import { ApiError } from './api-error.ts'

const carriedSchema = z.object({
  apiError: z.object({
    status: z.number(),
    code: z.string(),
    retryAfter: z.number().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
})

/** Encodes an ApiError for a thread boundary, where an error keeps only its message and cause. */
export function toCarry(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { status, code, retryAfter, errors } = error
  return new Error(error.message, {
    cause: { apiError: { status, code, ...(retryAfter ? { retryAfter } : {}), ...(errors ? { errors } : {}) } },
  })
}

/** Restores an ApiError encoded by `toCarry`; returns other errors unchanged. */
export function carried(error: unknown): unknown {
  const read = error instanceof Error ? carriedSchema.safeParse(error.cause) : undefined
  if (!(error instanceof Error) || read?.success !== true) return error
  const { status, code, retryAfter, errors } = read.data.apiError
  return new ApiError(status, code, error.message, {
    detail: error,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(errors === undefined ? {} : { errors }),
  })
}
