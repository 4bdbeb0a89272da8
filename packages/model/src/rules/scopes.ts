import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { valueTexts } from '../messages/values.ts'
import { type OperationScopes, operationScopesSchema } from '../operations.ts'
import { allProblems, hiddenCharacters } from './names.ts'

/** The definitions with the typed scope added; trimmed, ignored if empty or already defined. */
export function addScope(definitions: readonly string[], text: string): readonly string[] {
  const scope = text.trim()
  return scope === '' || definitions.includes(scope) ? definitions : [...definitions, scope]
}

/** Problem of a new scope's text, for definitions and operations alike. */
export function scopeProblem(scope: string): string | undefined {
  const { max } = limits.scope
  if (scope.trim() === '') return messages.fieldRequired
  const isTooLong = scope.length > max && [...scope].length > max
  return allProblems(
    isTooLong ? valueTexts.length(max) : undefined,
    hiddenCharacters(scope),
    scope === scope.trim() ? undefined : messages.scopeSpaces(scope),
  )
}

/** Whether a scope definition may be removed: not while global scopes or an entity's operations use it. */
export function removedScope(scope: string, used: ReadonlySet<string>): string | undefined {
  return used.has(scope) ? messages.scopeInUse(scope) : undefined
}

/** Scopes used by the global ones or by any entity's operations. */
export function usedScopes({
  globalScopes,
  entities,
}: {
  globalScopes: readonly string[]
  entities: Iterable<{ operationScopes: OperationScopes }>
}): Set<string> {
  const used = new Set(globalScopes)
  for (const entity of entities) for (const scope of scopesOf(entity)) used.add(scope)
  return used
}

/** Scopes of an entity's operations, with repetitions. */
export function scopesOf({ operationScopes }: { operationScopes: OperationScopes }): string[] {
  return operationScopesSchema.keyof().options.flatMap(operation => operationScopes[operation])
}

/** Scopes available for operations: all defined ones except the global ones. */
export function offeredScopes({
  scopeDefinitions,
  globalScopes,
}: {
  scopeDefinitions: readonly string[]
  globalScopes: readonly string[]
}): string[] {
  const global = new Set(globalScopes)
  return scopeDefinitions.filter(scope => !global.has(scope))
}

const scopeFields = operationScopesSchema.keyof().options

/** Problem of the operations' scopes. Existing scopes are accepted, because an import may have created them. */
export function newScopes(operationScopes: OperationScopes, previous?: OperationScopes): string | undefined {
  const { maxCount } = limits.scope
  for (const field of scopeFields) {
    const { length } = operationScopes[field]
    if (length > Math.max(maxCount, previous?.[field].length ?? 0))
      return messages.tooMany('scopes of an operation', maxCount, length)
  }
  const accepted = new Set(previous ? scopesOf({ operationScopes: previous }) : [])
  for (const scope of scopesOf({ operationScopes })) {
    const problem = accepted.has(scope) ? undefined : scopeProblem(scope)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Splits typed or pasted scopes on commas, trims them and drops empty entries. */
export function parseScopes(text: string): string[] {
  return text
    .split(',')
    .map(scope => scope.trim())
    .filter(scope => scope !== '')
}
