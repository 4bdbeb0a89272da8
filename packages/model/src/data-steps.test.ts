import { expect, it } from 'vitest'
import { readCondition } from './conditions/text.ts'
import { typedCondition, typedValue } from './conditions/types.ts'
import { type DataStep, newSteps, stepsBetween } from './data-steps.ts'
import type { Enumeration } from './enumeration.ts'
import { checkTexts } from './messages/checks.ts'
import { mergeDataSteps } from './merge/manifest-lists.ts'
import { conditionColumn } from './rules/checks.ts'
import { anEntity, aTypeAttribute } from './testing/builders.ts'

const one = { kind: 'number', value: '1' } as const
const attribute = (uid: string) => ({ uid, name: uid })
const fill: DataStep = { kind: 'fill', uid: 'fill', attribute: attribute('a'), value: one }
const map: DataStep = { kind: 'map', uid: 'map', attribute: attribute('b'), values: [{ from: 'x', to: 'y' }] }
const derive: DataStep = { kind: 'derive', uid: 'derive', attribute: attribute('c'), from: one, back: null }

const state = (
  dataSteps: DataStep[],
  enumerations: Enumeration[] = [],
  entities: ReturnType<typeof anEntity>[] = [],
) => ({
  manifests: [{ dataSteps, enumerations }],
  entities,
})

it('the steps of a later version follow in their order, and are taken back in reverse', () => {
  const [first, last] = [state([fill]), state([fill, map, derive])]
  expect(stepsBetween(first, last).map(({ kind }) => kind)).toEqual(['map', 'derive'])
  expect(stepsBetween(last, first)).toEqual([
    { kind: 'drop', attribute: attribute('c') },
    { kind: 'undo', attribute: attribute('b'), values: map.values },
  ])
  expect(stepsBetween(state([]), last).map(({ kind }) => kind)).toEqual(['fill', 'map', 'derive'])
  expect(newSteps(first, last)).toEqual([map, derive])
  expect(stepsBetween(last, state([]))).toHaveLength(2)
})

it('renamed values of an enumeration are mapped in the attributes that have it on both sides', () => {
  const enumeration = (...values: string[]): Enumeration => ({
    uid: 'state',
    name: 'State',
    description: '',
    values: values.map((value, at) => ({ uid: `value ${at}`, value, label: '' })),
  })
  const chosen = { enumeration: { uid: 'state', name: 'State' } }
  const entity = (...typeAttributes: ReturnType<typeof aTypeAttribute>[]) => anEntity({ typeAttributes })
  const attributes = [aTypeAttribute({ uid: 'a', name: 'state', ...chosen }), aTypeAttribute({ uid: 'b', name: 'new' })]
  const before = state([], [enumeration('Open', 'Closed')], [entity(...attributes)])
  const after = state(
    [],
    [enumeration('Open', 'Done')],
    [entity(...attributes.map(item => ({ ...item, ...chosen, name: 'status' })))],
  )
  expect(stepsBetween(before, after)).toEqual([
    { kind: 'map', attribute: { uid: 'a', name: 'status' }, values: [{ from: 'Closed', to: 'Done' }] },
  ])
  expect(stepsBetween(before, before)).toEqual([])
})

it('steps of two people are merged by uid; two changes of one step are a conflict', () => {
  const mine = { ...map, values: [{ from: 'x', to: 'z' }] }
  expect(mergeDataSteps({ base: [map], mine: [map, fill], theirs: [map, derive] }).merged).toHaveLength(3)
  expect(mergeDataSteps({ base: [map, fill], mine: [map], theirs: [mine, fill] })).toEqual({ merged: [mine] })
  const theirs = { ...map, values: [] }
  expect(mergeDataSteps({ base: [map], mine: [mine], theirs: [theirs] }).conflicts).toHaveLength(1)
})

it('a part of a text has a separator that does not overlap itself, and is none of a check', () => {
  const column = { ...conditionColumn(aTypeAttribute({ name: 'name' })), name: 'name' }
  const read = (text: string) => {
    const result = readCondition(text)
    if ('fault' in result) throw new Error(result.fault)
    return result.condition
  }
  const fault = (text: string) => typedValue(read(text), () => column).fault
  expect(fault("concat(coalesce(part(name, ', ', 2), ''), 'x')")).toBeUndefined()
  for (const text of ["part(name, '', 1)", "part(name, '--', 1)", "part(name, ' ', 0)", 'part(name, name, 1)'])
    expect(fault(text)).toBe(checkTexts.part(text))
  expect(fault("part(1, ' ', 1)")).toBe(checkTexts.needs("part(1, ' ', 1)", 'part', 'a text'))
  expect(typedCondition(read("part(name, ' ', 1) = 'x'"), () => column).fault).toBe(checkTexts.unknownFunction('part'))
})
