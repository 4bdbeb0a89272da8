import type * as z from 'zod'
import { type ApiError, invalidInput } from '../errors/api-error.ts'

/** Characters of JSON; of a longer input only the first problem is described. */
const maxDescribed = 32 * 1024
/** The rest of lists and objects is not checked after a problem. */
const untilFirst = { abortEarly: true, reportInput: false }

/**
 * The parsed input of a request, or the refusal with its problems. To describe those of a hundred thousand items would hold the thread for
 * seconds and exceed its stack.
 */
export function checkInput<T>(schema: z.ZodType<T>, data: unknown): { value: T } | { error: ApiError } {
  const first = schema.safeParse(data, untilFirst)
  if (first.success) return { value: first.data }
  if ((JSON.stringify(data) ?? '').length > maxDescribed) return { error: invalidInput(first.error) }
  return { error: invalidInput(schema.safeParse(data).error ?? first.error) }
}
