import { schemaWords } from '@cadmus/model/schema-words'
import * as z from 'zod'

// Whoever answers errors answers those of schemas in the product's words.
z.config({ localeError: schemaWords })

/**
 * Why a request is not answered, for its caller: every protocol words it its own way. Holds nothing of the server's inside; what the log
 * needs to know is its cause.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  /** As `WWW-Authenticate` and `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.headers = headers
  }
}

export function invalid(message: string, cause?: unknown): HttpError {
  return new HttpError(400, message, {}, { cause })
}

export function notFound(what = 'This'): HttpError {
  return new HttpError(404, `${what} was not found.`)
}
