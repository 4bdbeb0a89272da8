import { messages } from '../messages.ts'
import { namePattern } from './name-pattern.ts'

export type Bounds = { min: number; max: number }

/** Required, within its bounds in code points, and matching the name pattern. */
export function boundedName(value: string, bounds: Bounds): string | undefined {
  return boundedText(value, bounds) ?? namePattern(value)
}

/** Required and within its bounds in code points. */
export function boundedText(value: string, { min, max }: Bounds): string | undefined {
  if (value.trim() === '') return messages.fieldRequired
  return hasLength(value, min, max) ? undefined : messages.nameLength(min, max)
}

/** Stops at the limit: a hostile text may have millions of characters. */
function hasLength(value: string, min: number, max: number): boolean {
  if (value.length > max * 2) return false
  const length = Array.from(value).length
  return length >= min && length <= max
}
