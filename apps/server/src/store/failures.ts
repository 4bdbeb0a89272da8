import pg from 'pg'
import { ApiError, storageFull } from '../errors/api-error.ts'

/** Errors by the state of the store: unavailable, busy or full. All other errors are defects and are unchanged. */

export function storeUnavailable(detail: unknown): ApiError {
  const message = 'The database cannot be reached at the moment. Saved data is safe. Try again shortly.'
  return new ApiError(503, 'store_away', message, { detail, retryAfter: 2 })
}

function storeBusy(detail: unknown): ApiError {
  return new ApiError(503, 'store_busy', 'The database is overloaded. Try again shortly.', {
    detail,
    retryAfter: 2,
  })
}

/** Returns null for errors unrelated to the state of the database. */
export function postgresFailure(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error
  if (!(error instanceof Error)) return null
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (error instanceof pg.DatabaseError) return failureOfSqlState(code, error)
  return connectionErrorCodes.has(code) || connectionErrorMessages.test(error.message) ? storeUnavailable(error) : null
}

/** By SQLSTATE: classes 08 (connection), 57P (shutdown), 53 (resources), 58 (system). */
function failureOfSqlState(state: string, error: Error): ApiError | null {
  if (state === '53100' || /No space left on device/i.test(error.message)) return storageFull(error)
  // 25006: a standby not yet promoted. 25P03, 25P04, 25P05: a session timeout.
  if (/^(?:08|57P|58)/.test(state) || ['25006', '25P03', '25P04', '25P05'].includes(state))
    return storeUnavailable(error)
  if (state.startsWith('53') || state === '57014') return storeBusy(error)
  return null
}

const connectionErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
])

/** Connection errors without a code. */
const connectionErrorMessages =
  /^(?:Connection terminated|timeout expired|Client (?:was closed|has encountered a connection error))/

/** Primary result codes of SQLite. */
export const sqliteResult = {
  busy: 5,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notADatabase: 26,
}

/** Returns the primary SQLite result code; null for other errors. */
export function sqliteResultOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return error.errcode & 0xff
}

/** Returns null for errors unrelated to the state of the disk. */
export function sqliteFailure(error: unknown): ApiError | null {
  const result = sqliteResultOf(error)
  if (result === sqliteResult.full) return storageFull(error)
  if (result === sqliteResult.busy) return storeBusy(error)
  if (result === sqliteResult.ioError || result === sqliteResult.cannotOpen || result === sqliteResult.readOnly) {
    return diskFailing(error)
  }
  return null
}

function diskFailing(detail: unknown): ApiError {
  const message = 'This was not saved: the server cannot write to its disk. Ask its operator to check it.'
  return new ApiError(503, 'storage_failing', message, { detail, retryAfter: 60 })
}
