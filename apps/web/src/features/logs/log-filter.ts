import type { AuditEntry } from '@cadmus/model/audit-entry'
import type { LogFilter } from '../../api/logs.ts'

/** What a person chose: days as the date fields have them, in the time zone of the page. */
export type ChosenFilter = { actionType: AuditEntry['ACTION_TYPE'] | ''; userName: string; start: string; end: string }

export const noFilter: ChosenFilter = { actionType: '', userName: '', start: '', end: '' }

/** An empty end becomes the start; without a start there is no end. */
export function startedOn(filter: ChosenFilter, start: string): ChosenFilter {
  if (start === '') return { ...filter, start, end: '' }
  return { ...filter, start, end: filter.end === '' ? start : filter.end }
}

/** Both days are included, from their first instant to their last here. */
export function askedFor({ actionType, userName, start, end }: ChosenFilter): LogFilter {
  return {
    actionType,
    userName,
    startDate: start === '' ? '' : new Date(`${start}T00:00:00.000`).toISOString(),
    endDate: end === '' ? '' : new Date(`${end}T23:59:59.999`).toISOString(),
  }
}

/** Undefined where the days can be; date fields let a day be typed that their calendar does not offer. */
export function wrongEnd({ start, end }: ChosenFilter): string | undefined {
  return start !== '' && end !== '' && end < start ? 'The end date is before the start date.' : undefined
}
