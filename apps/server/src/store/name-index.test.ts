import { expect, it } from 'vitest'
import { NameIndex, NameList } from './name-index.ts'

it('the weight of a name index grows with the length of its names', () => {
  const nameIndex = (name: string) => {
    const rows = Array.from({ length: 1000 }, (_none, at) => ({ id: at, manifest_id: 1, name_folded: `${name}${at}` }))
    return new NameIndex(1, new NameList(rows)).weight
  }
  // A unit is about forty bytes: a name of usual length with its position.
  expect(nameIndex('a usual name ')).toBeGreaterThan(800)
  expect(nameIndex('a usual name ')).toBeLessThan(1200)
  expect(nameIndex('x'.repeat(590))).toBeGreaterThan(14_000)
  expect(nameIndex('字'.repeat(190))).toBeGreaterThan(9000)
})
