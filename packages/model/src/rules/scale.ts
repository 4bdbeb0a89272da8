import { messages } from '../messages.ts'

/** Digits after the point: none without a precision, and no more than it. */
export function scale(value: number | null, { precision }: { precision: number | null }): string | undefined {
  if (value === null) return undefined
  if (precision === null) return messages.scalePrecision
  return Number.isInteger(value) && value >= 0 && value <= precision ? undefined : messages.numberRange(0, precision)
}
