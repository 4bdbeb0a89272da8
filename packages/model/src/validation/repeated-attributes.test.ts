import { expect, it } from 'vitest'
import {
  aResolvedModel,
  aKey,
  aList,
  anEntity,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { repeatedAttributes } from './repeated-attributes.ts'

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
