import { expect, it } from 'vitest'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { entityNames } from './names.ts'

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
  expect(finding?.[2]?.length).toBeLessThan(400)
})
