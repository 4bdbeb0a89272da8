import { expect, it } from 'vitest'
import type { LiveProblem } from '../api/problems.ts'
import { marksOf } from './cell-marks.ts'

const path: LiveProblem['path'] = [
  { kind: 'manifest', id: 1, name: 'Shop' },
  { kind: 'entity', id: 5, name: 'Order' },
]
const problem = (uid: string, change: Partial<LiveProblem>): LiveProblem => ({
  severity: 'warning',
  code: 'reserved',
  message: 'It is reserved.',
  path: [...path, { kind: 'typeAttribute', uid, name: uid }],
  ...change,
})

it('problems of rows are marks of their cells, those of no field at the name, several as one of the worst severity', () => {
  const marks = marksOf(5, [
    problem('a', { severity: 'error', message: 'It is too long.', field: 'name' }),
    problem('a', {}),
    problem('b', { field: 'maxLength' }),
    problem('c', { severity: 'note' }),
    { ...problem('d', {}), path },
  ])
  expect([...marks].map(([uid, cells]) => [uid, Object.fromEntries(cells)])).toEqual([
    ['a', { name: { severity: 'error', text: 'It is too long.\nIt is reserved.' } }],
    ['b', { length: { severity: 'warning', text: 'It is reserved.' } }],
  ])
  expect(marksOf(6, [problem('a', {})]).size).toBe(0)
})
