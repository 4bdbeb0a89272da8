import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holds } from '@cadmus/testing/holds'
import { limits } from '../limits.ts'
import { aKey, aTypeAttribute } from '../testing/builders.ts'
import { takenNames } from './names.ts'
import {
  alternativeTargets,
  associatedEntity,
  foreignKeyName,
  newForeignKeyName,
  replacedAttribute,
  targetAttribute,
} from './relationship.ts'

describe('associated entity', () => {
  it("Associated entity: 'Required' when empty", holds('E5.29', 'E5.30'), () => {
    expect(associatedEntity(null, { entityId: 7 })).toBe('Required')
    expect(associatedEntity({ id: -1 }, { entityId: 7 })).toBe('Required')
  })

  it('The associated entity cannot be the parent entity itself', holds('E5.35'), () => {
    expect(associatedEntity({ id: 7 }, { entityId: 7 })).toBe(
      'The associated entity cannot be the parent entity itself.',
    )
    expect(associatedEntity({ id: 8 }, { entityId: 7 })).toBeUndefined()
    expect(associatedEntity({ id: 8 }, {})).toBeUndefined()
  })
})

const target = (name: string, path = '', attribute = 'id') => ({ entity: { id: -1, name, path }, attribute })
const longest = 'x'.repeat(limits.targetText)

it('limits the name, path and attribute of an alternative target to 1000 characters', () => {
  expect(alternativeTargets([target(longest, longest, longest)])).toBeUndefined()
  for (const invalid of [target(`${longest}x`), target('a', `${longest}x`), target('a', '', `${longest}x`)])
    expect(alternativeTargets([target('a'), invalid])).toBe(
      'Each text of another target can have at most 1000 characters.',
    )
})

it('keeps an existing alternative target that is too long', () => {
  const imported = target('a', `${longest}x`)
  expect(alternativeTargets([target('b'), imported], [imported])).toBeUndefined()
})

describe('target attribute', () => {
  it('New Relationship: target attribute required', holds('E5.27'), () => {
    expect(targetAttribute(' ')).toBe('this is a required field')
  })

  it('New Relationship: target attribute 2 to 50 characters', holds('E5.28'), () => {
    const outside = 'this must be 2 to 50 characters long.'
    expect(['a', 'id', 'a'.repeat(50), 'a'.repeat(51)].map(targetAttribute)).toEqual([
      outside,
      undefined,
      undefined,
      outside,
    ])
  })
})

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

describe('default name of a new foreign key', () => {
  it.each([
    ['Patient', 'id', 'patientId'],
    ['patient', 'code', 'patientCode'],
    ['order_line', 'id', 'order_line_id'],
    ['CUSTOMER', 'ID', 'CUSTOMER_ID'],
    ['Order', 'orderNumber', 'orderNumber'],
  ])('for %s and its attribute %s is %s', (entity, attribute, name) => {
    expect(newForeignKeyName(entity, attribute, [])).toBe(name)
  })

  it('gets a number if the name is in use in any letter case', () => {
    expect(newForeignKeyName('Patient', 'id', ['PATIENTID', 'patientId_2'])).toBe('patientId_3')
  })

  it('is always a valid name of a foreign key', () => {
    const names = (max: number) =>
      fc
        .array(fc.constantFrom('a', 'Zz', '_b', '_9', '7'), { minLength: 1, maxLength: max })
        .map(parts => `N${parts.join('')}`.slice(0, max).replace(/_$/, 'x'))
    fc.assert(
      fc.property(
        names(limits.entityName.max),
        names(limits.attributeName.max),
        fc.nat(20),
        (entity, attribute, used) => {
          const taken: string[] = []
          for (let index = 0; index <= used; index++) {
            const name = newForeignKeyName(entity, attribute, taken)
            expect(foreignKeyName(name, { primaryKey: 'key', taken: takenNames(taken) })).toBeUndefined()
            taken.push(name)
          }
        },
      ),
    )
  })
})
