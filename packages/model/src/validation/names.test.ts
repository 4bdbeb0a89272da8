import { expect, it } from 'vitest'
import { aKey, aList, anEntity, aRelationship, aResolvedModel, aTypeAttribute } from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { namingRules } from '../testing/naming-rules.ts'
import { entityNames, identifiers } from './names.ts'

it('Warnings: imported names that break a rule', () => {
  const long = 'a'.repeat(60)
  const entity = anEntity({
    name: 'My-Entity',
    typeAttributes: aList(aKey(), aTypeAttribute({ name: long })),
    entityAttributes: [aRelationship(anEntity({ name: 'Country' }), { foreignKeyTypeAttribute: 'country__id' })],
  })
  expect(
    entityFindings(entityNames, aResolvedModel([entity, anEntity()])).map(([severity, code, , path]) => [
      severity,
      code,
      path,
    ]),
  ).toEqual([
    ['warning', 'name', 'Shop/My-Entity'],
    ['warning', 'name', `Shop/My-Entity/country__id`],
    ['warning', 'name', `Shop/My-Entity/${long}`],
  ])
})

it('states the broken rule and shortens a hostile name', () => {
  const [finding] = entityFindings(entityNames, aResolvedModel([anEntity({ name: `${'x'.repeat(10_000)}\u0000` })]))
  expect(finding?.[2]).toContain('breaks a rule: this must be 2 to 120 characters long.')
  expect(finding?.[2]?.length).toBeLessThan(500)
})

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
