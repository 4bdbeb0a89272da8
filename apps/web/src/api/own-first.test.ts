import { describe, expect, it } from 'vitest'
import type { OptionSource } from '../ui/options.ts'
import { oneAfterTheOther } from './own-first.ts'

const limit = 20

function numbered(prefix: string, total: number): OptionSource<null>['load'] {
  const all = Array.from({ length: total }, (_, index) => ({ value: `${prefix}${index}`, label: '', data: null }))
  return async (_, page, size) => ({ options: all.slice(page * size, (page + 1) * size), total })
}

/** Reads on as a picker does: while fewer pages were read than the last one promised. */
async function everything(load: OptionSource<null>['load']): Promise<string[]> {
  const values: string[] = []
  for (let page = 0; ; page++) {
    const { options, total } = await load('', page, limit, new AbortController().signal)
    values.push(...options.map(option => option.value))
    if ((page + 1) * limit >= total) return values
  }
}

describe('The own ones first, then those of the library', () => {
  it.each([
    [0, 0],
    [0, 45],
    [5, 0],
    [5, 45],
    [20, 20],
    [45, 5],
    [40, 41],
    [61, 100],
  ])('%i own and %i others are all there, each once and in order', async (own, others) => {
    const load = oneAfterTheOther(numbered('own', own), numbered('other', others))
    const values = [
      ...Array.from({ length: own }, (_, index) => `own${index}`),
      ...Array.from({ length: others }, (_, index) => `other${index}`),
    ]
    expect(await everything(load)).toEqual(values)
  })
})
