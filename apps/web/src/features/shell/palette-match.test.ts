import { describe, expect, it } from 'vitest'
import { bestFit, fitOf } from './palette-match.ts'

const order = (typed: string, names: readonly string[]) =>
  names
    .map(name => ({ name, fit: fitOf(name, typed) }))
    .filter(({ fit }) => fit !== null)
    .toSorted((one, other) => (one.fit ?? 0) - (other.fit ?? 0))
    .map(({ name }) => name)

describe('the matcher of the palette', () => {
  it('ranks exact names first, then prefixes, word starts, substrings and scattered letters', () => {
    const names = ['Reorder', 'Order', 'OrderLine', 'PurchaseOrder', 'OldRed', 'Customer']
    expect(order('order', names)).toEqual(['Order', 'OrderLine', 'PurchaseOrder', 'Reorder'])
    expect(order('old', names)).toEqual(['OldRed'])
  })

  it('matches scattered letters from a word start on', () => {
    expect(order('cstmr', ['Customer', 'Contact', 'MyCustomer'])).toEqual(['Customer', 'MyCustomer'])
    expect(fitOf('Customer', 'ustmr')).toBeNull()
    expect(fitOf('Customer', 'rc')).toBeNull()
  })

  it('matches several words in any order', () => {
    expect(fitOf('Export Database Schema', 'schema exp')).not.toBeNull()
    expect(fitOf('Export Database Schema', 'schema import')).toBeNull()
  })

  it('ranks matches of synonyms after matches of the label', () => {
    const theme = bestFit('Switch theme: Dark', ['appearance'], 'appear')
    const own = bestFit('Appearance', [], 'appear')
    expect(theme).not.toBeNull()
    expect(Number(own)).toBeLessThan(Number(theme))
    expect(bestFit('Logout', ['sign out'], 'zzz')).toBeNull()
  })

  it('matches words of the label and of synonyms together', () => {
    expect(bestFit('New Manifest', ['create', 'add model'], 'create manifest')).not.toBeNull()
    expect(bestFit('New Manifest', ['create', 'add model'], 'manifest  CREATE')).not.toBeNull()
    expect(bestFit('New Entity', ['create', 'add table'], 'create manifest')).toBeNull()
  })
})
