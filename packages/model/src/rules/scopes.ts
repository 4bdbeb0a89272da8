import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { operationScopesSchema, type OperationScopes } from '../operation-scopes.ts'
import { scopeProblem, scopesOf } from './scope-definition.ts'

const scopeFields = operationScopesSchema.keyof().options

/** What is wrong with the scopes of operations, or with one of them, unless the entity had it before: it may have come from a file. */
export function newScopes(operationScopes: OperationScopes, previous?: OperationScopes): string | undefined {
  const { most } = limits.scope
  for (const field of scopeFields) {
    const { length } = operationScopes[field]
    if (length > Math.max(most, previous?.[field].length ?? 0))
      return messages.tooMany('scopes of an operation', most, length)
  }
  const spared = new Set(previous ? scopesOf({ operationScopes: previous }) : [])
  for (const scope of scopesOf({ operationScopes })) {
    const problem = spared.has(scope) ? undefined : scopeProblem(scope)
    if (problem !== undefined) return problem
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
