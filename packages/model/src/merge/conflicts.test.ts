import { describe, expect, it } from 'vitest'
import type { EntityContent } from '../entity.ts'
import { aKey, aList, anEntity, anEntityContent, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import type { TypeAttribute } from '../type-attribute.ts'
import { mergeEntity, mergeTakingTheirs } from './entity.ts'
import { isSameReference } from './items.ts'

const country = anEntity({ name: 'Country' })
const base = anEntityContent({
  typeAttributes: aList(aKey(), aTypeAttribute({ name: 'title' }), aTypeAttribute({ name: 'note' })),
  entityAttributes: [aRelationship(country, { position: 3 })],
})
const [relationship] = base.entityAttributes

function changed(content: EntityContent, name: string, change: Partial<TypeAttribute>): EntityContent {
  const typeAttributes = content.typeAttributes.map(item => (item.name === name ? { ...item, ...change } : item))
  return { ...content, typeAttributes }
}
const related = (change: object): EntityContent => ({ ...base, entityAttributes: [{ ...relationship!, ...change }] })
const without = (content: EntityContent, name: string): EntityContent => ({
  ...content,
  typeAttributes: content.typeAttributes.filter(item => item.name !== name),
})
const withAdded = (content: EntityContent, ...added: TypeAttribute[]): EntityContent => ({
  ...content,
  typeAttributes: [...content.typeAttributes, ...added],
})
const keyIs = (name: string) => changed(changed(base, 'id', { purpose: 'hasA' }), name, { purpose: 'identifiedBy' })
/** The base with its columns in this order. */
const placed = (...names: string[]): EntityContent => ({
  ...base,
  typeAttributes: base.typeAttributes.map(item => ({ ...item, position: names.indexOf(item.name) })),
  entityAttributes: [{ ...relationship!, position: names.indexOf('countryId') }],
})
const [email, mail] = ['email', 'EMail'].map(name => aTypeAttribute({ name, position: 4 }))
const person = { id: 77, name: 'Person', path: 'user-defined/Person' }
const place = 'entityAttributes.countryId'

describe('a conflict of entities', () => {
  it.each<[what: string, mine: EntityContent, theirs: EntityContent, conflicts: object[]]>([
    [
      'an own field',
      { ...base, description: 'mine' },
      { ...base, description: 'theirs' },
      [{ path: '', field: 'description', base: '', mine: 'mine', theirs: 'theirs' }],
    ],
    [
      'a removed relationship',
      { ...base, entityAttributes: [] },
      related({ description: 'theirs' }),
      [
        {
          path: place,
          field: 'deleted',
          base: relationship,
          mine: null,
          theirs: { ...relationship, description: 'theirs' },
        },
      ],
    ],
    [
      'a relationship that they removed',
      related({ description: 'mine' }),
      { ...base, entityAttributes: [] },
      [
        {
          path: place,
          field: 'deleted',
          base: relationship,
          mine: { ...relationship, description: 'mine' },
          theirs: null,
        },
      ],
    ],
    [
      'entity and attribute of a target',
      related({ associatedEntity: person }),
      related({ associatedEntityTypeAttribute: 'code' }),
      [
        {
          path: place,
          field: 'associatedEntity',
          base: relationship?.associatedEntity,
          mine: person,
          theirs: relationship?.associatedEntity,
        },
        { path: place, field: 'associatedEntityTypeAttribute', base: 'id', mine: 'id', theirs: 'code' },
      ],
    ],
    [
      'one name of two columns',
      withAdded(base, email!),
      withAdded(base, mail!),
      [{ path: 'typeAttributes.email', field: 'name', base: null, mine: email, theirs: mail }],
    ],
    [
      'two keys',
      keyIs('title'),
      keyIs('note'),
      [{ path: '', field: 'primaryKey', base: 'id', mine: 'title', theirs: 'note' }],
    ],
    [
      'a key and an inherited key',
      { ...without(base, 'id'), extendsEntity: person },
      changed(without(base, 'id'), 'note', { purpose: 'identifiedBy' }),
      [{ path: '', field: 'primaryKey', base: 'id', mine: null, theirs: 'note' }],
    ],
    [
      'two orders',
      placed('countryId', 'id', 'title', 'note'),
      placed('id', 'countryId', 'title', 'note'),
      [
        {
          path: '',
          field: 'order',
          base: ['id', 'title', 'note', 'countryId'],
          mine: ['countryId', 'id', 'title', 'note'],
          theirs: ['id', 'countryId', 'title', 'note'],
        },
      ],
    ],
    [
      'fields that break a rule together, each once',
      changed(base, 'note', { dataType: 'integer', defaultValue: '1' }),
      changed(base, 'note', { defaultValue: 'x' }),
      [{ path: 'typeAttributes.note', field: 'defaultValue', base: null, mine: '1', theirs: 'x' }],
    ],
  ])('has both values of %s', (_what, mine, theirs, conflicts) => {
    expect(mergeEntity(base, mine, theirs)).toEqual({ conflicts })
  })

  it('does not arise from faults that the base already has: repeated names, several keys', () => {
    const imported = changed(withAdded(base, email!, mail!), 'note', { purpose: 'identifiedBy' })
    const theirs = changed(imported, 'title', { description: 'theirs' })
    expect(mergeEntity(imported, { ...imported, description: 'mine' }, theirs)).toEqual({
      merged: { ...theirs, description: 'mine' },
    })
  })
})

it('taking theirs uses their order, followed by the columns that only mine has', () => {
  const added = ['first', 'second'].map((name, index) => aTypeAttribute({ name, position: 8 - index }))
  const mine = withAdded(placed('countryId', 'id', 'title', 'note'), ...added)
  const taken = mergeTakingTheirs(base, mine, placed('id', 'countryId', 'title', 'note'))
  const columns = [
    ...taken.typeAttributes.map(({ name, position }) => [position, name] as const),
    ...taken.entityAttributes.map(item => [item.position, item.foreignKeyTypeAttribute] as const),
  ]
  expect(columns.toSorted(([a], [b]) => a - b)).toEqual(
    ['id', 'countryId', 'title', 'note', 'second', 'first'].map((name, position) => [position, name]),
  )
})

it('taking theirs preserves changes that only mine made: a parent instead of the key, another key', () => {
  const theirs = { ...base, description: 'theirs' }
  for (const mine of [{ ...without(base, 'id'), extendsEntity: person }, keyIs('title')])
    expect(mergeTakingTheirs(base, mine, theirs)).toEqual({ ...mine, description: 'theirs' })
})

it('a new name or an added uid of a target is not a change of the target', () => {
  const target = (name: string, uid: string | null) =>
    related({ associatedEntityTypeAttribute: name, associatedEntityTypeAttributeUid: uid })
  for (const [before, mine] of [
    [target('id', 'a'), target('code', 'a')],
    [target('id', null), target('id', 'a')],
  ] as const) {
    const theirs = target('number', 'b')
    expect(mergeEntity(before, mine, theirs)).toEqual({ merged: theirs })
    expect(mergeEntity(before, theirs, mine)).toEqual({ merged: theirs })
  }
})

describe('a reference', () => {
  const target = (entity: object, attribute: string, attributeUid?: string) => [
    { entity, attribute, ...(attributeUid === undefined ? {} : { attributeUid }) },
  ]
  const fresh = (name: string, uid?: string) => ({ id: 0, name, path: 'p', ...(uid === undefined ? {} : { uid }) })
  const renamed = { ...person, name: 'Human', path: 'user-defined/Human' }

  it.each<[a: unknown, b: unknown, isSame: boolean]>([
    [person, renamed, true],
    [person, { ...person, id: 78 }, false],
    [fresh('A', 'u'), fresh('B', 'u'), true],
    [fresh('A', 'u'), fresh('A', 'v'), false],
    [fresh('A'), fresh('A'), true],
    [fresh('A'), fresh('B'), false],
    [target(person, 'id', 'u'), target(renamed, 'code', 'u'), true],
    [target(person, 'id', 'u'), target(person, 'id', 'v'), false],
    [target(person, 'id'), target(renamed, 'id'), true],
    [target(person, 'id'), target(person, 'code'), false],
    [{ id: 7, name: 'a' }, { id: 7, name: 'b' }, false],
    [{ path: 'a', name: 'a' }, { path: 'a', name: 'b' }, false],
    [{ entity: 'a', name: 'a' }, { entity: 'a', name: 'b' }, false],
    [['a'], ['a'], true],
    ['a', 'b', false],
    [null, null, true],
  ])('is compared by identity, other values by content: %j and %j', (a, b, isSame) => {
    expect(isSameReference(a, b)).toBe(isSame)
  })
})
