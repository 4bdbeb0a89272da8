import type { ErrorAnswer, ReferenceItem } from '@cadmus/model/contract/shared'
import { needsPlace, schemaWords } from '@cadmus/model/schema-words'
import * as z from 'zod'

// Installed here so that every module that reports errors also has the schema messages.
z.config({ localeError: schemaWords })

export type FieldError = { path: string; message: string }
export type ProblemItem = NonNullable<ErrorAnswer['problems']>[number]
export type SchemaSteps = NonNullable<ErrorAnswer['schema']>
type CreatedObject = NonNullable<ErrorAnswer['made']>
export type Conflict = NonNullable<ErrorAnswer['conflicts']>[number]

type ErrorDetails = {
  errors?: FieldError[]
  conflicts?: Conflict[]
  /** The tag of the state that the conflicts refer to. */
  etag?: string
  references?: ReferenceItem[]
  problems?: ProblemItem[]
  schema?: SchemaSteps
  made?: CreatedObject
  roots?: readonly string[]
  /** For the log only; never sent to the caller. */
  detail?: unknown
  /** Seconds, sent as Retry-After. */
  retryAfter?: number
}

/** The only error whose message reaches a caller. `code` is stable and for programs, `message` is for people. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  errors: FieldError[] | undefined
  readonly conflicts: Conflict[] | undefined
  readonly etag: string | undefined
  readonly references: ReferenceItem[] | undefined
  readonly problems: ProblemItem[] | undefined
  readonly schema: SchemaSteps | undefined
  readonly made: CreatedObject | undefined
  readonly roots: readonly string[] | undefined
  readonly detail: unknown
  readonly retryAfter: number | undefined
  /** The document that the error is about, if the request has several. */
  document: ErrorAnswer['document']

  constructor(status: number, code: string, message: string, details: ErrorDetails = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.errors = details.errors
    this.conflicts = details.conflicts
    this.etag = details.etag
    this.references = details.references
    this.problems = details.problems
    this.schema = details.schema
    this.made = details.made
    this.roots = details.roots
    this.detail = details.detail
    this.retryAfter = details.retryAfter
  }
}

/** 400 for one or several fields. */
export function invalid(message: string, errors: FieldError[] = []): ApiError {
  return new ApiError(400, 'invalid', message, errors.length > 0 ? { errors } : {})
}

/** 400 for a file with several root manifests; the caller has to choose one. */
export function severalRoots(message: string, roots: readonly string[]): ApiError {
  return new ApiError(400, 'several_roots', message, { errors: [{ path: 'manifestFile', message }], roots })
}

/** Throws 400 with the first error as the message, unless the list is empty. */
export function refuseFields(errors: FieldError[]): void {
  if (errors[0] !== undefined) throw invalid(errors[0].message, errors)
}

export function unauthenticated(message = 'Sign in to go on.', detail?: unknown): ApiError {
  return new ApiError(401, 'unauthenticated', message, { detail })
}

export function forbidden(message: string, code = 'forbidden'): ApiError {
  return new ApiError(403, code, message)
}

/** Also for objects of another organisation: both cases must look the same to the caller. */
export function notFound(what = 'This', detail?: unknown): ApiError {
  return new ApiError(404, 'not_found', `${what} was not found.`, { detail })
}

export function conflict(message: string, conflicts: Conflict[] = []): ApiError {
  return new ApiError(409, 'conflict', message, conflicts.length > 0 ? { conflicts } : {})
}

/** 409 for a save based on an outdated state with conflicting changes. `hash` names the current state. */
export function staleSave(message: string, hash: string, conflicts: Conflict[]): ApiError {
  return new ApiError(409, 'conflict', message, { conflicts, etag: hash })
}

export function unavailable(message: string, detail?: unknown): ApiError {
  return new ApiError(503, 'unavailable', message, { detail, retryAfter: 5 })
}

/** For work that another server took over or whose lease expired: nothing was stored. */
export function abandoned(what = 'This'): ApiError {
  return unavailable(`${what} took too long and was cancelled. Try again.`)
}

export function storageFull(detail: unknown): ApiError {
  const message = 'This was not saved: the disk of the server is full. Ask its operator to free space.'
  return new ApiError(507, 'storage_full', message, { detail, retryAfter: 60 })
}

/** 400 for the first schema errors, each with the path of its field, such as `entities.0.name`. */
export function invalidInput(error: z.core.$ZodError): ApiError {
  const errors = error.issues
    .slice(0, maxReported)
    .map(issue => ({ path: issue.path.join('.'), message: issue.message }))
  return invalidFields(errors)
}

/** The content of a request; 400 for its first problems. */
export function accepted<C>({ content, problems }: { content: C; problems: readonly FieldError[] }): C {
  if (problems.length > 0) throw invalidFields(problems.slice(0, maxReported))
  return content
}

const maxReported = 100

/** 400 with the message of the first field. Generic schema messages need its path; specified ones are used literally. */
export function invalidFields(errors: FieldError[]): ApiError {
  const [first] = errors
  const pathPrefix = first !== undefined && first.path !== '' && needsPlace(first.message) ? `${first.path}: ` : ''
  return invalid(`${pathPrefix}${first?.message ?? 'The request is not valid.'}`, errors)
}
