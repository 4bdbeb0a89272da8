import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { boundedName } from './bounded-name.ts'
import { isTaken, type TakenNames } from './taken-names.ts'

/** `taken`: names of the organisation's other manifests; undefined if the lookup failed. */
export function manifestName(value: string, { taken }: { taken?: TakenNames } = {}): string | undefined {
  const problem = boundedName(value, limits.manifestName)
  if (problem) return problem
  return taken && isTaken(value, taken) ? messages.manifestExists(value) : undefined
}
