import { expect, it } from 'vitest'
import type { Property } from '../../ui/property.ts'
import { propertyCommands } from './property-commands.ts'

const applied: unknown[] = []
const onApply = (value: unknown) => void applied.push(value)
const flag = { id: 'nullable', label: 'Nullable', editor: 'checkbox', value: false, onApply } as const
const options = ['string', 'integer'].map(value => ({ value, label: value }))
const type = { id: 'dataType', label: 'Data Type', editor: 'select', value: 'string', options, onApply } as const

function commandsOf(...properties: Property[]) {
  return propertyCommands({ id: 'several', title: '3 Type Attributes', properties })
}
const labels = (...properties: Property[]) => commandsOf(...properties).map(({ label }) => label)

it('the palette offers the other values of the chosen rows, and the editors of fields without a list of values', () => {
  expect(labels(flag, type)).toEqual(['Nullable: Yes', 'Data Type: integer'])
  expect(labels({ ...flag, mixed: '(several)' })).toEqual(['Nullable: Yes', 'Nullable: No'])
  const many = Array.from({ length: 21 }, (_, at) => ({ value: `${at}`, label: `${at}` }))
  expect(labels({ ...type, options: many })).toEqual(['Edit Data Type'])
  expect(labels({ id: 'description', label: 'Description', editor: 'text', value: '', onApply })).toEqual([
    'Edit Description',
  ])
  expect(labels({ id: 'nullable', label: 'Nullable', editor: 'shown', value: 'No' })).toEqual([])
})

it('a command of the palette sets the field and names the chosen rows', () => {
  const [yes] = commandsOf(flag)
  void yes?.run({})
  expect([yes?.detail, applied]).toEqual(['3 Type Attributes', [true]])
})
