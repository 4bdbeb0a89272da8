import { limits } from '@cadmus/model/limits'
import { needsPlace } from '@cadmus/model/schema-words'
import * as z from 'zod'
import { invalid } from '../http-error.ts'

/** Parses input with a schema. Throws 400 with the first problem. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const message = issue?.message ?? 'The request is not valid.'
  const place =
    issue === undefined || issue.path.length === 0 || !needsPlace(message) ? '' : `${issue.path.join('.')}: `
  throw invalid(`${place}${message}`)
}

export const sizeQuery = z.object({
  size: z.coerce.number().int().min(1).max(limits.listLimit.max).default(limits.listLimit.default),
})

export const nameParams = z.object({ name: z.string().max(200) })
