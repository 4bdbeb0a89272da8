import { holds } from '@cadmus/testing/holds'
import { expect, it } from 'vitest'
import { noScopes } from '../entity.ts'
import { addScope, offeredScopes, removedScope, usedScopes } from './scope-definition.ts'

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
