import type { OperationResult, WireRecord } from '@cadmus/model/api/operation'
import { OperationError } from '../../engine/errors.ts'
import { HttpError, notFound } from '../../http-error.ts'
import type { RestEntity } from './surface.ts'

const head = '{"result":"OK","message":"OK","warnings":[]'
export const done = `${head}}`

/** The answer of a list, as JSON. */
export function listAnswer(result: OperationResult, { property }: RestEntity): string {
  if (result.kind !== 'list') throw new TypeError('What was listed is no list.')
  const { total, totalNotFiltered, records } = result
  return `${head},"total":${total},"totalNotFiltered":${totalNotFiltered},${property}${JSON.stringify(records)}}`
}

/** The answer of one record, as JSON. Throws an `HttpError` 404 where a relation leads to none. */
export function recordAnswer(result: OperationResult, served: RestEntity): string {
  return `${head},${served.property}${JSON.stringify(recordOf(result, served))}}`
}

function recordOf(result: OperationResult, { entity }: RestEntity): WireRecord {
  if (result.kind === 'record') return result.record
  const [record] = result.kind === 'list' ? result.records : []
  if (record === undefined) throw notFound(`A record of ${entity.name}`)
  return record
}

const statuses = { invalid: 400, notFound: 404, conflict: 409, unavailable: 503 } as const

/** What a caller is told of an operation that was not made; any other error stays what it is. */
export function answerable(error: unknown): unknown {
  if (!(error instanceof OperationError)) return error
  const { kind, message } = error.fault
  const headers: Record<string, string> = kind === 'unavailable' ? { 'retry-after': '2' } : {}
  return new HttpError(statuses[kind], message, headers, { cause: error })
}
