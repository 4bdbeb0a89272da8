import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { boundedName } from './bounded-name.ts'
import { isTaken, type TakenNames } from './taken-names.ts'

/** `taken`: the entity's other type attributes; `foreignKeys`: its foreign keys, which are columns too. */
export function typeAttributeName(
  value: string,
  { taken, foreignKeys }: { taken: TakenNames; foreignKeys?: TakenNames },
): string | undefined {
  const problem = boundedName(value, limits.attributeName)
  if (problem) return problem
  if (isTaken(value, taken)) return messages.attributeExists(value)
  return foreignKeys && isTaken(value, foreignKeys) ? messages.foreignKeyExists(value) : undefined
}
