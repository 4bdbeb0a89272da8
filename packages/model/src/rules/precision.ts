import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import type { DataType } from '../data-types.ts'

/** Total number of decimal digits; for double and float only. Null: none. */
export function precision(value: number | null, { dataType }: { dataType: DataType }): string | undefined {
  if (value === null) return undefined
  if (!takesPrecision(dataType)) return messages.precisionType
  const { min, max } = limits.precision
  return Number.isInteger(value) && value >= min && value <= max ? undefined : messages.numberRange(min, max)
}

export function takesPrecision(dataType: DataType): boolean {
  return dataType === 'double' || dataType === 'float'
}
