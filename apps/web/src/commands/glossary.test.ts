import { typeAttributeFields } from '@cadmus/model/fields/type-attribute'
import { relationshipFields } from '@cadmus/model/fields/relationship'
import { expect, it } from 'vitest'
import { explain } from './glossary.ts'

it.each([
  'Type Attribute',
  'Purpose',
  'Trait Reference',
  'EXCLUSIVE',
  'TEMPLATE',
  'Extended Attributes',
  'Standard',
  'Select All Scopes',
  'Martini-style package',
])('explains %s in plain sentences', word => {
  expect(explain(word)).toMatch(/^[A-Z].*\.$/)
})

it('explains the words of fields that are not plain English', () => {
  const labels = [...Object.values(typeAttributeFields), ...Object.values(relationshipFields)].flatMap(
    ({ panel }) => panel?.label ?? [],
  )
  const explained = [
    'Purpose',
    'Foreign Key Purpose',
    'Trait Reference',
    'Target Entity Attribute',
    'On Delete',
    'Format',
  ]
  expect(explained.filter(label => !labels.includes(label) || explain(label) === undefined)).toEqual([])
})

it('does not explain words in plain English', () => {
  expect(['Name', 'toString', ''].map(explain)).toEqual(Array(3).fill(undefined))
})
