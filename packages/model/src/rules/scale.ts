import { messages } from '../messages.ts'

/** Digits after the decimal point; requires a precision and cannot exceed it. */
export function scale(value: number | null, { precision }: { precision: number | null }): string | undefined {
  if (value === null) return undefined
  if (precision === null) return messages.scalePrecision
  return Number.isInteger(value) && value >= 0 && value <= precision ? undefined : messages.numberRange(0, precision)
}
