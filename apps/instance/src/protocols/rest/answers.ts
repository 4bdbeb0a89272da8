import type { WrittenResult } from '@cadmus/model/api/operation'
import { joined, type TextPieces } from '@cadmus/model/text-pieces'
import { OperationError } from '../../engine/errors.ts'
import { HttpError } from '../../http-error.ts'
import type { RestEntity } from './surface.ts'

const head = '{"result":"OK","message":"OK","warnings":[]'
export const done = `${head}}`

export function listAnswer(result: WrittenResult, { property }: RestEntity): TextPieces {
  if (result.kind !== 'list') throw new TypeError('The result is not a list.')
  const { total, totalNotFiltered, records } = result
  return joined(`${head},"total":${total},"totalNotFiltered":${totalNotFiltered},${property}`, records, '}')
}

export function recordAnswer(result: WrittenResult, { property }: RestEntity): TextPieces {
  if (result.kind !== 'record') throw new TypeError('The result is not a record.')
  return joined(`${head},${property}`, result.record, '}')
}

const statuses = { invalid: 400, notFound: 404, conflict: 409, unavailable: 503 } as const

/** Converts an operation error to an HTTP error. Returns other errors unchanged. */
export function toHttpError(error: unknown): unknown {
  if (!(error instanceof OperationError)) return error
  const { kind, message } = error.fault
  const headers: Record<string, string> = kind === 'unavailable' ? { 'retry-after': '2' } : {}
  return new HttpError(statuses[kind], message, headers, { cause: error })
}
