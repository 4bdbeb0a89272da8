import { expect, it } from 'vitest'
import { bestMatches } from './match-rank.ts'

it('orders exact matches first, then prefixes, then the rest', () => {
  const names = ['Reorder', 'OrderLine', 'Customer', 'order', 'Orders']
  expect(bestMatches(names, name => [name], ' ORDER ')).toEqual(['order', 'OrderLine', 'Orders', 'Reorder'])
})

it('the order is unchanged without a search text', () => {
  expect(bestMatches(['b', 'a'], name => [name], '  ')).toEqual(['b', 'a'])
})
