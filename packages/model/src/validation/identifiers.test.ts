import { expect, it } from 'vitest'
import { aResolvedModel, aKey, aList, anEntity, aTypeAttribute } from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { namingRules } from '../testing/naming-rules.ts'
import { identifiers } from './identifiers.ts'

const { postgresql, mysql, hsql } = namingRules

it('Warnings: reserved words of the databases that the licence allows', () => {
  const resolvedModel = aResolvedModel([
    anEntity({ name: 'Order', typeAttributes: aList(aKey(), aTypeAttribute({ name: 'title' })) }),
  ])
  expect(entityFindings(identifiers, resolvedModel, { databases: [postgresql, mysql] })).toEqual([
    ['warning', 'reservedWord', '"Order" is a reserved word of PostgreSQL, MySQL: an export quotes it.', 'Shop/Order'],
  ])
  expect(entityFindings(identifiers, resolvedModel, { databases: [] })).toEqual([])
})

it('Warnings: names too long for a licensed database', () => {
  const name = `a${'b'.repeat(69)}`
  const resolvedModel = aResolvedModel([
    anEntity({ name: 'Thing', typeAttributes: aList(aKey(), aTypeAttribute({ name })) }),
  ])
  expect(entityFindings(identifiers, resolvedModel, { databases: [postgresql, hsql, mysql] })).toEqual([
    [
      'warning',
      'nameTooLong',
      `"${name}" is too long for PostgreSQL, MySQL: an export shortens it.`,
      `Shop/Thing/${name}`,
    ],
  ])
})
