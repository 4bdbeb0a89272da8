import { processorTime } from '@cadmus/testing/processor-time'
import { describe, expect, it } from 'vitest'
import { FreeNames } from './free-names.ts'

describe('Free names', () => {
  it('are their own, or have the first free number behind them; upper and lower case are one name', () => {
    const free = new FreeNames({ taken: ['sales', 'sales_3'] })
    expect(['Sales', 'sales', 'Sales_2', 'stock', 'Stock', 'sales'].map(name => free.take(name))).toEqual([
      'Sales_2',
      'sales_4',
      'Sales_2_2',
      'stock',
      'Stock_2',
      'sales_5',
    ])
  })

  it('cost what they are many, also where all are the same', () => {
    const free = new FreeNames()
    const start = processorTime()
    const given = Array.from({ length: 20_000 }, () => free.take('default'))
    expect(new Set(given).size).toBe(20_000)
    expect(given.at(-1)).toBe('default_20000')
    expect(processorTime() - start).toBeLessThan(2000)
  })
})
