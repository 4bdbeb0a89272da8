import { expect, it } from 'vitest'
import { bestMatches } from './match-rank.ts'

it('what is called just so comes first, then what begins so, then the rest, each in its order', () => {
  const names = ['Reorder', 'OrderLine', 'Customer', 'order', 'Orders']
  expect(bestMatches(names, name => [name], ' ORDER ')).toEqual(['order', 'OrderLine', 'Orders', 'Reorder'])
})

it('where nothing is searched for the order stays', () => {
  expect(bestMatches(['b', 'a'], name => [name], '  ')).toEqual(['b', 'a'])
})
