import type { ScopeMatrixAnswer } from '@cadmus/model/contract/scope-matrix'
import { newConfiguration } from '@cadmus/model/configuration'
import { accessOf } from '@cadmus/model/required-scopes'
import { describe, expect, it } from 'vitest'
import { allScopes, countCallable, isShown, matrixRows, usesOf } from './matrix-rows.ts'

const { apiConfiguration, apiScopeConfiguration } = newConfiguration('Shop').configurationBuild
const answer: ScopeMatrixAnswer = {
  version: '1.0.0',
  manifests: [
    { id: 1, name: 'Shop', path: 'Shop' },
    { id: 2, name: 'Parts', path: 'Parts' },
  ],
  entities: {
    ids: [10, 11, 12],
    names: ['order', 'Bolt', 'Customer'],
    paths: ['Shop/order', 'Parts/Bolt', 'Shop/Customer'],
    manifests: [0, 1, 0],
    uids: ['a', 'b', 'c'],
    keys: ['id', null, 'id'],
    others: [0, 1, 0],
  },
  others: [[], ['Garage']],
  lists: [[], ['read'], ['read', 'write']],
  operations: { selectAll: [1, 0, 0], select: [1, 0, 0], insert: [2, 0, 0], update: [0, 0, 0], delete: [0, 0, 0] },
  configuration: {
    apiConfiguration: { ...apiConfiguration, type: ['REST'], security: 'OAUTH2' },
    apiScopeConfiguration: { ...apiScopeConfiguration, enableRbac: true },
  },
}
const access = accessOf(answer.configuration)

describe('Rows of the scope matrix', () => {
  it('are sorted by manifest, that of the root first, and name', () => {
    expect(matrixRows(answer).map(({ name, manifest, sharedWith }) => [name, manifest, ...sharedWith])).toEqual([
      ['Customer', 'Shop'],
      ['order', 'Shop'],
      ['Bolt', 'Parts', 'Garage'],
    ])
  })

  it('show unsaved names, keys and scopes', () => {
    const change = { name: 'Screw', primaryKey: 'code', operationScopes: { insertOperationScopes: ['write'] } }
    const row = matrixRows(answer, new Map([[11, change]])).at(-1)
    expect(row).toMatchObject({ name: 'Screw', primaryKey: 'code' })
    expect(row?.operationScopes.insertOperationScopes).toEqual(['write'])
    expect(row?.operationScopes.selectOperationScopes).toEqual([])
  })

  it('are filtered by name, by operations without a required scope, and by scope', () => {
    const rows = matrixRows(answer)
    const shown = (term: string, filter: Parameters<typeof isShown>[2]) =>
      rows.filter(row => isShown(row, term, filter, access)).map(({ name }) => name)
    expect(shown('part', { kind: 'all' })).toEqual(['Bolt'])
    expect(shown('', { kind: 'scope', scope: 'write' })).toEqual(['order'])
    expect(shown('', { kind: 'open' })).toEqual(['Customer', 'order', 'Bolt'])
    const global = { ...access, rules: { ...access.rules, globalScopes: ['all'] } }
    expect(rows.filter(row => isShown(row, '', { kind: 'open' }, global))).toEqual([])
  })

  it('count what requires a scope, and what a token may call', () => {
    const rows = matrixRows(answer)
    expect(usesOf(rows, 'read')).toEqual({ operations: 3, entities: 1 })
    expect(usesOf(rows, 'none')).toEqual({ operations: 0, entities: 0 })
    // The entity without a key has two operations.
    expect(countCallable(rows, access, new Set())).toEqual({ served: 12, callable: 9 })
    expect(countCallable(rows, access, new Set(['write']))).toEqual({ served: 12, callable: 10 })
    expect(countCallable(rows, access, new Set(['read']))).toEqual({ served: 12, callable: 12 })
  })

  it('offer defined, global and used scopes', () => {
    const defined = { scopeDefinitions: ['own'], globalScopes: ['all'] }
    expect(allScopes(matrixRows(answer), defined)).toEqual(['all', 'own', 'read', 'write'])
  })
})
