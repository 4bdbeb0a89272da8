import { describe, expect, it } from 'vitest'
import { holds } from '@cadmus/testing/holds'
import type { EntityContent } from '../entity.ts'
import {
  aKey,
  aList,
  anEntity,
  anEntityContent,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '../testing/builders.ts'
import { entityProblems, extendsEntity } from './entity.ts'

const country = anEntity({ name: 'Country' })

function problemsOf(content: EntityContent, options: Parameters<typeof entityProblems>[1] = {}) {
  return entityProblems(content, options).map(problem => [problem.path.at(-1)?.name, problem.field, problem.message])
}

describe('entity content rules', () => {
  it('accepts a valid entity', () => {
    const content = anEntityContent({
      typeAttributes: [aKey(), aTypeAttribute({ name: 'title', position: 1 })],
      entityAttributes: [aRelationship(country, { position: 2 })],
    })
    expect(entityProblems(content, { id: country.id + 1 })).toEqual([])
  })

  it('collects all problems of an entity with their paths', holds('E5.5'), () => {
    const content = anEntityContent({
      name: '9bad',
      typeAttributes: aList(
        aKey({ dataType: 'boolean' }),
        aTypeAttribute({ name: 'a__b' }),
        aTypeAttribute({ name: 'state', choices: ['Open', 'Open'] }),
        aTypeAttribute({ name: 'weight', dataType: 'double', scale: 2 }),
        aTypeAttribute({ name: 'pieces', dataType: 'integer', defaultValue: 'many', format: 'guid' }),
        aTypeAttribute({ name: 'code', maxLength: Number.NaN }),
      ),
      entityAttributes: [
        aRelationship({ ...country, id: -1 }, { foreignKeyTypeAttribute: 'id', associatedEntityTypeAttribute: 'x' }),
      ],
    })
    expect(problemsOf(content)).toEqual([
      ['9bad', 'name', expect.stringContaining('alphanumeric')],
      ['id', 'dataType', 'The primary key must be an integer or a string.'],
      ['a__b', 'name', expect.stringContaining('alphanumeric')],
      ['state', 'choices', 'A choice with the name "Open" already exists.'],
      ['weight', 'scale', 'Scale requires a precision.'],
      ['pieces', 'format', 'The format guid does not apply to the data type integer.'],
      ['pieces', 'defaultValue', 'this must be a whole number.'],
      ['code', 'maxLength', 'this must contain only digits.'],
      ['id', 'foreignKeyTypeAttribute', 'Primary key should not be used as foreign key type attribute'],
      ['id', 'associatedEntity', 'Required'],
      ['id', 'associatedEntityTypeAttribute', 'this must be 2 to 50 characters long.'],
    ])
  })

  it('reports a repeated name at the attribute that changed to it', holds('E5.17'), () => {
    const title = aTypeAttribute({ name: 'title', position: 1 })
    const name = aTypeAttribute({ name: 'name', position: 2 })
    const previous = anEntityContent({ typeAttributes: [aKey(), title, name] })
    const content = { ...previous, typeAttributes: [aKey(), { ...title, name: 'Name' }, name] }
    const problems = entityProblems(
      { ...content, typeAttributes: [previous.typeAttributes[0]!, ...content.typeAttributes.slice(1)] },
      { previous },
    )
    expect(problems.map(problem => [problem.path.at(-1), problem.message])).toEqual([
      [
        { kind: 'typeAttribute', uid: title.uid, name: 'Name' },
        'A type attribute with the name "Name" already exists.',
      ],
    ])
  })

  it('rejects two relationships with the same foreign key', holds('E5.23'), () => {
    const content = anEntityContent({ entityAttributes: [aRelationship(country), aRelationship(country)] })
    expect(problemsOf(content)).toEqual([
      ['countryId', 'foreignKeyTypeAttribute', 'A relationship with the foreign key "countryId" already exists.'],
    ])
  })

  it('rejects a foreign key and a type attribute with the same name, in either order', () => {
    const title = aTypeAttribute({ name: 'title', position: 1 })
    const key = aRelationship(country, { position: 2 })
    const previous = anEntityContent({ typeAttributes: [aKey(), title], entityAttributes: [key] })
    const byKey = { ...previous, entityAttributes: [{ ...key, foreignKeyTypeAttribute: 'Title' }] }
    expect(problemsOf(byKey, { previous })).toEqual([
      ['Title', 'foreignKeyTypeAttribute', 'A type attribute with the name "Title" already exists.'],
    ])
    const byAttribute = { ...previous, typeAttributes: [previous.typeAttributes[0]!, { ...title, name: 'countryId' }] }
    expect(problemsOf(byAttribute, { previous })).toEqual([
      ['countryId', 'name', 'A relationship with the foreign key "countryId" already exists.'],
    ])
  })

  it('rejects a second primary key', holds('E3.33', 'E3.38'), () => {
    const content = anEntityContent({ typeAttributes: aList(aKey(), aKey({ name: 'code' })) })
    expect(problemsOf(content)).toEqual([['Customer', 'typeAttributes', 'An entity can have only one primary key.']])
  })

  it('rejects the entity itself as associated entity, but keeps an imported self-reference', holds('E5.35'), () => {
    const self = anEntity({ name: 'Customer' })
    const content = anEntityContent({
      entityAttributes: [aRelationship(self, { foreignKeyTypeAttribute: 'parentId' })],
    })
    expect(problemsOf(content, { id: self.id })).toEqual([
      ['parentId', 'associatedEntity', 'The associated entity cannot be the parent entity itself.'],
    ])
    expect(problemsOf({ ...content, description: 'x' }, { id: self.id, previous: content })).toEqual([])
  })
})

describe('imported content', () => {
  const long = 'a'.repeat(60)
  const previous = anEntityContent({
    name: 'My-Entity',
    typeAttributes: aList(
      aKey({ dataType: 'dateTime' }),
      aTypeAttribute({ name: long }),
      aTypeAttribute({ name: 'twice' }),
      aTypeAttribute({ name: 'Twice', defaultValue: 'x', dataType: 'integer', choices: ['a', 'a'] }),
    ),
    entityAttributes: [
      aRelationship(country, { foreignKeyTypeAttribute: `${long}Id`, associatedEntityTypeAttribute: long }),
    ],
  })

  it('keeps imported values that break a rule', () => {
    expect(problemsOf({ ...previous, description: 'changed' }, { previous })).toEqual([])
  })

  it('rejects the same values in a new entity', () => {
    expect(problemsOf(previous)).toHaveLength(8)
  })

  it('keeps imported values and self-references in a copy', () => {
    const self = anEntity({ name: 'Customer' })
    const copiedFrom = previous.uid
    const copy: EntityContent = {
      ...previous,
      name: 'Customer',
      typeAttributes: previous.typeAttributes.map(item => ({ ...item, copiedFrom })),
      entityAttributes: [aRelationship(self, { foreignKeyTypeAttribute: 'parent__id', copiedFrom })],
    }
    expect(problemsOf(copy, { id: self.id })).toEqual([])
    const added = { ...copy, typeAttributes: [...copy.typeAttributes, aTypeAttribute({ name: 'Twice' })] }
    expect(problemsOf(added, { id: self.id })).toEqual([
      ['Twice', 'name', 'A type attribute with the name "Twice" already exists.'],
    ])
  })

  it('rejects an imported name once a user changes it to another invalid one', () => {
    const typeAttributes = previous.typeAttributes.map(item =>
      item.name === long ? { ...item, name: `${long}b` } : item,
    )
    expect(problemsOf({ ...previous, typeAttributes }, { previous })).toEqual([
      [`${long}b`, 'name', 'this must be 2 to 50 characters long.'],
    ])
  })
})

const party = anEntity({ name: 'Party' })
const person = anEntity({ name: 'Person', extendsEntity: referenceTo(party) })
const employee = anEntity({ name: 'Employee', extendsEntity: referenceTo(person) })
const byId = new Map([party, person, employee].map(entity => [entity.id, entity]))
const lookup = (id: number) => byId.get(id)

it('rejects a parent that already extends the child directly or indirectly', () => {
  expect(extendsEntity(person, { child: party, lookup })).toBe('Person already extends Party.')
  expect(extendsEntity(employee, { child: party, lookup })).toBe('Employee already extends Party.')
  expect(extendsEntity(party, { child: employee, lookup })).toBeUndefined()
})

it('rejects an entity as its own parent', () => {
  expect(extendsEntity(party, { child: party, lookup })).toBe('Party already extends Party.')
})

it('terminates if imported entities already form a cycle', () => {
  const a = anEntity({ name: 'A1', id: 9001, extendsEntity: { id: 9002, name: 'B1', path: '' } })
  const b = anEntity({ name: 'B1', id: 9002, extendsEntity: referenceTo(a) })
  const cyclic = new Map([a, b].map(entity => [entity.id, entity]))
  expect(extendsEntity(a, { child: party, lookup: id => cyclic.get(id) })).toBeUndefined()
})
