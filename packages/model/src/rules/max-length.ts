import { limits } from '../limits.ts'
import { messages } from '../messages.ts'

/** A max length as typed: digits only. Empty: no limit. */
export function maxLength(text: string): string | undefined {
  const digits = text.trim()
  if (digits === '') return undefined
  if (!/^\d+$/.test(digits)) return messages.maxLengthDigits
  const { min, max } = limits.maxLength
  const value = Number(digits)
  return value >= min && value <= max ? undefined : messages.numberRange(min, max)
}

/** The number of a valid max length: `080` is 80, empty is null. */
export function parseMaxLength(text: string): number | null {
  return text.trim() === '' ? null : Number.parseInt(text, 10)
}
