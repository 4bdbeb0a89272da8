import { describe, expect, it } from 'vitest'
import { aKey, aTypeAttribute } from '../testing/builders.ts'
import { foreignKeyName, replacedAttribute } from './foreign-key-name.ts'
import { takenNames } from './taken-names.ts'

const neighbours = { primaryKey: 'id', taken: takenNames(['countryId']) }

describe('foreign key name', () => {
  it('E5.20 Foreign key type attribute name: required', () => {
    expect(foreignKeyName('', neighbours)).toBe('this is a required field')
  })

  it('E5.21 E5.24 Foreign key type attribute name: 2 to 50 characters', () => {
    const outside = 'this must be 2 to 50 characters long.'
    expect(['a', 'ab', 'a'.repeat(50), 'a'.repeat(51)].map(name => foreignKeyName(name, neighbours))).toEqual([
      outside,
      undefined,
      undefined,
      outside,
    ])
  })

  it('E5.5 E5.22 E5.24 Foreign key type attribute name: follows the name pattern', () => {
    expect(foreignKeyName('a__b', neighbours)).toContain('no consecutive underscores')
  })

  it('E5.23 E5.26 Foreign key type attribute name: different from other relationships', () => {
    expect(foreignKeyName('COUNTRYID', neighbours)).toBe(
      'A relationship with the foreign key "COUNTRYID" already exists.',
    )
  })

  it('E5.25 New Relationship: foreign key equal to the primary key', () => {
    expect(foreignKeyName('ID', neighbours)).toBe('Primary key should not be used as foreign key type attribute')
    expect(foreignKeyName('id', { ...neighbours, primaryKey: null })).toBeUndefined()
  })
})

describe('replaced attribute', () => {
  const attributes = [aKey(), aTypeAttribute({ name: 'countryId' })]

  it('E5.31 A foreign key name that matches an existing non-key type attribute is found', () => {
    expect(replacedAttribute('CountryId', attributes)?.name).toBe('countryId')
    expect(replacedAttribute('regionId', attributes)).toBeUndefined()
  })

  it('E4.26 never takes the key', () => {
    expect(replacedAttribute('id', attributes)).toBeUndefined()
  })
})
