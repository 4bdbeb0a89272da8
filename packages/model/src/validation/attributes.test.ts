import { describe, expect, it } from 'vitest'
import {
  aKey,
  aList,
  anEntity,
  aRelationship,
  aResolvedModel,
  aTypeAttribute,
  referenceTo,
} from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import {
  choiceTypes,
  defaultValues,
  keyTypes,
  maxLengths,
  missingKey,
  repeatedAttributes,
  secondKey,
  uniqueObjects,
} from './attributes.ts'

const country = anEntity({ name: 'Country' })

it('Errors: repeated names among attributes and foreign keys', () => {
  const parent = anEntity({
    name: 'Parent',
    typeAttributes: aList(aKey(), aTypeAttribute({ name: 'countryId' })),
    entityAttributes: [aRelationship(country, { position: 2, foreignKeyTypeAttribute: 'CountryId' })],
  })
  const child = anEntity({ name: 'Child', extendsEntity: referenceTo(parent) })
  expect(entityFindings(repeatedAttributes, aResolvedModel([child, country], [parent]))).toEqual([
    ['error', 'repeatedAttribute', 'Parent has more than one attribute named "CountryId".', 'Parent/CountryId'],
  ])
})

it('an own attribute overrides an inherited one of the same name', () => {
  const parent = anEntity({ name: 'Parent', typeAttributes: aList(aKey(), aTypeAttribute({ name: 'title' })) })
  const child = anEntity({
    extendsEntity: referenceTo(parent),
    typeAttributes: aList(aKey(), aTypeAttribute({ name: 'Title' })),
  })
  expect(entityFindings(repeatedAttributes, aResolvedModel([parent, child]))).toEqual([])
})

const keyless = anEntity({ name: 'Note', typeAttributes: [aTypeAttribute()] })

describe('keys', () => {
  it('Errors: primary key of a type other than integer or string', () => {
    const entity = anEntity({ name: 'Event', typeAttributes: [aKey({ name: 'at', dataType: 'boolean' })] })
    expect(entityFindings(keyTypes, aResolvedModel([entity, anEntity()]))).toEqual([
      [
        'error',
        'keyType',
        'The primary key at of Event is boolean: it must be an integer or a string.',
        'Shop/Event/at',
      ],
    ])
  })

  it.each([
    ['warning', { dataType: 'dateTime' }],
    ['warning', { dataType: 'dateTime', format: 'date' }],
    ['warning', { dataType: 'double', precision: 9, scale: 2 }],
    ['warning', { dataType: 'float', format: 'decimal' }],
    ['error', { dataType: 'double' }],
    ['error', { dataType: 'object' }],
  ] as const)('Severity of a primary key of another type: %s for %j', (severity, type) => {
    const entity = anEntity({ name: 'Event', typeAttributes: [aKey({ name: 'at', ...type })] })
    const [finding] = entityFindings(keyTypes, aResolvedModel([entity]))
    expect(finding?.slice(0, 3)).toEqual([
      severity,
      'keyType',
      `The primary key at of Event is ${type.dataType}: ${
        severity === 'warning' ? 'integers and strings are served best' : 'it must be an integer or a string'
      }.`,
    ])
  })

  it('Warnings: an entity without a primary key; an error for a package with an API', () => {
    const resolvedModel = aResolvedModel([keyless, anEntity()])
    expect(entityFindings(missingKey, resolvedModel)).toEqual([
      ['warning', 'noKey', 'Note has no primary key.', 'Shop/Note'],
    ])
    expect(entityFindings(missingKey, resolvedModel, { forApi: true }).map(([severity]) => severity)).toEqual(['error'])
  })

  it('Warnings: an own primary key in addition to an inherited one', () => {
    const parent = anEntity({ name: 'Contact', typeAttributes: [aKey({ name: 'contactId' })] })
    const child = anEntity({ name: 'Patient', extendsEntity: referenceTo(parent) })
    const hiding = anEntity({
      name: 'Nurse',
      typeAttributes: parent.typeAttributes,
      extendsEntity: referenceTo(parent),
    })
    const message =
      'Patient has two keys: id of its own, and contactId, which it inherits from Contact. Make id an ordinary attribute.'
    expect(entityFindings(secondKey, aResolvedModel([child, hiding], [parent]))).toEqual([
      ['warning', 'twoKeys', message, 'Shop/Patient/id'],
    ])
  })

  it('accepts an inherited primary key', () => {
    const parent = anEntity({ name: 'Parent' })
    const child = anEntity({ name: 'Child', typeAttributes: [], extendsEntity: referenceTo(parent) })
    expect(entityFindings(missingKey, aResolvedModel([child], [parent]))).toEqual([])
  })

  it('an entity replaced by a subtype of the same name requires no key', () => {
    const derived = anEntity({ name: 'Note', extendsEntity: referenceTo(keyless) })
    expect(entityFindings(missingKey, aResolvedModel([keyless, derived]))).toEqual([])
  })
})

it('Warnings: a unique or indexed attribute of type object', () => {
  const entity = anEntity({
    name: 'Order',
    typeAttributes: [
      aTypeAttribute({ name: 'data', dataType: 'object', unique: true }),
      aTypeAttribute({ name: 'more', dataType: 'object', indexed: true }),
      aTypeAttribute({ name: 'plain', dataType: 'object' }),
      aTypeAttribute({ name: 'code', unique: true }),
    ],
  })
  expect(entityFindings(uniqueObjects, aResolvedModel([entity]))).toEqual([
    ['warning', 'notIndexable', 'data is an object: it can be neither unique nor indexed.', 'Shop/Order/data'],
    ['warning', 'notIndexable', 'more is an object: it can be neither unique nor indexed.', 'Shop/Order/more'],
  ])
})

it('Warnings: a choice of another type, or longer than the max length', () => {
  const entity = anEntity({
    name: 'Order',
    typeAttributes: [
      aTypeAttribute({ name: 'state', dataType: 'integer', choices: ['1', 'two', 'three'] }),
      aTypeAttribute({ name: 'size', maxLength: 2, choices: ['XL', 'XXL'] }),
      aTypeAttribute({ name: 'kind', maxLength: 2, choices: ['a', '😀😀'] }),
    ],
  })
  expect(entityFindings(choiceTypes, aResolvedModel([entity]))).toEqual([
    [
      'warning',
      'choicesType',
      'The choice "two" of state is not a valid value, so choices are not checked: this must be a whole number.',
      'Shop/Order/state',
    ],
    [
      'warning',
      'choicesLength',
      'The choice "XXL" of size can never be stored: this must be at most 2 characters long.',
      'Shop/Order/size',
    ],
  ])
})

it('Warnings: a default value that does not fit its attribute', () => {
  const entity = anEntity({
    name: 'Order',
    typeAttributes: [
      aTypeAttribute({ name: 'placed', dataType: 'dateTime', defaultValue: 'yesterday' }),
      aTypeAttribute({ name: 'state', choices: ['open'], defaultValue: 'closed' }),
      aTypeAttribute({ name: 'total', dataType: 'double', defaultValue: '.5' }),
    ],
  })
  expect(entityFindings(defaultValues, aResolvedModel([entity]))).toEqual([
    [
      'warning',
      'defaultType',
      'The default value of placed is invalid: this must be a date and time such as 2026-01-31T13:45:00Z.',
      'Shop/Order/placed',
    ],
    [
      'warning',
      'defaultType',
      'The default value of state is invalid: this must be one of the choices.',
      'Shop/Order/state',
    ],
  ])
})

it('Warnings: a max length that no database supports', () => {
  const entity = anEntity({
    name: 'Order',
    typeAttributes: [
      aTypeAttribute({ name: 'endless', maxLength: 1e12 }),
      aTypeAttribute({ name: 'beyond', maxLength: 1e21 }),
      aTypeAttribute({ name: 'longest', maxLength: 2_147_483_647 }),
      aTypeAttribute({ name: 'open' }),
    ],
  })
  expect(entityFindings(maxLengths, aResolvedModel([entity]))).toEqual([
    [
      'warning',
      'maxLength',
      'The max length of endless is not supported by databases: this must be a number from 1 to 2147483647.',
      'Shop/Order/endless',
    ],
    [
      'warning',
      'maxLength',
      'The max length of beyond is not supported by databases: this must contain only digits.',
      'Shop/Order/beyond',
    ],
  ])
})
