import type { logQuery } from '@cadmus/model/contract/audit'
import type * as z from 'zod'
import { invalid } from '../errors/api-error.ts'
import type { AuditFilter, AuditQuery } from '../store/audit-read.ts'

type LogQuery = z.output<typeof logQuery>

const dayLength = 24 * 60 * 60 * 1000

/** Converts the query of a log call. Throws 400 for an invalid date or order. */
export function auditQuery(query: LogQuery): AuditQuery {
  const { offset, limit, orderBy = '' } = query
  return { offset, limit, ...orderOf(orderBy), ...auditFilter(query) }
}

export function auditFilter(query: Omit<LogQuery, 'offset' | 'limit' | 'orderBy'>): AuditFilter {
  const { actionType, userId, userName, userEmail, target, startDate, endDate } = query
  return {
    ...(actionType ? { actionType } : {}),
    ...(userId ? { userId } : {}),
    ...(userName ? { userName } : {}),
    ...(userEmail ? { userEmail } : {}),
    ...(target ? { target } : {}),
    ...(startDate ? { from: instant('startDate', startDate, 0) } : {}),
    ...(endDate ? { before: instant('endDate', endDate, isDay(endDate) ? dayLength : 1) } : {}),
  }
}

const orderNames: ReadonlyMap<string, AuditQuery['orderBy']> = new Map([
  ['id', 'id'],
  ['lastmodified', 'at'],
  ['timestamp', 'at'],
  ['at', 'at'],
  ['username', 'userName'],
  ['user', 'userName'],
  ['useremail', 'userEmail'],
  ['actiontype', 'actionType'],
  ['action', 'actionType'],
  ['description', 'description'],
  ['details', 'description'],
  ['entityname', 'name'],
  ['name', 'name'],
  ['path', 'path'],
])

/**
 * Parses `field`, `field asc` or `field desc` (also separated by `:` or `,`), with field names as in the entries,
 * case-insensitive. Default: newest first.
 */
function orderOf(text: string): Pick<AuditQuery, 'orderBy' | 'direction'> {
  if (text.trim() === '') return { orderBy: 'at', direction: 'desc' }
  const [field = '', direction = 'asc', ...rest] = text
    .trim()
    .toLowerCase()
    .split(/[\s:,]+/)
  const orderBy = orderNames.get(field.replaceAll('_', ''))
  if (orderBy === undefined || (direction !== 'asc' && direction !== 'desc') || rest.length > 0)
    throw invalid('orderBy: the log cannot be sorted by this field.', [
      { path: 'orderBy', message: 'the log cannot be sorted by this field.' },
    ])
  return { orderBy, direction }
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

/** Dates are in UTC; times carry their own zone. Adds `add` milliseconds to include the end of a range. */
function instant(path: string, text: string, add: number): string {
  const time = isDay(text) || /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time) && isOfCalendar(text.slice(0, 10))) return new Date(time + add).toISOString()
  throw invalid(`${path}: this must be a date.`, [{ path, message: 'this must be a date.' }])
}

/** Rejects dates such as 30 February, which JavaScript would move to the next month. */
function isOfCalendar(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}
