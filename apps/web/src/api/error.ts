import type { ErrorAnswer } from '@cadmus/model/contract/shared'
import { messages } from '@cadmus/model/messages'

/** A call that failed. `message` is the server's words where it sent any; `status` 0: it was not reached. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly conflicts: NonNullable<ErrorAnswer['conflicts']>
  /** The tag of the state that they are conflicts with; '' where the server names none. */
  readonly etag: string
  /** Which field says what. */
  readonly errors: NonNullable<ErrorAnswer['errors']>
  /** What refers to that which the call would have taken away. */
  readonly references: NonNullable<ErrorAnswer['references']>
  /** What an upload would do to the tables of an instance, where data would be lost. */
  readonly schema: ErrorAnswer['schema']
  /** What was made before, under the id of the call. */
  readonly made: ErrorAnswer['made']
  /** The root manifests of a file, of which one has to be chosen. */
  readonly roots: NonNullable<ErrorAnswer['roots']>
  /** Under which the server logged it. */
  readonly id: string | undefined

  constructor(status: number, answer: Partial<ErrorAnswer>) {
    super(answer.message || messages.failed.status(status))
    this.name = 'ApiError'
    this.status = status
    this.code = answer.code ?? ''
    this.conflicts = answer.conflicts ?? []
    this.etag = answer.etag ?? ''
    this.errors = answer.errors ?? []
    this.references = answer.references ?? []
    this.schema = answer.schema
    this.made = answer.made
    this.roots = answer.roots ?? []
    this.id = answer.id
  }

  /** The same failure in other words, or about other places. */
  with(answer: Partial<Pick<ErrorAnswer, 'message' | 'errors'>>): ApiError {
    const { status, message, code, conflicts, etag, errors, references, schema, made, roots, id } = this
    const same = { message, code, conflicts, etag, errors, references, schema, made, roots, id }
    return new ApiError(status, { ...same, ...answer })
  }
}

/** Whether a call failed because what it asks for is not there. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Whether nobody knows what became of a change: it was not refused, or what was answered could not be read. */
export function isUnanswered(failure: unknown): boolean {
  return failure instanceof ApiError && (failure.status < 400 || failure.status === 408 || failure.status >= 500)
}

/** What a call that met no server rejects with. */
export function unreachable(): ApiError {
  return new ApiError(0, { message: 'The server cannot be reached.', code: 'network' })
}

/** What the body of an error says; nothing where it is none of the server's. */
export type ReadError = (body: unknown) => Partial<ErrorAnswer>

/** The failure that a response tells of: its words, and what `read` makes of all the rest. */
export async function errorOf(response: Response, read: ReadError = readWords): Promise<ApiError> {
  return new ApiError(response.status, read(await response.json().catch(() => null)))
}

/** For calls whose errors say no more. */
function readWords(body: unknown): Partial<ErrorAnswer> {
  const said = ['message', 'code', 'id'].map(name => [name, Reflect.get(Object(body), name)])
  return Object.fromEntries(said.filter(([, words]) => typeof words === 'string'))
}

/** Why a call failed: the server's words, or its status where it sent none. For sentences that end with the reason. */
export function whyFailed(error: unknown): string {
  return error instanceof ApiError ? error.message : messages.failed.unexpected
}

/** The server's words of a failure, or the given ones where it sent none. */
export function messageOf(error: unknown, fallback: string): string {
  if (error instanceof ApiError && error.message !== messages.failed.status(error.status)) return error.message
  return fallback
}
