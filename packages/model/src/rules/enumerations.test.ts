import { expect, it } from 'vitest'
import { enumerationLimits } from '../data-types.ts'
import { type Enumeration, settledAttributes, withValues } from '../enumeration.ts'
import { contentTexts } from '../messages/values.ts'
import { newTypeAttribute } from '../type-attribute.ts'
import { newUid } from '../uid.ts'
import { changesAttributes, enumerationFault, enumerationFaults } from './enumerations.ts'

const state: Enumeration = withValues({ uid: newUid(), name: 'State', description: '', values: [] }, ['Open', 'Closed'])

it.each([
  ['no name', { ...state, name: ' ' }, 'name', 'this is a required field'],
  ['a line break in its name', { ...state, name: 'a\nb' }, 'name', expect.stringContaining('120 characters')],
  ['a name twice', { ...state, name: 'size' }, 'name', 'An enumeration with the name "size" already exists.'],
  ['no values', { ...state, values: [] }, 'values', 'An enumeration needs a value.'],
  ['a value twice', withValues(state, ['a', 'a']), 'values', 'A choice with the name "a" already exists.'],
  ['a long value', withValues(state, ['a'.repeat(4001)]), 'values', 'A value has at most 4,000 characters.'],
  [
    'a line break in a label',
    { ...state, values: [{ uid: 'v', value: 'a', label: 'a\nb' }] },
    'values',
    'A label has at most 4,000 characters, without line breaks.',
  ],
])('an enumeration is refused with %s', (_what, enumeration, field, message) => {
  expect(enumerationFault(enumeration, [{ name: 'Size' }])).toEqual({ field, message })
})

it('those that did not change are accepted', () => {
  const odd = { ...state, values: [] }
  expect(enumerationFaults([odd, { ...state, uid: newUid() }], [odd])).toEqual([
    `Enumeration 'State': An enumeration with the name "State" already exists.`,
  ])
  expect(enumerationFaults([odd], [odd])).toEqual([])
  const many = Array.from({ length: enumerationLimits.max + 1 }, (_, at) => ({
    ...state,
    uid: `${at}`,
    name: `${at}`,
  }))
  expect(enumerationFaults(many, [])).toEqual(['A manifest has at most 500 enumerations.'])
})

it.each([
  [{ ...state, uid: '' }, contentTexts.unusableUid],
  [{ ...state, uid: 'x'.repeat(1000) }, contentTexts.unusableUid],
  [{ ...state, values: state.values.map(one => ({ ...one, uid: 'v' })) }, contentTexts.unusableUid],
  [{ ...state, description: 'x'.repeat(20_001) }, 'A description has at most 20,000 characters.'],
])('one with unusable uids or a long description is refused', (one, message) => {
  expect(enumerationFaults([one], [])).toEqual([`Enumeration 'State': ${message}`])
  expect(enumerationFaults([one], [one])).toEqual([])
})

it('values keep their uids, also one that is renamed in its place', () => {
  const [open, closed] = state.values
  expect(withValues(state, ['Closed', 'Open']).values).toEqual([closed, open])
  expect(withValues(state, ['Open', 'Done']).values).toEqual([open, { ...closed, value: 'Done' }])
  const [first] = withValues(state, ['New', 'Open', 'Closed']).values
  expect(first?.uid).not.toBe(open?.uid)
})

it('attributes follow their name and values, not their description', () => {
  expect(changesAttributes(state, { ...state, description: 'x' })).toBe(false)
  expect(changesAttributes(state, { ...state, name: 'x' })).toBe(true)
  expect(changesAttributes(state, withValues(state, ['Open']))).toBe(true)
  expect(changesAttributes(state, undefined)).toBe(true)
})

it('attributes get the values of a chosen enumeration, and lose one whose values they no longer have', () => {
  const before = newTypeAttribute({ name: 'a', position: 0 })
  const chosen = { ...before, enumeration: { uid: state.uid, name: '' } }
  const [settled] = settledAttributes([chosen], [before], [state])
  expect(settled).toMatchObject({ enumeration: { uid: state.uid, name: 'State' }, choices: ['Open', 'Closed'] })
  if (!settled) return
  const edited = { ...settled, choices: ['Open'] }
  expect(settledAttributes([edited], [settled], [state])).toEqual([{ ...edited, enumeration: null }])
  expect(settledAttributes([chosen], [before], [])).toEqual([before])
})
