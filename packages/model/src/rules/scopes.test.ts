import { describe, expect, it } from 'vitest'
import { operationScopesSchema } from '../operation-scopes.ts'
import { parseScopes } from './scopes.ts'

describe('scopes', () => {
  it('E4.23 Scope values given as text are split on commas, trimmed, empty entries dropped', () => {
    expect(parseScopes(' a, ,b ,')).toEqual(['a', 'b'])
    expect(parseScopes('')).toEqual([])
  })

  it('E5.36 Scope values must be an array of strings', () => {
    for (const wrong of [5, 'read', null, [1], { 0: 'a' }]) {
      const answer = operationScopesSchema.partial().safeParse({ selectOperationScopes: wrong })
      expect(answer.error?.issues.map(issue => issue.message)).toEqual(['Scopes must be an array of strings'])
    }
  })
})
