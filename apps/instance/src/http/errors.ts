import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fullDiskText, isFullDisk } from '../data-dir.ts'
import { HttpError } from '../http-error.ts'

/** The status of each error that comes from the framework or a parser, with our words instead of its own. */
const knownStatuses: Record<number, string> = {
  400: 'The request is malformed.',
  404: 'This was not found.',
  405: 'This was not found.',
  413: 'The request is too large.',
  414: 'The address is too long.',
  415: 'The content type of the request is not supported.',
}

/** Characters of a sentence of an answer. */
const longest = 2000

export type WrittenError = { status: number; message: string; unexpected: boolean }

const ids = new WeakMap<FastifyRequest, string>()

/** What a request is called in the log and to its caller: nearly none needs a name. */
export function idOf(request: FastifyRequest): string {
  const id = ids.get(request) ?? randomUUID()
  ids.set(request, id)
  return id
}

/** Turns anything thrown into what leaves the instance: no stack, no SQL, no path. `id` is the request's, which the log carries too. */
export function writtenError(error: unknown, id: string): WrittenError {
  if (isFullDisk(error)) return { status: 507, message: fullDiskText, unexpected: true }
  if (error instanceof HttpError) {
    return {
      status: error.status,
      message: brief(error.message),
      unexpected: error.status >= 500 && error.status !== 503,
    }
  }
  const known = knownStatuses[statusOf(error)]
  if (known !== undefined) return { status: statusOf(error), message: known, unexpected: false }
  return { status: 500, message: `Something went wrong in the instance (${id}).`, unexpected: true }
}

/** What an error asks of its caller, as headers. */
export function writeErrorHeaders(reply: FastifyReply, error: unknown): void {
  if (error instanceof HttpError) reply.headers(error.headers)
}

/** A sentence may quote what was sent, which may be megabytes. */
function brief(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest)}…`.toWellFormed()
}

// Only errors of the framework (FST_…) and its parsers say their own status; a status on any other error is a coincidence.
function statusOf(error: unknown): number {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return 500
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const framework = code.startsWith('FST_') || code.startsWith('ERR_BAD_URL') || error instanceof SyntaxError
  return framework ? error.statusCode : 500
}
