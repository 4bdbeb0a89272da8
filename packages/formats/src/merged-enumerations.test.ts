import type { Enumeration } from '@cadmus/model/enumeration'
import { expect, it } from 'vitest'
import { mergedEnumerations } from './merged-enumerations.ts'

function enumeration(uid: string, name: string, ...values: [value: string, label?: string][]): Enumeration {
  return {
    uid,
    name,
    description: '',
    values: values.map(([value, label = '']) => ({ uid: `${uid}-${value}`, value, label })),
  }
}

const state = enumeration('1', 'State', ['open', 'Open'], ['done', ''], ['old', 'Old'])

it('an enumeration of a file adds values after those that precede them, and labels and descriptions where there are none', () => {
  const read = {
    ...enumeration('2', 'STATE', ['new', 'New'], ['open', 'Else'], ['busy', 'Busy'], ['done', 'Done']),
    description: 'of work',
  }
  const { enumerations, placed, additions } = mergedEnumerations([state], [read])
  expect(enumerations).toHaveLength(1)
  expect(enumerations[0]).toMatchObject({ uid: '1', name: 'State', description: 'of work' })
  expect(enumerations[0]?.values.map(({ uid, value, label }) => [uid, value, label])).toEqual([
    ['2-new', 'new', 'New'],
    ['1-open', 'open', 'Open'],
    ['2-busy', 'busy', 'Busy'],
    ['1-done', 'done', 'Done'],
    ['1-old', 'old', 'Old'],
  ])
  expect(placed.get('2')).toEqual({ read, is: enumerations[0] })
  expect(additions).toEqual([{ name: 'State', isNew: false, values: ['new', 'busy'] }])
  expect(mergedEnumerations(enumerations, [read])).toMatchObject({ enumerations, additions: [] })
})

it('enumerations of a file are known by uid before their name, and new ones are added', () => {
  const kind = enumeration('3', 'Kind', ['a'])
  const { enumerations, additions } = mergedEnumerations(
    [state, kind],
    [enumeration('3', 'State', ['b']), enumeration('4', 'Size', ['s'])],
  )
  expect(enumerations.map(({ name, values }) => [name, values.map(({ value }) => value)])).toEqual([
    ['State', ['open', 'done', 'old']],
    ['Kind', ['b', 'a']],
    ['Size', ['s']],
  ])
  expect(additions.map(({ name, isNew }) => [name, isNew])).toEqual([
    ['Kind', false],
    ['Size', true],
  ])
})
