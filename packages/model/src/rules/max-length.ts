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

/** Parses a typed max length: `080` is 80, empty is null; any other characters give NaN, which the rule refuses. */
export function parseMaxLength(text: string): number | null {
  const digits = text.trim()
  if (digits === '') return null
  return /^\d+$/.test(digits) ? Math.min(Number(digits), Number.MAX_SAFE_INTEGER) : Number.NaN
}
