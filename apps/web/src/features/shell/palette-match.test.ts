import { processorTime } from '@cadmus/testing/processor-time'
import { describe, expect, it } from 'vitest'
import { bestFit, fitOf } from './palette-match.ts'

const order = (typed: string, names: readonly string[]) =>
  names
    .map(name => ({ name, fit: fitOf(name, typed) }))
    .filter(({ fit }) => fit !== null)
    .toSorted((one, other) => (one.fit ?? 0) - (other.fit ?? 0))
    .map(({ name }) => name)

describe('The palette finds', () => {
  it('exact names first, then starts, starts of words, parts, and scattered letters', () => {
    const names = ['Reorder', 'Order', 'OrderLine', 'PurchaseOrder', 'OldRed', 'Customer']
    expect(order('order', names)).toEqual(['Order', 'OrderLine', 'PurchaseOrder', 'Reorder'])
    expect(order('old', names)).toEqual(['OldRed'])
  })

  it('letters in their order, from the start of a word on', () => {
    expect(order('cstmr', ['Customer', 'Contact', 'MyCustomer'])).toEqual(['Customer', 'MyCustomer'])
    expect(fitOf('Customer', 'ustmr')).toBeNull()
    expect(fitOf('Customer', 'rc')).toBeNull()
  })

  it('several words in any order', () => {
    expect(fitOf('Export Database Schema', 'schema exp')).not.toBeNull()
    expect(fitOf('Export Database Schema', 'schema import')).toBeNull()
  })

  it('by other words too, after what has the words itself', () => {
    const theme = bestFit('Switch theme: Dark', ['appearance'], 'appear')
    const own = bestFit('Appearance', [], 'appear')
    expect(theme).not.toBeNull()
    expect(Number(own)).toBeLessThan(Number(theme))
    expect(bestFit('Logout', ['sign out'], 'zzz')).toBeNull()
  })

  it('by its own and other words together', () => {
    expect(bestFit('New Manifest', ['create', 'add model'], 'create manifest')).not.toBeNull()
    expect(bestFit('New Manifest', ['create', 'add model'], 'manifest  CREATE')).not.toBeNull()
    expect(bestFit('New Entity', ['create', 'add table'], 'create manifest')).toBeNull()
  })

  it('in a time that does not depend on how hostile the text is', () => {
    const long = 'aA'.repeat(50_000)
    const begin = processorTime()
    fitOf(long, `${'a'.repeat(200)}z`)
    expect(processorTime() - begin).toBeLessThan(2000)
  })
})
