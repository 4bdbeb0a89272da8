import { describe, expect, it } from 'vitest'
import { freeNames } from './free-names.ts'

describe('The names of imported manifests', () => {
  it('are their own, or have the first free number behind them; upper and lower case are one name', () => {
    const nameOf = freeNames(['sales', 'sales_3'])
    expect(['Sales', 'sales', 'Sales_2', 'stock', 'Stock', 'sales'].map(nameOf)).toEqual([
      'Sales_2',
      'sales_4',
      'Sales_2_2',
      'stock',
      'Stock_2',
      'sales_5',
    ])
  })

  it('cost what they are many, also where all are the same', () => {
    const nameOf = freeNames([])
    const start = performance.now()
    const given = Array.from({ length: 20_000 }, () => nameOf('default'))
    expect(new Set(given).size).toBe(20_000)
    expect(given.at(-1)).toBe('default_20000')
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
