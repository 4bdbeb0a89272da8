import { limits } from '../limits.ts'
import { boundedText } from './bounded-name.ts'

/** Target attribute of a relationship: required, 2 to 50 characters. The target's own rules check its pattern. */
export function targetAttribute(value: string): string | undefined {
  return boundedText(value, limits.attributeName)
}
