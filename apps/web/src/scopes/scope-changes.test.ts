import { noScopes } from '@cadmus/model/entity'
import type { OperationScopes } from '@cadmus/model/operations'
import { describe, expect, it } from 'vitest'
import type { MatrixRow } from './matrix-rows.ts'
import {
  operationCells,
  removeScope,
  renameScope,
  scopesInText,
  type ScopeState,
  toggleExclusion,
  withoutShared,
  writeTexts,
} from './scope-changes.ts'

function rowOf(id: number, name: string, scopes: Partial<OperationScopes> = {}): MatrixRow {
  const operationScopes = { ...noScopes, ...scopes }
  return { id, name, path: name, manifest: 'Shop', sharedWith: [], primaryKey: 'id', operationScopes }
}

const state: ScopeState = {
  rows: [
    rowOf(1, 'Order', { selectOperationScopes: ['read'], insertOperationScopes: ['write', 'read'] }),
    rowOf(2, 'Customer', { selectOperationScopes: ['write'] }),
    rowOf(3, 'Note'),
  ],
  defined: { scopeDefinitions: ['read', 'write'], globalScopes: ['write'], excludeOperations: ['Order.put'] },
}

describe('Changes of scopes', () => {
  it('a text in a block of cells changes the operations whose scopes differ, and ignores other columns', () => {
    const change = writeTexts(state, {
      rows: [1, 3, 99],
      columns: ['name', 'select', 'insert'],
      texts: [['Order', 'read', 'read'], ['x', 'read, write', ''], []],
    })
    expect(change).toEqual({
      entities: new Map([
        [1, { insertOperationScopes: ['read'] }],
        [3, { selectOperationScopes: ['read', 'write'] }],
      ]),
    })
  })

  it('copied rows are pasted without the names of their entities, and texts from elsewhere as they are', () => {
    const rows = [['Order', 'read', 'write', 'Shop']]
    const copied = ['name', 'select', 'insert', 'manifest']
    const pasted = { cells: [['read', 'write']], columns: ['insert', 'update'] }
    expect(operationCells(rows, copied, ['insert', 'update', 'manifest'])).toEqual(pasted)
    expect(operationCells([['read', 'write']], null, ['name', 'insert'])).toEqual({
      cells: [['read', 'write']],
      columns: ['name', 'insert'],
    })
  })

  it('a scope that is not defined is defined by the same change', () => {
    const change = writeTexts(state, { rows: [2, 3], columns: ['delete'], texts: [['audit'], ['audit']] })
    expect(change).toEqual({
      entities: new Map([
        [2, { deleteOperationScopes: ['audit'] }],
        [3, { deleteOperationScopes: ['audit'] }],
      ]),
      defined: {
        scopeDefinitions: ['read', 'write', 'audit'],
        globalScopes: ['write'],
        excludeOperations: ['Order.put'],
      },
    })
  })

  it('a text that cannot be a scope is refused as a whole', () => {
    const block = { rows: [2, 3], columns: ['delete'], texts: [['read'], ['x'.repeat(401)]] }
    expect(writeTexts(state, block)).toEqual({ problem: expect.stringContaining('400') })
  })

  it('scopes are separated by commas, or by spaces as in a token', () => {
    expect(scopesInText(' read ,write,, read')).toEqual(['read', 'write'])
    expect(scopesInText('read  write\nall')).toEqual(['read', 'write', 'all'])
    expect(scopesInText('read all', new Set(['read all']))).toEqual(['read all'])
    expect(scopesInText(' ')).toEqual([])
  })

  it('renaming a scope changes its definition, global scopes and every operation', () => {
    expect(renameScope(state, 'write', 'edit')).toEqual({
      entities: new Map([
        [1, { insertOperationScopes: ['edit', 'read'] }],
        [2, { selectOperationScopes: ['edit'] }],
      ]),
      defined: { scopeDefinitions: ['read', 'edit'], globalScopes: ['edit'], excludeOperations: ['Order.put'] },
    })
  })

  it('renaming a scope to an existing one merges both', () => {
    expect(renameScope(state, 'write', 'read')).toEqual({
      entities: new Map([
        [1, { insertOperationScopes: ['read'] }],
        [2, { selectOperationScopes: ['read'] }],
      ]),
      defined: { scopeDefinitions: ['read'], globalScopes: ['read'], excludeOperations: ['Order.put'] },
    })
  })

  it('removing a scope leaves the others', () => {
    expect(removeScope(state, 'read')).toEqual({
      entities: new Map([[1, { selectOperationScopes: [], insertOperationScopes: ['write'] }]]),
      defined: { scopeDefinitions: ['write'], globalScopes: ['write'], excludeOperations: ['Order.put'] },
    })
    expect(removeScope(state, 'none')).toEqual({ entities: new Map() })
  })

  it('a block leaves out entities that other manifests share, unless it has no others', () => {
    const shared = { ...state, rows: state.rows.map(row => (row.id === 2 ? { ...row, sharedWith: ['Billing'] } : row)) }
    const block = { rows: [1, 2, 3], columns: ['select'], texts: [['a'], ['b'], ['c']] }
    expect(withoutShared(shared, block)).toEqual({
      own: { ...block, rows: [1, 3], texts: [['a'], ['c']] },
      shared: { ...block, rows: [2], texts: [['b']] },
    })
    const alone = { ...block, rows: [2], texts: [['b']] }
    expect(withoutShared(shared, alone)).toEqual({ own: alone, shared: { ...block, rows: [], texts: [] } })
    expect(withoutShared(state, block).own).toEqual(block)
  })
})

describe('Excluding operations from the API', () => {
  const excludedBy = (cells: { rows: number[]; columns: string[] }, from = state) => {
    const toggled = toggleExclusion(from, cells)
    return toggled && [toggled.count, toggled.change.defined?.excludeOperations]
  }

  it('excludes those that are served, and serves all again once none is', () => {
    const cells = { rows: [1, 3], columns: ['update', 'delete', 'name'] }
    const all = ['Order.put', 'Order.id.delete', 'Note.put', 'Note.id.delete']
    expect(excludedBy(cells)).toEqual([3, all])
    const excluded = { ...state, defined: { ...state.defined, excludeOperations: ['Other.get', ...all] } }
    expect(excludedBy(cells, excluded)).toEqual([4, ['Other.get']])
  })

  it('leaves operations alone that an entity without a key has not', () => {
    const keyless = { ...state, rows: state.rows.map(row => ({ ...row, primaryKey: null })) }
    expect(excludedBy({ rows: [2], columns: ['select', 'selectAll'] }, keyless)).toEqual([
      1,
      ['Order.put', 'Customer.get'],
    ])
    expect(excludedBy({ rows: [2], columns: ['select'] }, keyless)).toBeNull()
  })
})
