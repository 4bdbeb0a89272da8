import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { migrations, checkOrder } from './all.ts'

const none = { up: async () => {} }

it('the list contains every migration of the folder once', () => {
  const files = readdirSync(import.meta.dirname).filter(name => /^\d/.test(name) && !name.includes('.test.'))
  expect(Object.keys(migrations)).toEqual(files.map(name => name.replace(/\.ts$/, '')).toSorted())
})

it.each([
  ['out of order', ['002-b', '001-a']],
  ['of one number', ['001-a', '001-b']],
  ['in a gap that stores have passed', ['006-a', '007-b', '008-c']],
  ['without a number', ['ground']],
])('rejects the migrations %s', (_what, names) => {
  expect(() => checkOrder(Object.fromEntries(names.map(name => [name, none])))).toThrow('must have an unused number')
})

it('accepts migrations with increasing numbers and gaps', () => {
  expect(Object.keys(checkOrder({ '001-a': none, '009-b': none, '012-c': none }))).toHaveLength(3)
})
