import * as z from 'zod'
import { RateLimit } from '@cadmus/model/rate-limit'
import { schemaWords } from '@cadmus/model/schema-words'

// Messages of schema errors in the product's wording.
z.config({ localeError: schemaWords })

/**
 * A refused request, for its caller; each protocol formats it. The message reveals no internals; `cause` is for the
 * log.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  /** For example `WWW-Authenticate` and `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>
  /** Fields of a record that it is about. */
  readonly fields: readonly string[] | undefined

  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    { fields, ...options }: ErrorOptions & { fields?: readonly string[] | undefined } = {},
  ) {
    super(message, options)
    this.fields = fields
    this.status = status
    this.headers = headers
  }
}

export function invalid(message: string, cause?: unknown): HttpError {
  return new HttpError(400, message, {}, { cause })
}

export function notFound(subject = 'This'): HttpError {
  return new HttpError(404, `${subject} was not found.`)
}

export function rateLimit(perSecond: number, burst: number, now: () => number): RateLimit {
  const refusal = (seconds: number) =>
    new HttpError(429, 'Too many requests. Try again in a moment.', { 'retry-after': String(seconds) })
  return new RateLimit({ perSecond, burst, now, refusal })
}
