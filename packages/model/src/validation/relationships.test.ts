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
import { relationships, setNullRequired, targetUnique } from './relationships.ts'

const country = anEntity({ name: 'Country' })

function order(fields: Parameters<typeof aRelationship>[1] = {}, target = country) {
  return anEntity({ name: 'Order', entityAttributes: [aRelationship(target, fields)] })
}

describe('relationships', () => {
  it('accepts a valid relationship and a self-reference', () => {
    const self = anEntity({ name: 'Person', id: 8201 })
    const person = { ...self, entityAttributes: [aRelationship(self, { foreignKeyTypeAttribute: 'managerId' })] }
    expect(entityFindings(relationships, aResolvedModel([order(), country, person]))).toEqual([])
  })

  it('Errors: a relationship whose target does not exist', () => {
    expect(entityFindings(relationships, aResolvedModel([order()]))).toEqual([
      ['error', 'targetGone', `countryId refers to ${country.path}, which does not exist.`, 'Shop/Order/countryId'],
    ])
  })

  it('Errors: a relationship whose target attribute does not exist', () => {
    expect(
      entityFindings(relationships, aResolvedModel([order({ associatedEntityTypeAttribute: 'code' }), country])),
    ).toEqual([
      [
        'error',
        'targetAttributeGone',
        'countryId refers to Country.code, which does not exist.',
        'Shop/Order/countryId',
      ],
    ])
  })

  it('Errors: target type other than the foreign key type', () => {
    expect(entityFindings(relationships, aResolvedModel([order({ foreignKeyDataType: 'string' }), country]))).toEqual([
      [
        'error',
        'targetType',
        'countryId is string, but Country.id, which it refers to, is integer.',
        'Shop/Order/countryId',
      ],
    ])
  })

  it('accepts a target that only imported schemas have as key, whose type the foreign key has', () => {
    const event = anEntity({
      name: 'Event',
      typeAttributes: [aKey({ name: 'day', dataType: 'dateTime', format: 'date' })],
    })
    const visit = anEntity({
      name: 'Visit',
      entityAttributes: [aRelationship(event, { associatedEntityTypeAttribute: 'day', foreignKeyDataType: 'string' })],
    })
    expect(entityFindings(relationships, aResolvedModel([event, visit]))).toEqual([])
  })

  it('Warnings: a relationship to an entity outside the manifest', () => {
    expect(entityFindings(relationships, aResolvedModel([order()], [country]))).toEqual([
      [
        'warning',
        'external',
        `countryId refers to ${country.path} outside the manifest: its column has no constraint.`,
        'Shop/Order/countryId',
      ],
    ])
  })

  it('Warnings: a relationship with alternative targets', () => {
    const alternative = order({ alternativeTargets: [{ entity: referenceTo(country), attribute: 'id' }] })
    expect(entityFindings(relationships, aResolvedModel([alternative, country]))).toEqual([
      [
        'warning',
        'alternatives',
        'countryId may refer to more than one entity: its column has no constraint.',
        'Shop/Order/countryId',
      ],
    ])
  })

  it('accepts an inherited target attribute, and one of the most derived entity of the name', () => {
    const land = anEntity({ name: 'Land', typeAttributes: [], extendsEntity: referenceTo(country) })
    expect(entityFindings(relationships, aResolvedModel([order({}, land), land], [country]))).toEqual([])
    const derived = anEntity({
      name: 'Country',
      extendsEntity: referenceTo(country),
      typeAttributes: aList(aKey(), aTypeAttribute({ name: 'code' })),
    })
    const byCode = order({ associatedEntityTypeAttribute: 'code', foreignKeyDataType: 'string' })
    expect(entityFindings(relationships, aResolvedModel([byCode, country, derived]))).toEqual([])
  })

  it('reports no missing target attribute if the target may inherit it from an unknown parent', () => {
    const land = anEntity({ name: 'Land', typeAttributes: [], extendsEntity: { id: 4711, name: 'Gone', path: 'x' } })
    expect(entityFindings(relationships, aResolvedModel([order({}, land), land]))).toEqual([])
  })
})

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

it('Warnings: setNull on a required foreign key', () => {
  const country = anEntity({ name: 'Country' })
  const link = (name: string, fields: Parameters<typeof aRelationship>[1]) =>
    aRelationship(country, { foreignKeyTypeAttribute: name, ...fields })
  const order = anEntity({
    name: 'Order',
    entityAttributes: [
      link('from', { onDelete: 'setNull', nullable: false }),
      link('to', { onDelete: 'setNull' }),
      link('via', { onDelete: 'cascade', nullable: false }),
    ],
  })
  expect(entityFindings(setNullRequired, aResolvedModel([order, country]))).toEqual([
    [
      'warning',
      'setNullRequired',
      'from is required, so deleting its target cannot clear it: the deletion is refused.',
      'Shop/Order/from',
    ],
  ])
})
