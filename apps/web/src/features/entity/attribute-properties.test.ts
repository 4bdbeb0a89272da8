import { newEntityContent } from '@cadmus/model/entity'
import { newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { draftKey } from '../../drafts/draft-key.ts'
import type { Property } from '../../ui/property.ts'
import { attributeProperties } from './EntityProperties.tsx'
import { entityDrafts, entityStandIn } from '../../drafts/entity-draft.ts'

function propertiesOf(fields: Partial<TypeAttribute>, locked: string | null = null): readonly Property[] {
  const attribute = newTypeAttribute({ name: 'price', position: 0, ...fields })
  const entity = entityStandIn(1, newEntityContent({ name: 'Order', typeAttributes: [attribute] }), undefined)
  const draft = entityDrafts.open(entity, '"1"')
  return attributeProperties({ key: draftKey(1, undefined), draft, locked }, attribute.uid)?.properties ?? []
}

const labels = (properties: readonly Property[]) => properties.map(({ label }) => label)
const shared = ['Default Value', 'Description', 'Choices', 'Unique', 'Indexed']

describe('the properties of a type attribute', () => {
  it('show the fields that apply to its data type, in their order', holds('E3.40'), () => {
    const head = ['Name', 'Data Type', 'Format', 'Purpose', 'Nullable']
    expect(labels(propertiesOf({}))).toEqual([...head, 'Max Length', ...shared])
    expect(labels(propertiesOf({ dataType: 'double' }))).toEqual([...head, 'Precision', 'Scale', ...shared])
    expect(labels(propertiesOf({ dataType: 'integer' }))).toEqual([...head, 'Precision', ...shared])
    expect(labels(propertiesOf({ dataType: 'boolean' }))).toEqual([
      'Name',
      'Data Type',
      'Purpose',
      'Nullable',
      ...shared.filter(label => label !== 'Choices'),
    ])
    expect(labels(propertiesOf({ dataType: 'boolean', choices: ['yes'] }))).toContain('Choices')
  })

  it('offer the possible values as defaults', () => {
    const offered = (fields: Partial<TypeAttribute>) => {
      const property = propertiesOf(fields).find(({ id }) => id === 'defaultValue')
      return property?.editor === 'select'
        ? [property.value, property.options.map(({ value }) => value)]
        : property?.editor
    }
    expect(offered({ dataType: 'boolean' })).toEqual(['none', ['none', 'true', 'false']])
    expect(offered({ dataType: 'boolean', defaultValue: 'false' })).toEqual(['false', ['none', 'true', 'false']])
    expect(offered({ dataType: 'boolean', defaultValue: 'x' })).toEqual(['x', ['none', 'true', 'false', 'x']])
    expect(offered({ choices: ['Open', 'Paid'] })).toEqual(['none', ['none', 'Open', 'Paid']])
    expect(offered({ choices: ['none'] })).toBe('text')
    expect(offered({ choices: Array.from({ length: 201 }, (_, at) => `${at}`) })).toBe('text')
    expect(offered({ dataType: 'integer' })).toBe('text')
  })

  it('offer what the database computes for its type, in place of a default value', () => {
    const shown = (fields: Partial<TypeAttribute>) =>
      propertiesOf(fields).flatMap(property => {
        if (property.id !== 'defaultKind' && property.id !== 'defaultValue') return []
        return property.editor === 'select' ? [property.options.map(({ value }) => value).join(' or ')] : [property.id]
      })
    const moment = { dataType: 'dateTime', format: 'instant' } as const
    expect(shown({})).toEqual(['defaultValue'])
    expect(shown(moment)).toEqual(['literal or now', 'defaultValue'])
    expect(shown({ ...moment, defaultKind: 'now' })).toEqual(['literal or now'])
    expect(shown({ format: 'guid' })).toEqual(['literal or uuid', 'defaultValue'])
    expect(shown({ format: 'guid', defaultKind: 'uuid' })).toEqual(['literal or uuid'])
  })

  it('find a data type by its formats and show the first of them', () => {
    const shown = (fields: Partial<TypeAttribute>, id: string) => {
      const property = propertiesOf(fields).find(one => one.id === id)
      return property?.editor === 'select' ? property : undefined
    }
    const found = (word: string) =>
      shown({}, 'dataType')?.options.flatMap(({ label, words = [] }) => (words.includes(word) ? [label] : []))
    expect(found('guid')).toEqual(['string'])
    expect(found('decimal')).toEqual(['double', 'float'])
    expect(found('date')).toEqual(['dateTime', 'string'])
    expect(found('json')).toEqual(['object', 'string'])
    expect(shown({}, 'format')?.value).toBe('any (guid, fixed, text, …)')
    expect(shown({ dataType: 'double' }, 'format')?.options.map(({ label }) => label)).toEqual([
      'any (decimal)',
      'decimal',
    ])
    expect(shown({ format: 'guid' }, 'format')?.value).toBe('guid')
  })

  it('are shown as text if the entity is locked', () => {
    const fields: Partial<TypeAttribute> = { dataType: 'double', precision: 12, choices: ['1', '2'], unique: true }
    const shown = propertiesOf(fields, 'It is predefined.')
    expect(labels(shown)).toEqual(labels(propertiesOf(fields)))
    expect(shown.map(property => property.editor === 'shown' && property.value)).toEqual([
      'price',
      'double',
      '',
      'hasA',
      'No',
      '12',
      '',
      '',
      '',
      '1, 2',
      'Yes',
      'No',
    ])
  })

  it('validate input by the rules of the fields', holds('E5.18'), () => {
    const judged = (fields: Partial<TypeAttribute>, id: string, text: string) => {
      const property = propertiesOf(fields).find(one => one.id === id)
      return property?.editor === 'text' ? property.validate?.(text) : 'no text'
    }
    expect(judged({}, 'maxLength', '12a')).toBe('this must contain only digits.')
    expect(judged({}, 'maxLength', '080')).toBeNull()
    expect(judged({ dataType: 'double', precision: 4 }, 'scale', '5')).toContain('4')
    expect(judged({ dataType: 'integer' }, 'defaultValue', 'x')).not.toBeNull()
    expect(judged({ dataType: 'integer' }, 'defaultValue', '')).toBeNull()
    expect(judged({}, 'name', '1a')).not.toBeNull()
  })
})
