import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { boundedName } from './bounded-name.ts'
import { isTaken, type TakenNames } from './taken-names.ts'

/** `taken`: names of the manifest's other entities; undefined if the lookup failed. */
export function entityName(value: string, { taken }: { taken?: TakenNames } = {}): string | undefined {
  const problem = boundedName(value, limits.entityName)
  if (problem) return problem
  return taken && isTaken(value, taken) ? messages.entityExists(value) : undefined
}
