import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { manifestName } from './manifest-name.ts'
import { takenNames } from './taken-names.ts'

describe('manifest name', () => {
  it('Manifest name is required', holds('M5.1'), () => {
    expect(manifestName('')).toBe('this is a required field')
  })

  it('Manifest name: 2 to 50 characters', holds('M5.3', 'M5.4'), () => {
    const outside = 'this must be 2 to 50 characters long.'
    expect(['a', 'ab', 'a'.repeat(50), 'a'.repeat(51)].map(name => manifestName(name))).toEqual([
      outside,
      undefined,
      undefined,
      outside,
    ])
  })

  it('Manifest name follows the name pattern', holds('M5.6', 'M5.7'), () => {
    expect(manifestName('my-name')).toContain('alphanumeric')
    expect(manifestName('my__name')).toContain('alphanumeric')
  })

  it('a manifest name is unique in its organisation', () => {
    const taken = takenNames(['Shop'])
    expect(manifestName('SHOP', { taken })).toBe('A manifest with the name "SHOP" already exists.')
    expect(manifestName('Sales', { taken })).toBeUndefined()
  })
})
