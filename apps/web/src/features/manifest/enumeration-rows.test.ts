import { expect, it } from 'vitest'
import { enteredValues, withCell, withMoved, withPasted } from './enumeration-rows.ts'

const row = (uid: string, value: string, label = '') => ({ uid, value, label })
const rows = [row('1', 'open', 'Open'), row('2', 'done')]
const texts = (all: ReturnType<typeof withPasted>) => all?.map(({ value, label }) => [value, label])

it('a renamed value keeps its uid, and typing below the last one adds a value', () => {
  expect(withCell(rows, 1, 'value', 'closed')[1]).toEqual(row('2', 'closed'))
  const added = withCell(rows, 2, 'label', 'New')
  expect(added.slice(0, 2)).toEqual(rows)
  expect(added[2]).toMatchObject({ value: '', label: 'New' })
  expect(new Set(added.map(({ uid }) => uid)).size).toBe(3)
})

it('pasted lines fill the rows from the cell on, which keep their uids, and add further ones', () => {
  const pasted = withPasted(rows, 1, 'value', 'finished\tFinished\nlost\tLost\n')
  expect(texts(pasted)).toEqual([
    ['open', 'Open'],
    ['finished', 'Finished'],
    ['lost', 'Lost'],
  ])
  expect(pasted?.[1]?.uid).toBe('2')
  expect(texts(withPasted(rows, 0, 'value', 'a\nb'))).toEqual([
    ['a', 'Open'],
    ['b', ''],
  ])
  expect(texts(withPasted(rows, 0, 'label', 'A\r\nB'))).toEqual([
    ['open', 'A'],
    ['done', 'B'],
  ])
  expect(withPasted(rows, 0, 'value', 'one')).toBeNull()
})

it('rows move within the list, and those without anything are left out', () => {
  expect(withMoved(rows, 1, -1).map(({ uid }) => uid)).toEqual(['2', '1'])
  expect(withMoved(rows, 1, 1)).toBe(rows)
  expect(withMoved(rows, 0, -1)).toBe(rows)
  expect(enteredValues([row('3', ' a ', ' A '), row('4', ' '), row('5', '', 'B')])).toEqual([
    row('3', 'a', 'A'),
    row('5', '', 'B'),
  ])
})
