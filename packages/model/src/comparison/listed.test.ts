import { expect, it } from 'vitest'
import type { EntityComparison } from '../contract/comparison.ts'
import { listedEntities, withCutValues } from './listed.ts'

const changed = (count: number): EntityComparison => ({
  uid: 'u',
  kinds: ['changed'],
  before: null,
  after: null,
  changes: Array.from({ length: count }, () => ({ kind: 'changed', step: null, field: 'f', before: 1, after: 2 })),
})
const added: EntityComparison = { ...changed(0), kinds: ['added'] }

it('after the limit of changes whole entities are left out and counted', () => {
  const { entities, more } = listedEntities([changed(3), added, changed(4), added, added], 5)
  expect([entities.map(({ changes }) => changes.length), more]).toEqual([[3, 0, 4], 2])
  expect(listedEntities([changed(5)], 5).more).toBe(0)
})

it('long values of a list are cut at 500 characters, which never cuts a character in two', () => {
  const cut = (before: unknown) => withCutValues({ before, after: null }).before
  expect(cut('x'.repeat(500))).toBe('x'.repeat(500))
  expect(cut('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`)
  expect(cut(`${'x'.repeat(498)}😀😀`)).toBe(`${'x'.repeat(498)}…`)
  const reference = { id: 1, uid: 'u', name: 'n'.repeat(600), path: 'user-defined/n' }
  expect(cut(reference)).toMatchObject({ id: 1, uid: 'u', path: '…' })
  const choices = cut(Array.from({ length: 1000 }, (_, index) => `choice ${index}`))
  expect(JSON.stringify(choices)).toMatch(/^\["choice 0",.{400,700}…"\]$/)
  const deep = { a: Array.from({ length: 600 }, () => ({ b: [{ c: 'x'.repeat(50) }] })) }
  expect(JSON.stringify(cut(deep)).length).toBeLessThan(2000)
  for (const value of [null, 7, true, [], {}]) expect(cut(value)).toEqual(value)
})
