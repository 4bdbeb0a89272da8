import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { aKey, aTypeAttribute } from '../testing/builders.ts'
import { foreignKeyName, replacedAttribute } from './foreign-key-name.ts'
import { takenNames } from './taken-names.ts'

const neighbours = { primaryKey: 'id', taken: takenNames(['countryId']) }

describe('foreign key name', () => {
  it('Foreign key type attribute name: required', holds('E5.20'), () => {
    expect(foreignKeyName('', neighbours)).toBe('this is a required field')
  })

  it('Foreign key type attribute name: 2 to 50 characters', holds('E5.21', 'E5.24'), () => {
    const outside = 'this must be 2 to 50 characters long.'
    expect(['a', 'ab', 'a'.repeat(50), 'a'.repeat(51)].map(name => foreignKeyName(name, neighbours))).toEqual([
      outside,
      undefined,
      undefined,
      outside,
    ])
  })

  it('Foreign key type attribute name: follows the name pattern', holds('E5.5', 'E5.22', 'E5.24'), () => {
    expect(foreignKeyName('a__b', neighbours)).toContain('no consecutive underscores')
  })

  it('Foreign key type attribute name: different from other relationships', holds('E5.23', 'E5.26'), () => {
    expect(foreignKeyName('COUNTRYID', neighbours)).toBe(
      'A relationship with the foreign key "COUNTRYID" already exists.',
    )
  })

  it('New Relationship: foreign key equal to the primary key', holds('E5.25'), () => {
    expect(foreignKeyName('ID', neighbours)).toBe('Primary key should not be used as foreign key type attribute')
    expect(foreignKeyName('id', { ...neighbours, primaryKey: null })).toBeUndefined()
  })
})

describe('replaced attribute', () => {
  const attributes = [aKey(), aTypeAttribute({ name: 'countryId' })]

  it('A foreign key name that matches an existing non-key type attribute is found', holds('E5.31'), () => {
    expect(replacedAttribute('CountryId', attributes)?.name).toBe('countryId')
    expect(replacedAttribute('regionId', attributes)).toBeUndefined()
  })

  it('a foreign key name never matches the primary key', holds('E4.26'), () => {
    expect(replacedAttribute('id', attributes)).toBeUndefined()
  })
})
