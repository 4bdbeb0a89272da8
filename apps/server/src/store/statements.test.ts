import { expect, it } from 'vitest'
import { rowsInBatches } from './statements.ts'

it('rows are read in batches, in order, however many rows one batch has', async () => {
  const rowsOf = (item: number) => Array.from({ length: 200_000 }, () => item)
  const sizes: number[] = []
  const rows = await rowsInBatches([1, 2, 3], 2, async part => {
    sizes.push(part.length)
    return part.flatMap(rowsOf)
  })
  expect(sizes).toEqual([2, 1])
  expect([rows.length, rows[0], rows.at(-1)]).toEqual([600_000, 1, 3])
})
