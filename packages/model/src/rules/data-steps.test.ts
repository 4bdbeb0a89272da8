import { expect, it } from 'vitest'
import type { DataStep } from '../data-steps.ts'
import { limits } from '../limits.ts'
import { dataStepFault, dataStepFaults } from './data-steps.ts'

const attribute = { uid: 'a', name: 'size' }
const fill: DataStep = { uid: 's', kind: 'fill', attribute, value: { kind: 'number', value: '1' } }
const map: DataStep = { uid: 'm', kind: 'map', attribute, values: [{ from: 'S', to: 'small' }] }

it.each<[string, DataStep, string | undefined]>([
  ['a fill', fill, undefined],
  ['a map', map, undefined],
  ['a map to no value', { ...map, values: [{ from: 'S', to: null }] }, undefined],
  ['no attribute', { ...fill, attribute: { uid: '', name: '' } }, 'It needs an attribute.'],
  ['a map of nothing', { ...map, values: [] }, 'It needs at least one value.'],
  ['a value twice', { ...map, values: [...map.values, ...map.values] }, "'S' is mapped twice."],
  ['no direction', { uid: 'd', kind: 'derive', attribute, from: null, back: null }, 'It needs a value up or down.'],
])('a data step with %s has its fault', (_what, step, fault) => {
  expect(dataStepFault(step)).toEqual(fault)
})

it('values of a map have a limit in number and length', () => {
  const values = Array.from({ length: limits.dataSteps.values + 1 }, (_, at) => ({ from: `${at}`, to: null }))
  const long = [{ from: 'a', to: 'x'.repeat(limits.dataSteps.value + 1) }]
  for (const some of [values, long]) expect(dataStepFault({ ...map, values: some })).toContain('at most')
})

it('steps that did not change are accepted, repeated uids and too many are not', () => {
  const odd = { ...map, values: [] }
  expect(dataStepFaults([odd], [odd])).toEqual([])
  expect(dataStepFaults([odd, fill], [])).toHaveLength(1)
  expect(dataStepFaults([fill, { ...map, uid: 's' }], [])).toHaveLength(1)
  const many = Array.from({ length: limits.dataSteps.max + 1 }, (_, at) => ({ ...fill, uid: `${at}` }))
  expect(dataStepFaults(many, [])).toHaveLength(1)
  expect(dataStepFaults(many, many)).toEqual([])
})
