import { schemaWords } from '@cadmus/model/schema-words'
import * as z from 'zod'

// Whoever answers errors answers those of schemas in the product's words.
z.config({ localeError: schemaWords })

type More = {
  /** For the log only; never leaves the instance. */
  detail?: unknown
  /** Seconds, sent as Retry-After. */
  retryAfter?: number
  /** What a caller has to show, sent as WWW-Authenticate. */
  challenge?: string
}

/** The one error that reaches a caller with its own words, whichever protocol words it. */
export class HttpError extends Error {
  readonly status: number
  readonly detail: unknown
  readonly retryAfter: number | undefined
  readonly challenge: string | undefined

  constructor(status: number, message: string, more: More = {}) {
    super(message)
    this.name = 'HttpError'
    this.status = status
    this.detail = more.detail
    this.retryAfter = more.retryAfter
    this.challenge = more.challenge
  }
}

export function invalid(message: string, detail?: unknown): HttpError {
  return new HttpError(400, message, { detail })
}

export function notFound(what = 'This'): HttpError {
  return new HttpError(404, `${what} was not found.`)
}

export function tooMany(seconds: number, message = 'Too many requests. Try again in a moment.'): HttpError {
  return new HttpError(429, message, { retryAfter: Math.max(1, Math.ceil(seconds)) })
}
