import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { takenNames } from './taken-names.ts'
import { typeAttributeName } from './type-attribute-name.ts'

const taken = takenNames(['title', 'id'])

describe('type attribute name', () => {
  it('Type attribute name: required', holds('E5.14'), () => {
    expect(typeAttributeName('', { taken })).toBe('this is a required field')
  })

  it('Type attribute name: 2 to 50 characters', holds('E5.15'), () => {
    const outside = 'this must be 2 to 50 characters long.'
    expect(['a', 'ab', 'a'.repeat(50), 'a'.repeat(51)].map(name => typeAttributeName(name, { taken }))).toEqual([
      outside,
      undefined,
      undefined,
      outside,
    ])
  })

  it('Type attribute name: follows the name pattern', holds('E5.5', 'E5.16'), () => {
    expect(typeAttributeName('a__b', { taken })).toContain('no consecutive underscores')
  })

  it('Type attribute name: different from the other type attributes', holds('E5.17', 'E4.47'), () => {
    expect(typeAttributeName('TITLE', { taken })).toBe('A type attribute with the name "TITLE" already exists.')
    expect(typeAttributeName('titles', { taken })).toBeUndefined()
  })

  it('Type attribute name: different from the foreign keys of the entity', () => {
    const foreignKeys = takenNames(['countryId'])
    expect(typeAttributeName('countryId', { taken, foreignKeys })).toBe(
      'A relationship with the foreign key "countryId" already exists.',
    )
  })
})
