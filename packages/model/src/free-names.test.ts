import { describe, expect, it } from 'vitest'
import { FreeNames } from './free-names.ts'

describe('Free names', () => {
  it('free names are unchanged or get the first free number; case is ignored', () => {
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
