import type { OperationScopes } from '../operation-scopes.ts'
import { hiddenCharacters } from './hidden-characters.ts'
import { scopesOf } from './scope-definition.ts'

/** A scope with characters that are not seen, unless the entity had it before: it may have come from a file. */
export function newScopes(operationScopes: OperationScopes, previous?: OperationScopes): string | undefined {
  const spared = new Set(previous ? scopesOf({ operationScopes: previous }) : [])
  for (const scope of scopesOf({ operationScopes })) {
    const hidden = spared.has(scope) ? undefined : hiddenCharacters(scope)
    if (hidden !== undefined) return hidden
  }
  return undefined
}

/** Scopes typed or pasted as text: split on commas, trimmed, empty entries dropped. */
export function parseScopes(text: string): string[] {
  return text
    .split(',')
    .map(scope => scope.trim())
    .filter(scope => scope !== '')
}
