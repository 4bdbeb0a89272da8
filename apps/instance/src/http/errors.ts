import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fullDiskText, isFullDisk } from '../data-dir.ts'
import { HttpError } from '../http-error.ts'
import { forLog } from '../log.ts'

/** Messages for errors of the framework and its parsers, by status. */
const frameworkMessages: Record<number, string> = {
  400: 'The request is malformed.',
  404: 'This was not found.',
  405: 'This was not found.',
  413: 'The request is too large.',
  414: 'The address is too long.',
  415: 'The content type of the request is not supported.',
}

/** Maximum characters of a message. */
const maxLength = 2000

/** `fields`: of a record, which the error is about. */
export type WrittenError = { status: number; message: string; unexpected: boolean; fields?: readonly string[] }

const ids = new WeakMap<FastifyRequest, string>()

/** The id of a request for its caller and the log. Created on demand, since few requests need one. */
export function idOf(request: FastifyRequest): string {
  const id = ids.get(request) ?? randomUUID()
  ids.set(request, id)
  return id
}

/** Converts any error to a status and a message without stack, SQL or paths. `id` is the request id, also logged. */
export function writtenError(error: unknown, id: string): WrittenError {
  if (isFullDisk(error)) return { status: 507, message: fullDiskText, unexpected: true }
  if (error instanceof HttpError) {
    return {
      status: error.status,
      message: shorten(error.message),
      unexpected: error.status >= 500 && error.status !== 503,
      ...(error.fields ? { fields: error.fields } : {}),
    }
  }
  const message = frameworkMessages[statusOf(error)]
  if (message !== undefined) return { status: statusOf(error), message: message, unexpected: false }
  return { status: 500, message: `Something went wrong in the instance (${id}).`, unexpected: true }
}

/** The error of a request for its caller. Unexpected errors are logged under the id of the request. */
export function reportedError(error: unknown, request: FastifyRequest): WrittenError {
  const requestId = idOf(request)
  const written = writtenError(error, requestId)
  if (written.unexpected) request.log.error({ error: forLog(error), requestId }, 'request failed')
  return written
}

export function writeErrorHeaders(reply: FastifyReply, error: unknown): void {
  if (error instanceof HttpError) reply.headers(error.headers)
}

/** Messages may quote input of any length. */
function shorten(text: string): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`.toWellFormed()
}

/** Only errors of the framework (FST_…) and its parsers have a meaningful status; on others it is accidental. */
function statusOf(error: unknown): number {
  if (!(error instanceof Error) || !('statusCode' in error) || typeof error.statusCode !== 'number') return 500
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const framework = code.startsWith('FST_') || code.startsWith('ERR_BAD_URL') || error instanceof SyntaxError
  return framework ? error.statusCode : 500
}
