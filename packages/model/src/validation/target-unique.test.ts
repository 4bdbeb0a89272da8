import { expect, it } from 'vitest'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import { entityFindings } from '../testing/findings.ts'
import { targetUnique } from './target-unique.ts'

it('Warnings: a target attribute that is neither key nor unique', () => {
  const country = anEntity({
    name: 'Country',
    typeAttributes: aList(aKey(), aTypeAttribute({ name: 'code', unique: true }), aTypeAttribute({ name: 'label' })),
  })
  const pair = anEntity({ name: 'Pair', typeAttributes: aList(aKey({ name: 'a' }), aKey({ name: 'b' })) })
  const link = (target: typeof country, attribute: string) =>
    aRelationship(target, { associatedEntityTypeAttribute: attribute, foreignKeyTypeAttribute: `to_${attribute}` })
  const entityAttributes = [link(country, 'id'), link(country, 'code'), link(country, 'label'), link(pair, 'a')]
  const order = anEntity({ name: 'Order', entityAttributes })
  const messagesFor = (attribute: string) =>
    `to_${attribute.split('.')[1]} refers to ${attribute}, which is neither the primary key nor unique: its column has no constraint.`
  expect(entityFindings(targetUnique, aResolvedModel([order, country, pair]))).toEqual([
    ['warning', 'targetNotUnique', messagesFor('Country.label'), 'Shop/Order/to_label'],
    ['warning', 'targetNotUnique', messagesFor('Pair.a'), 'Shop/Order/to_a'],
  ])
})
