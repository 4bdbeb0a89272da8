import * as z from 'zod'
import { ApiError } from './api-error.ts'

const encodedSchema = z.object({
  apiError: z.object({
    status: z.number(),
    code: z.string(),
    retryAfter: z.number().optional(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  }),
})

/** Encodes an ApiError for a thread boundary, where an error keeps only its message and cause. */
export function encodeError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { status, code, retryAfter, errors } = error
  return new Error(error.message, {
    cause: { apiError: { status, code, ...(retryAfter ? { retryAfter } : {}), ...(errors ? { errors } : {}) } },
  })
}

/** Restores an ApiError encoded by `encodeError`; returns other errors unchanged. */
export function decodeError(error: unknown): unknown {
  const read = error instanceof Error ? encodedSchema.safeParse(error.cause) : undefined
  if (!(error instanceof Error) || read?.success !== true) return error
  const { status, code, retryAfter, errors } = read.data.apiError
  return new ApiError(status, code, error.message, {
    detail: error,
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(errors === undefined ? {} : { errors }),
  })
}
