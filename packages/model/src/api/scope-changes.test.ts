import { expect, it } from 'vitest'
import type { ScopeChange } from '../contract/comparison.ts'
import { anApi, anApiEntity } from '../testing/apis.ts'
import type { Api, ApiEntity } from './api.ts'
import { scopeChanges } from './scope-changes.ts'

const guarded = (
  scopes: readonly string[] | null,
  security: Partial<Api['security']> = {},
  entity: Partial<ApiEntity> = {},
) =>
  anApi({
    security: { ...anApi().security, kind: 'OAUTH2', rbac: true, ...security },
    entities: [anApiEntity({ operations: scopes === null ? {} : { select: { scopes } }, ...entity })],
  })
const change = (before: string[] | null, after: string[] | null, opens: boolean, entity = 'Order'): ScopeChange[] => [
  { entity, operation: 'select', before, after, opens },
]

it.each<[string, Api, Api, ScopeChange[]]>([
  ['the same in another order (none)', guarded(['a', 'b']), guarded(['b', 'a']), []],
  ['a scope becomes required', guarded([]), guarded(['a']), change([], ['a'], false)],
  ['an alternative is removed', guarded(['a', 'b']), guarded(['a']), change(['a', 'b'], ['a'], false)],
  ['an alternative is added, which opens', guarded(['a']), guarded(['a', 'b']), change(['a'], ['a', 'b'], true)],
  ['a scope is replaced, which opens', guarded(['a']), guarded(['b']), change(['a'], ['b'], true)],
  ['no scope is required any longer, which opens', guarded(['a']), guarded([]), change(['a'], [], true)],
  ['a global scope becomes required', guarded([]), guarded([], { globalScopes: ['all'] }), change([], ['all'], false)],
  [
    'a global scope is an alternative, which opens',
    guarded(['a']),
    guarded(['a'], { globalScopes: ['all', 'a'] }),
    change(['a'], ['a', 'all'], true),
  ],
  [
    'scopes are not checked any longer, which opens',
    guarded(['a']),
    guarded(['a'], { rbac: false }),
    change(['a'], [], true),
  ],
  [
    'authentication is removed where no scope was required, which opens',
    guarded([]),
    guarded([], { kind: 'NONE' }),
    change([], [], true),
  ],
  ['authentication is required (none)', guarded([], { kind: 'NONE' }), guarded([]), []],
  ['an operation is new and guarded', guarded(null), guarded(['a']), change(null, ['a'], false)],
  ['an operation is new and requires none, which opens', guarded(null), guarded([]), change(null, [], true)],
  ['a guarded operation is removed', guarded(['a']), guarded(null), change(['a'], null, false)],
  ['an operation that required none is removed (none)', guarded([]), guarded(null), []],
  [
    'a renamed entity is the same',
    guarded(['a']),
    guarded(['b'], {}, { name: 'Sale' }),
    change(['a'], ['b'], true, 'Sale'),
  ],
  ['nothing is served (none)', { ...guarded(['a']), protocols: [] }, { ...guarded([]), protocols: [] }, []],
  ['the API is served, which opens', { ...guarded([]), protocols: [] }, guarded([]), change(null, [], true)],
])('reports the scopes that operations require before and after a change: %s', (_what, before, after, expected) => {
  expect(scopeChanges(before, after)).toEqual(expected)
})

it('what opens is reported before other changes of scopes, entities removed included', () => {
  const both = (scopes: readonly string[]) => ({ select: { scopes: ['a'] }, insert: { scopes } })
  const entities = [
    anApiEntity({ operations: both(['a']) }),
    anApiEntity({ uid: 'i', name: 'Item', operations: { select: { scopes: ['a'] } } }),
  ]
  const before = { ...guarded([]), entities }
  const after = {
    ...guarded([]),
    entities: [anApiEntity({ operations: { select: { scopes: [] }, insert: { scopes: [] } } })],
  }
  const shown = scopeChanges(before, after).map(({ entity, operation, opens }) => [entity, operation, opens])
  expect(shown).toEqual([
    ['Order', 'select', true],
    ['Order', 'insert', true],
    ['Item', 'select', false],
  ])
})
