import type { WrittenResult } from '@cadmus/model/api/operation'
import { joined, type TextPieces } from '@cadmus/model/text-pieces'
import { OperationError } from '../../engine/errors.ts'
import { HttpError } from '../../http-error.ts'
import type { RestEntity } from './surface.ts'

const head = '{"result":"OK","message":"OK","warnings":[]'
export const done = `${head}}`

/** The answer of a list, as JSON. */
export function listAnswer(result: WrittenResult, { property }: RestEntity): TextPieces {
  if (result.kind !== 'list') throw new TypeError('What was listed is no list.')
  const { total, totalNotFiltered, records } = result
  return joined(`${head},"total":${total},"totalNotFiltered":${totalNotFiltered},${property}`, records, '}')
}

/** The answer of one record, as JSON. */
export function recordAnswer(result: WrittenResult, { property }: RestEntity): TextPieces {
  if (result.kind !== 'record') throw new TypeError('What was read is no record.')
  return joined(`${head},${property}`, result.record, '}')
}

const statuses = { invalid: 400, notFound: 404, conflict: 409, unavailable: 503 } as const

/** What a caller is told of an operation that was not made; any other error stays what it is. */
export function answerable(error: unknown): unknown {
  if (!(error instanceof OperationError)) return error
  const { kind, message } = error.fault
  const headers: Record<string, string> = kind === 'unavailable' ? { 'retry-after': '2' } : {}
  return new HttpError(statuses[kind], message, headers, { cause: error })
}
