import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { type EntityContent, newEntityContent } from '@cadmus/model/entity'
import { newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import { describe, expect, it } from 'vitest'
import { alignEntity, columnsOfDifferences } from './aligned.ts'

const attribute = (name: string, fields: Partial<TypeAttribute> = {}) =>
  newTypeAttribute({ uid: `uid of ${name}`, name, position: 0, ...fields })

const entity = (typeAttributes: readonly TypeAttribute[], fields: Partial<EntityContent> = {}) =>
  newEntityContent({
    name: 'Visit',
    ...fields,
    typeAttributes: typeAttributes.map((item, position) => ({ ...item, position })),
  })

describe('Both sides of an entity', () => {
  it('rows are aligned by uid, differing ones first; a removed one stands where it was', () => {
    const before = entity([attribute('id'), attribute('code'), attribute('note', { maxLength: 40 }), attribute('day')])
    const after = entity([
      attribute('id'),
      attribute('note', { maxLength: 80 }),
      attribute('day', { name: 'date' }),
      attribute('room'),
    ])
    const { rows, columns, points } = alignEntity({ before, after })
    expect(rows.map(({ uid, state }) => `${uid}: ${state}`)).toEqual([
      'uid of code: removed',
      'uid of note: changed',
      'uid of day: changed',
      'uid of room: added',
      'uid of id: same',
    ])
    expect(columns.map(({ id }) => id)).toEqual(['name', 'dataType', 'length', 'nullable', 'references'])
    expect(points.map(({ label, before: from, after: to }) => `${label}: ${from} → ${to}`)).toEqual([
      'code: removed: code → missing',
      'note: Length: 40 → 80',
      'date: Name: day → date',
      'room: added: missing → room',
    ])
  })

  it('a column that differs is shown though it is hidden in the sheet, and own fields come first', () => {
    const before = entity([attribute('id')], { description: 'Old' })
    const after = entity([attribute('id', { purpose: 'identifiedBy', description: 'Key' })], { description: 'New' })
    const { columns, fields, points } = alignEntity({ before, after })
    expect(columns.map(({ id }) => id)).toEqual(expect.arrayContaining(['purpose', 'description']))
    expect(fields).toMatchObject([{ label: 'Description', before: 'Old', after: 'New', row: null }])
    expect(points.map(({ label }) => label)).toEqual(['Description', 'id: Description', 'id: Purpose'])
    expect(points.every(({ changes }) => changes.length === 1)).toBe(true)
  })

  it('without what is the same, columns that differ come before those that only a row of one side needs', () => {
    const before = entity([attribute('sex', { nullable: true })])
    const required = attribute('sex')
    const ids = (...now: TypeAttribute[]) =>
      columnsOfDifferences(alignEntity({ before, after: entity(now) })).map(({ id }) => id)
    expect(ids(required)).toEqual(['name', 'dataType', 'nullable'])
    expect(ids(required, attribute('insured'))).toEqual(['name', 'dataType', 'nullable', 'length', 'references'])
  })

  it('choices are shown with their enumeration, which may have other values on each side', () => {
    const state = (...choices: string[]) => attribute('state', { enumeration: { uid: 'e', name: 'State' }, choices })
    const before = entity([state('new')])
    const pointsTo = (after: EntityContent) =>
      alignEntity({ before, after }).points.map(({ label, before: from, after: to }) => `${label}: ${from} → ${to}`)
    expect(pointsTo(entity([state('new', 'done')]))).toEqual(['state: Choices: State: new → State: new, done'])
    expect(pointsTo(entity([attribute('state', { choices: ['old'] })]))).toEqual(['state: Choices: State: new → old'])
  })

  it('a move and a change of kind are differences of the row', () => {
    const target = { id: 2, name: 'Room', path: 'user-defined/Clinic/Room.cdm.json/Room' }
    const [one, two, three] = [attribute('a'), attribute('b'), attribute('room')]
    const foreignKey = newEntityAttribute({
      uid: three.uid,
      position: 2,
      associatedEntity: target,
      associatedEntityTypeAttribute: 'id',
      foreignKeyTypeAttribute: 'room',
    })
    const before = entity([one, two, three])
    const after = { ...entity([two, one]), entityAttributes: [foreignKey] }
    const { rows, points } = alignEntity({ before, after })
    expect(rows.filter(({ isMoved }) => isMoved)).toHaveLength(1)
    expect(points.map(({ label, before: from, after: to }) => [label, from, to])).toEqual([
      [expect.stringMatching(/^[ab]: Order$/), '', 'moved'],
      ['room: changed', 'Attribute', 'Relationship'],
    ])
  })

  it('an entity on one side only has all of its rows there and nothing to take', () => {
    const { rows, points } = alignEntity({ before: null, after: entity([attribute('id'), attribute('code')]) })
    expect(rows.map(({ state, before }) => [state, before])).toEqual([
      ['added', null],
      ['added', null],
    ])
    expect(points).toEqual([])
  })

  it('names with control characters are made visible', () => {
    const before = entity([attribute('id')])
    const after = entity([attribute('id'), attribute('a\u202Eb')])
    expect(alignEntity({ before, after }).points[0]).toMatchObject({
      label: 'a‹U+202E›b: added',
      after: 'a‹U+202E›b',
    })
  })
})
