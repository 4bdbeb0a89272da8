import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { operationScopesSchema, type OperationScopes } from '../operation-scopes.ts'
import { scopeProblem, scopesOf } from './scope-definition.ts'

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
