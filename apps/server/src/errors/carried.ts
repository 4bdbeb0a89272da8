import * as z from 'zod'
import { ApiError } from './api-error.ts'

const carriedSchema = z.object({
  apiError: z.object({ status: z.number(), code: z.string(), retryAfter: z.number().optional() }),
})

/** An error as it can leave a thread: of an error only words and cause arrive at the other side. */
export function toCarry(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { status, code, retryAfter } = error
  return new Error(error.message, { cause: { apiError: { status, code, ...(retryAfter ? { retryAfter } : {}) } } })
}

/** What `toCarry` made, as it was before. */
export function carried(error: unknown): unknown {
  const read = error instanceof Error ? carriedSchema.safeParse(error.cause) : undefined
  if (!(error instanceof Error) || read?.success !== true) return error
  const { status, code, retryAfter } = read.data.apiError
  return new ApiError(status, code, error.message, {
    detail: error,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
}
