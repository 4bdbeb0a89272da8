import { foldName } from '../paths.ts'

/** Names in the form in which they are compared. */
export type TakenNames = ReadonlySet<string>

/** The names as the rules want them: trimmed and without regard to case. */
export function takenNames(names: Iterable<string>): TakenNames {
  return new Set(Array.from(names, foldName))
}

export function isTaken(name: string, taken: TakenNames): boolean {
  return taken.has(foldName(name))
}
