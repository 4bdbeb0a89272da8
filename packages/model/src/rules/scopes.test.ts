import { describe, expect, it } from 'vitest'
import { holds } from '@cadmus/testing/holds'
import { noScopes } from '../entity.ts'
import { operationScopesSchema } from '../operations.ts'
import { addScope, newScopes, offeredScopes, parseScopes, removedScope, usedScopes } from './scopes.ts'

it('a new scope is trimmed, and ignored if empty or already defined', holds('M5.23', 'M5.24', 'M5.25'), () => {
  expect(addScope(['read'], '  write ')).toEqual(['read', 'write'])
  expect(addScope(['read'], '   ')).toEqual(['read'])
  expect(addScope(['read'], ' read')).toEqual(['read'])
})

it('a scope in use cannot be removed', holds('M5.26', 'M5.27', 'M5.28'), () => {
  const message = 'Cannot remove scope "read" because it is used in Global Scopes or Entity Scopes.'
  const entities = [{ operationScopes: { ...noScopes, deleteOperationScopes: ['read'] } }]
  expect(removedScope('read', usedScopes({ globalScopes: ['read'], entities: [] }))).toBe(message)
  expect(removedScope('read', usedScopes({ globalScopes: [], entities }))).toBe(message)
  expect(removedScope('write', usedScopes({ globalScopes: ['read'], entities }))).toBeUndefined()
})

it('scopes offered for operations are the defined scopes minus the global ones', holds('E3.74'), () => {
  expect(offeredScopes({ scopeDefinitions: ['a', 'b', 'c'], globalScopes: ['c'] })).toEqual(['a', 'b'])
})

describe('scopes', () => {
  it('Scope values given as text are split on commas, trimmed, empty entries dropped', holds('E4.23'), () => {
    expect(parseScopes(' a, ,b ,')).toEqual(['a', 'b'])
    expect(parseScopes('')).toEqual([])
  })

  it('Scope values must be an array of strings', holds('E5.36'), () => {
    for (const wrong of [5, 'read', null, [1], { 0: 'a' }]) {
      const answer = operationScopesSchema.partial().safeParse({ selectOperationScopes: wrong })
      expect(answer.error?.issues.map(issue => issue.message)).toEqual(['Scopes must be an array of strings'])
    }
  })

  it('A new scope has at most 400 characters and no surrounding spaces; existing scopes are kept', () => {
    const asking = (...updateOperationScopes: string[]) => ({ ...noScopes, updateOperationScopes })
    expect(newScopes(asking('read:orders', '𝄞'.repeat(400)))).toBeUndefined()
    expect(newScopes(asking('x'.repeat(401)))).toBe('this must be at most 400 characters long.')
    expect(newScopes(asking(' '))).toBe('this is a required field')
    expect(newScopes(asking('a '))).toBe('The scope "a " must not begin or end with a space.')
    expect(newScopes(asking('a ', 'b'), asking('a '))).toBeUndefined()
    const many = Array.from({ length: 10_001 }, (_, index) => `s${index}`)
    expect(newScopes(asking(...many))).toBe('An entity has at most 10000 scopes of an operation; 10001 were sent.')
    expect(newScopes(asking(...many), asking(...many))).toBeUndefined()
  })
})
