import type { ErrorAnswer } from '@cadmus/model/contract/shared'
import { ApiError, storageFull } from '../errors/api-error.ts'
import { writeEtag } from './headers.ts'

/** Framework and parser errors by status, with our own messages. */
const frameworkErrors: Record<number, { code: string; message: string }> = {
  400: { code: 'malformed', message: 'The request is malformed.' },
  404: { code: 'not_found', message: 'This was not found.' },
  405: { code: 'not_found', message: 'This was not found.' },
  413: { code: 'too_large', message: 'The request is too large.' },
  414: { code: 'too_long', message: 'The address is too long.' },
  415: { code: 'unsupported_media_type', message: 'The content type of the request is not supported.' },
}

export type WrittenError = {
  status: number
  body: ErrorAnswer
  retryAfter: number | undefined
  /** Whether to log the full error. An unavailable database is logged once elsewhere; a full queue is no fault. */
  unexpected: boolean
}

/** Maximum length of a message, in characters. */
const maxMessageLength = 2000

/**
 * Converts any thrown value into the answer, without stack, SQL or paths. `id` is the request id, which the log carries
 * too.
 */
export function writeError(thrown: unknown, id: string): WrittenError {
  const error = isOutOfSpace(thrown) ? storageFull(thrown) : thrown
  if (error instanceof ApiError) {
    const body: ErrorAnswer = { message: truncate(error.message), code: error.code }
    if (error.errors !== undefined)
      body.errors = error.errors.map(({ path, message }) => ({ path: truncate(path), message: truncate(message) }))
    if (error.conflicts !== undefined) body.conflicts = error.conflicts
    if (error.etag !== undefined) body.etag = writeEtag(error.etag)
    if (error.references !== undefined) body.references = error.references
    if (error.problems !== undefined) body.problems = error.problems
    if (error.schema !== undefined) body.schema = error.schema
    if (error.made !== undefined) body.made = error.made
    if (error.roots !== undefined) body.roots = [...error.roots]
    if (error.document !== undefined) body.document = error.document
    if (error.status >= 500) body.id = id
    return {
      status: error.status,
      body,
      retryAfter: error.retryAfter,
      // Without a cause, the server is only at a bound of its own.
      unexpected:
        error.status >= 500 && error.code !== 'store_away' && !(error.status === 503 && error.detail === undefined),
    }
  }
  const frameworkError = frameworkErrors[statusOf(error)]
  if (frameworkError !== undefined) {
    return { status: statusOf(error), body: { ...frameworkError }, retryAfter: undefined, unexpected: false }
  }
  return {
    status: 500,
    body: { message: 'An internal server error occurred.', code: 'internal', id },
    retryAfter: undefined,
    unexpected: true,
  }
}

/** A message may quote input of several megabytes. */
function truncate(text: string): string {
  return text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength)}…`.toWellFormed()
}

/** Selects the fields to log: errors of libraries carry requests, parameters and whole files. */
export function logFields(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 1000) }
  const { name, message, stack, cause } = error
  const detail = error instanceof ApiError ? error.detail : undefined
  const code = 'code' in error ? String(error.code) : undefined
  const reason = detail ?? cause
  return {
    name,
    code,
    message: message.slice(0, 4000),
    stack,
    ...(reason === undefined || depth > 3 ? {} : { because: logFields(reason, depth + 1) }),
  }
}

/** Covers a full disk, an exceeded quota and a file size limit. */
function isOutOfSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(String(error.code))
}

/** Only errors of the framework (FST_…) and its parsers carry a meaningful status. */
function statusOf(error: unknown): number {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return 500
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // Paths that are too long or escape the root exist for no caller.
  if (code === 'FST_STATIC_FORBIDDEN_PATH') return 404
  const framework = code.startsWith('FST_') || code.startsWith('ERR_BAD_URL') || error instanceof SyntaxError
  return framework ? error.statusCode : 500
}
