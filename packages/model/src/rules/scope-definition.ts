import { operationScopesSchema, type OperationScopes } from '../operation-scopes.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { hiddenCharacters } from './hidden-characters.ts'

/** The definitions with the typed scope: trimmed, ignored where it is empty or there already. */
export function addScope(definitions: readonly string[], text: string): readonly string[] {
  const scope = text.trim()
  return scope === '' || definitions.includes(scope) ? definitions : [...definitions, scope]
}

/** What is wrong with a new scope as a word, wherever it stands. */
export function scopeProblem(scope: string): string | undefined {
  const { max } = limits.scope
  if (scope.trim() === '') return messages.fieldRequired
  if (scope.length > max && [...scope].length > max) return messages.value.length(max)
  return hiddenCharacters(scope) ?? (scope === scope.trim() ? undefined : messages.scopeBlanks(scope))
}

/** Whether a scope definition may go: not while the global scopes or any entity's operation scopes use it. */
export function removedScope(scope: string, used: ReadonlySet<string>): string | undefined {
  return used.has(scope) ? messages.scopeInUse(scope) : undefined
}

/** The scopes that the global ones or any entity's operations use: for many that may go at once. */
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

/** The scopes that an entity's operations use, each as often as it is used. */
export function scopesOf({ operationScopes }: { operationScopes: OperationScopes }): string[] {
  return operationScopesSchema.keyof().options.flatMap(operation => operationScopes[operation])
}

/** The scopes offered for operations: those defined that are not global. */
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
