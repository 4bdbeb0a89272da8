import { foldName } from '../paths.ts'

/** Names in their comparison form. */
export type TakenNames = ReadonlySet<string>

export function takenNames(names: Iterable<string>): TakenNames {
  return new Set(Array.from(names, foldName))
}

export function isTaken(name: string, taken: TakenNames): boolean {
  return taken.has(foldName(name))
}
