import { limits } from '../limits.ts'
import { boundedText } from './bounded-name.ts'

/** The target attribute of a relationship: required, 2 to 50 characters. Its pattern is the target's business. */
export function targetAttribute(value: string): string | undefined {
  return boundedText(value, limits.attributeName)
}
