import { dayOf } from '../../ui/timestamp.ts'

export type ExpiryChoice = '30' | '90' | '365' | 'date'

export const expiryChoices: readonly { value: ExpiryChoice; label: string }[] = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '365 days' },
  { value: 'date', label: 'On a date' },
]

const longest = 365

/** Selectable days: from today to a year ahead. */
export function offeredDays(now: Date): { min: string; max: string } {
  return { min: dayOf(now), max: dayOf(daysAfter(now, longest)) }
}

/** Expiry of a token: some days from now, or the end of a chosen day. `problem`: why the day is invalid. */
export function expiryOf(choice: ExpiryChoice, day: string, now: Date): { at: Date } | { problem: string } {
  if (choice !== 'date') return { at: daysAfter(now, Number(choice)) }
  if (day === '') return { problem: 'this is a required field' }
  const { min, max } = offeredDays(now)
  if (day < min) return { problem: 'The expiry must be in the future.' }
  if (day > max) return { problem: 'An access token expires within a year.' }
  return { at: new Date(`${day}T23:59:59.999`) }
}

/** Keeps the local time across daylight saving changes. */
function daysAfter(now: Date, days: number): Date {
  const at = new Date(now)
  at.setDate(at.getDate() + days)
  return at
}
