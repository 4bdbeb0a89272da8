import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { foldName } from '../paths.ts'
import { hasHidden } from '../display.ts'

export function entityName(value: string): string | undefined {
  return boundedName(value, limits.entityName)
}

export function manifestName(value: string): string | undefined {
  return boundedName(value, limits.manifestName)
}

type Bounds = { min: number; max: number }

/** Required, within its bounds in code points, and matching the name pattern. */
export function boundedName(value: string, bounds: Bounds): string | undefined {
  if (value.trim() === '') return messages.fieldRequired
  return allProblems(boundedText(value, bounds), namePattern(value))
}

/** Joins the problems of a value, so that all can be resolved at once. */
export function allProblems(...problems: readonly (string | undefined)[]): string | undefined {
  const found = problems.filter(problem => problem !== undefined)
  return found.length === 0 ? undefined : found.join(' ')
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

/** Letters, digits and single underscores; starts with a letter and ends with a letter or digit. */
const pattern = /^[A-Za-z](?:_?[A-Za-z0-9])*$/

/** Pattern of entity, manifest, type attribute and foreign key names. Does not trim. */
export function namePattern(value: string): string | undefined {
  return pattern.test(value) ? undefined : [messages.namePattern, ...faultsOf(value)].join(' ')
}

/** Details that the specified message lacks; two consecutive underscores need none. */
function faultsOf(value: string): string[] {
  const { first, last, inside } = messages.nameFaults
  const firstFault = /^[^A-Za-z]/u.exec(value)?.[0]
  const lastFault = /[^A-Za-z0-9]$/u.exec(value.slice(-2))?.[0]
  const insideFault = /[^A-Za-z0-9_]/u.exec(
    value.slice(firstFault?.length ?? 0, value.length - (lastFault?.length ?? 0)),
  )?.[0]
  return [
    ...(firstFault === undefined ? [] : [first(firstFault)]),
    ...(insideFault === undefined ? [] : [inside(insideFault)]),
    ...(lastFault === undefined || value === firstFault ? [] : [last(lastFault)]),
  ]
}

/** Rejects invisible characters in new names, which could imitate another name. For names without a stricter pattern. */
export function hiddenCharacters(value: string): string | undefined {
  return hasHidden(value) ? messages.hiddenCharacters(value) : undefined
}

/** Names in their comparison form. */
export type TakenNames = ReadonlySet<string>

export function takenNames(names: Iterable<string>): TakenNames {
  return new Set(Array.from(names, foldName))
}

export function isTaken(name: string, taken: TakenNames): boolean {
  return taken.has(foldName(name))
}
