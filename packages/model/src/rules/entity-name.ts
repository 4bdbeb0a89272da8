import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { boundedName } from './bounded-name.ts'
import { isTaken, type TakenNames } from './taken-names.ts'

/** `taken`: the names of the manifest's other entities; leave the entity itself out. Undefined where the lookup failed. */
export function entityName(value: string, { taken }: { taken?: TakenNames } = {}): string | undefined {
  const problem = boundedName(value, limits.entityName)
  if (problem) return problem
  return taken && isTaken(value, taken) ? messages.entityExists(value) : undefined
}
