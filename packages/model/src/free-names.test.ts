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
})
