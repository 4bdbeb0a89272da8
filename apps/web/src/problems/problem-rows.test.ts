import { describe, expect, it } from 'vitest'
import type { LiveProblem } from '../api/problems.ts'
import { nextIndex } from './go-to.ts'
import { filtered, problemRows, severityCounts } from './problem-rows.ts'

const manifest = { kind: 'manifest', id: 1, name: 'Shop' } as const
const about = (id: number, name: string, attribute?: string): LiveProblem['path'] => [
  manifest,
  { kind: 'entity', id, name, path: `user-defined/Shop/${name}` },
  ...(attribute === undefined ? [] : [{ kind: 'typeAttribute' as const, uid: attribute, name: attribute }]),
]
const problem = (
  code: string,
  path: LiveProblem['path'],
  severity: LiveProblem['severity'] = 'warning',
): LiveProblem => ({
  severity,
  code,
  message: `This is ${code}.`,
  path,
})
const problems = [
  problem('keyType', about(2, 'Order', 'id'), 'error'),
  problem('scope', [manifest], 'error'),
  problem('noKey', about(3, 'Note')),
  problem('name', about(2, 'Order', 'a__b')),
]

describe('rows of problems', () => {
  it('are grouped by document, which can be folded', () => {
    const { rows, problems: byRow } = problemRows(problems, id => id === 'entity:3')
    expect(
      rows.map(({ level, label, expanded, posInSet, setSize }) => [level, label, expanded, posInSet, setSize]),
    ).toEqual([
      [1, 'Order', true, 1, 3],
      [2, 'This is keyType.', null, 1, 2],
      [2, 'This is name.', null, 2, 2],
      [1, 'Shop Configuration', true, 2, 3],
      [2, 'This is scope.', null, 1, 1],
      [1, 'Note', false, 3, 3],
    ])
    expect([...byRow.values()].map(({ code }) => code)).toEqual(['keyType', 'name', 'scope'])
  })

  it('have ids of their own, also for equal problems', () => {
    const { rows } = problemRows([problems[0]!, { ...problems[0]! }], () => false)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
  })

  it('are filtered by severity and by words of message and place', () => {
    const codes = (...filter: Parameters<typeof filtered>[1][]) =>
      filter.map(one => filtered(problems, one).map(({ code }) => code))
    expect(
      codes(
        { severity: 'error', text: '' },
        { severity: 'all', text: 'ORDER name' },
        { severity: 'warning', text: 'scope' },
      ),
    ).toEqual([['keyType', 'scope'], ['name'], []])
    expect(severityCounts(problems)).toEqual({ all: 4, error: 2, warning: 2 })
  })
})

describe('the next problem', () => {
  const keys = ['a', 'b', 'c']
  it.each([
    ['the first one, at first', null, 1, 0],
    ['the last one, backwards', null, -1, 2],
    ['the one behind', { key: 'a', index: 0 }, 1, 1],
    ['around the end', { key: 'c', index: 2 }, 1, 0],
    ['the one at the place of a solved one', { key: 'solved', index: 1 }, 1, 1],
    ['the one before a solved one', { key: 'solved', index: 1 }, -1, 0],
    ['the first one, if the last was solved', { key: 'solved', index: 3 }, 1, 0],
  ] as const)('is %s', (_, last, step, index) => expect(nextIndex(keys, last, step)).toBe(index))

  it('is none without problems', () => expect(nextIndex([], { key: 'a', index: 0 }, 1)).toBe(-1))
})
