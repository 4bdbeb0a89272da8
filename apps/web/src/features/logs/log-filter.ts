import type { AuditEntry } from '@cadmus/model/audit-differences'
import type { LogFilter } from '../../api/logs.ts'

/** The filter as entered: local days in the format of date fields. */
export type ChosenFilter = { actionType: AuditEntry['ACTION_TYPE'] | ''; userName: string; start: string; end: string }

export const noFilter: ChosenFilter = { actionType: '', userName: '', start: '', end: '' }

/** Sets the start. An empty end becomes the start; without a start there is no end. */
export function withStart(filter: ChosenFilter, start: string): ChosenFilter {
  if (start === '') return { ...filter, start, end: '' }
  return { ...filter, start, end: filter.end === '' ? start : filter.end }
}

/** Includes both days, from the first local instant to the last. */
export function toLogFilter({ actionType, userName, start, end }: ChosenFilter): LogFilter {
  return {
    actionType,
    userName,
    startDate: start === '' ? '' : new Date(`${start}T00:00:00.000`).toISOString(),
    endDate: end === '' ? '' : new Date(`${end}T23:59:59.999`).toISOString(),
  }
}

/** Undefined if valid. A typed date can bypass the limits of the date field. */
export function endProblem({ start, end }: ChosenFilter): string | undefined {
  return start !== '' && end !== '' && end < start ? 'The end date is before the start date.' : undefined
}
