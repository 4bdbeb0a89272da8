import type { ErrorAnswer } from '@cadmus/model/contract/shared'
import type * as z from 'zod'

export type FieldError = { path: string; message: string }
export type Conflict = NonNullable<ErrorAnswer['conflicts']>[number]

type More = {
  errors?: FieldError[]
  conflicts?: Conflict[]
  /** For the log only; never leaves the server. */
  detail?: unknown
  /** Seconds, sent as Retry-After. */
  retryAfter?: number
}

/** The one error that reaches a caller with its own words. `code` is stable and for programs, `message` is for people. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly errors: FieldError[] | undefined
  readonly conflicts: Conflict[] | undefined
  readonly detail: unknown
  readonly retryAfter: number | undefined

  constructor(status: number, code: string, message: string, more: More = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.errors = more.errors
    this.conflicts = more.conflicts
    this.detail = more.detail
    this.retryAfter = more.retryAfter
  }
}

/** 400 for one field, or for several. */
export function invalid(message: string, errors: FieldError[] = []): ApiError {
  return new ApiError(400, 'invalid', message, errors.length > 0 ? { errors } : {})
}

export function unauthenticated(message = 'Sign in to go on.', detail?: unknown): ApiError {
  return new ApiError(401, 'unauthenticated', message, { detail })
}

export function forbidden(message: string, code = 'forbidden'): ApiError {
  return new ApiError(403, code, message)
}

/** Also for what belongs to somebody else: the answer must not tell the two apart. */
export function notFound(what = 'This', detail?: unknown): ApiError {
  return new ApiError(404, 'not_found', `${what} was not found.`, { detail })
}

export function conflict(message: string, conflicts: Conflict[] = []): ApiError {
  return new ApiError(409, 'conflict', message, conflicts.length > 0 ? { conflicts } : {})
}

export function unavailable(message: string, detail?: unknown): ApiError {
  return new ApiError(503, 'unavailable', message, { detail, retryAfter: 5 })
}

/** The status of each code that comes from the framework or a parser, with our words instead of its own. */
const knownStatuses: Record<number, { code: string; message: string }> = {
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
  /** Whether the server is at fault, so that the log shows the error whole. */
  unexpected: boolean
}

/** Turns anything thrown into what leaves the server: no stack, no SQL, no path. `id` is the request's, which the log carries too. */
export function writeError(error: unknown, id: string): WrittenError {
  if (error instanceof ApiError) {
    const body: ErrorAnswer = { message: error.message, code: error.code }
    if (error.errors !== undefined) body.errors = error.errors
    if (error.conflicts !== undefined) body.conflicts = error.conflicts
    if (error.status >= 500) body.id = id
    return { status: error.status, body, retryAfter: error.retryAfter, unexpected: error.status >= 500 }
  }
  const known = knownStatuses[statusOf(error)]
  if (known !== undefined) {
    return { status: statusOf(error), body: { ...known }, retryAfter: undefined, unexpected: false }
  }
  return {
    status: 500,
    body: { message: 'Something went wrong on the server.', code: 'internal', id },
    retryAfter: undefined,
    unexpected: true,
  }
}

/** What the log says of an error. Never all of it: errors of libraries carry requests, parameters and whole files with them. */
export function forLog(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 1000) }
  const { name, message, stack, cause } = error
  const detail = error instanceof ApiError ? error.detail : undefined
  const code = 'code' in error ? String(error.code) : undefined
  const because = detail ?? cause
  return {
    name,
    code,
    message: message.slice(0, 4000),
    stack,
    ...(because === undefined || depth > 3 ? {} : { because: forLog(because, depth + 1) }),
  }
}

/** 400 from a schema's findings: each with the path of the field it is about, as `entities.0.name`. */
export function invalidInput(error: z.core.$ZodError): ApiError {
  const errors = error.issues.map(issue => ({ path: issue.path.join('.'), message: issue.message }))
  const [first] = errors
  // The schema library's own words need the place to be understood; a sentence of the specification is answered as it stands.
  const isBare = first !== undefined && first.path !== '' && /^(Invalid|Too|Unrecognized) /.test(first.message)
  const place = isBare ? `${first.path}: ` : ''
  return invalid(`${place}${first?.message ?? 'The request is not valid.'}`, errors)
}

// Only errors of the framework (FST_…) and its parsers say their own status; a status on any other error is a coincidence.
function statusOf(error: unknown): number {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return 500
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // A path that no file can have, too long or climbing: for the caller there is nothing there.
  if (code === 'FST_STATIC_FORBIDDEN_PATH') return 404
  const framework = code.startsWith('FST_') || code.startsWith('ERR_BAD_URL') || error instanceof SyntaxError
  return framework ? error.statusCode : 500
}
