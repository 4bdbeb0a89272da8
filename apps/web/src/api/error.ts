import type { ErrorAnswer } from '@cadmus/model/contract/shared'
import { firstTexts } from '@cadmus/model/messages/first-load'

/** A failed call. `message` is the server's, if any; `status` 0: unreachable. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly conflicts: NonNullable<ErrorAnswer['conflicts']>
  /** Tag of the conflicting state; '' if the server sends none. */
  readonly etag: string
  readonly errors: NonNullable<ErrorAnswer['errors']>
  /** References to the objects that the call would have removed. */
  readonly references: NonNullable<ErrorAnswer['references']>
  /** Changes to an instance's tables if an upload would lose data. */
  readonly schema: ErrorAnswer['schema']
  /** The object that an earlier call with the same id created. */
  readonly made: ErrorAnswer['made']
  /** The document that an error of edits is about. */
  readonly document: ErrorAnswer['document']
  /** Root manifests of a file to choose from. */
  readonly roots: NonNullable<ErrorAnswer['roots']>
  /** Id of the server's log entry. */
  readonly id: string | undefined

  constructor(status: number, answer: Partial<ErrorAnswer>) {
    super(answer.message || firstTexts.failed.status(status))
    this.name = 'ApiError'
    this.status = status
    this.code = answer.code ?? ''
    this.conflicts = answer.conflicts ?? []
    this.etag = answer.etag ?? ''
    this.errors = answer.errors ?? []
    this.references = answer.references ?? []
    this.schema = answer.schema
    this.made = answer.made
    this.document = answer.document
    this.roots = answer.roots ?? []
    this.id = answer.id
  }

  with(answer: Partial<Pick<ErrorAnswer, 'message' | 'errors'>>): ApiError {
    const { status, message, code, conflicts, etag, errors, references, schema, made, document, roots, id } = this
    const same = { message, code, conflicts, etag, errors, references, schema, made, document, roots, id }
    return new ApiError(status, { ...same, ...answer })
  }
}

export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether the outcome of a change is unknown: it was not refused, or the response was unreadable. */
export function isOutcomeUnknown(failure: unknown): boolean {
  return failure instanceof ApiError && (failure.status < 400 || failure.status === 408 || failure.status >= 500)
}

/** Rejection of a call that did not reach the server. */
export function unreachable(): ApiError {
  return new ApiError(0, { message: 'The server cannot be reached.', code: 'network' })
}

/** Parses the body of an error; empty if it is not the server's. */
export type ReadError = (body: unknown) => Partial<ErrorAnswer>

/** The error of a response: its message, and the details that `read` extracts. */
export async function errorOf(response: Response, read: ReadError = readWords): Promise<ApiError> {
  return new ApiError(response.status, read(await response.json().catch(() => null)))
}

/** For calls without further details in errors. */
function readWords(body: unknown): Partial<ErrorAnswer> {
  const entries = ['message', 'code', 'id'].map(name => [name, Reflect.get(Object(body), name)])
  return Object.fromEntries(entries.filter(([, words]) => typeof words === 'string'))
}

/** Reason of a failed call: the server's message or the status. For sentences that end with the reason. */
export function whyFailed(error: unknown): string {
  return error instanceof ApiError ? error.message : firstTexts.failed.unexpected
}

export function messageOf(error: unknown, fallback: string): string {
  if (typeof error === 'string') return error
  if (error instanceof ApiError && error.message !== firstTexts.failed.status(error.status)) return error.message
  return fallback
}
