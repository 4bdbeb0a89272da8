// Dates and times as text. At most six fractional digits: the databases have no more in common.

const datePattern = /^\d{4}-\d{2}-\d{2}$/
const timePattern = /^((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6})0*)?)?$/
const offsetPattern = /^(.{5,})(Z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/
const day = 24 * 60

/** A date of the years 0001 to 9999, such as `2026-01-31`; null for other text. */
export function readDate(text: string): string | null {
  if (!datePattern.test(text) || text.startsWith('0000')) return null
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null
}

/** A time of day as `13:45:00` or `13:45:00.123456`; null for other text. */
export function readTime(text: string): string | null {
  const parts = timePattern.exec(text)
  if (!parts) return null
  const [, minutes = '', seconds = '00', fraction] = parts
  return `${minutes}:${seconds}${fraction === undefined ? '' : `.${fraction}`}`
}

/**
 * A date, or a date and time separated by T or a space, with an optional offset, as `2026-01-31T13:45:00.123456`. Converts to UTC and keeps
 * the fractional digits. Null for other text.
 */
export function readMoment(text: string): string | null {
  const date = readDate(text.slice(0, 10))
  if (date === null) return null
  if (text.length === 10) return `${date}T00:00:00`
  if (text[10] !== 'T' && text[10] !== ' ') return null
  const [, local = text.slice(11), offset = 'Z'] = offsetPattern.exec(text.slice(11)) ?? []
  const time = readTime(local)
  if (time === null) return null
  return offset === 'Z' ? `${date}T${time}` : shiftToUtc(date, time, offset)
}

function shiftToUtc(date: string, time: string, offset: string): string | null {
  const ahead = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))
  const minutes = Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5)) - (offset.startsWith('-') ? -ahead : ahead)
  const days = Math.floor(minutes / day)
  const start = new Date(`${date}T00:00:00Z`)
  start.setUTCDate(start.getUTCDate() + days)
  const year = start.getUTCFullYear()
  if (year < 1 || year > 9999) return null
  const rest = minutes - days * day
  return `${start.toISOString().slice(0, 10)}T${two(Math.floor(rest / 60))}:${two(rest % 60)}${time.slice(5)}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}
