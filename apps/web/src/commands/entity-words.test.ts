import { describe, expect, it } from 'vitest'
import { conflictValue, conflictWords, listedNames, placeWords } from './entity-words.ts'

describe('describing an entity conflict', () => {
  it('an entity conflict is described with the labels of the page, not the names of the API', () => {
    const words = [
      conflictWords({ path: '', field: 'description' }),
      conflictWords({ path: '', field: 'extendsEntity' }),
      conflictWords({ path: 'typeAttributes.status', field: 'maxLength' }),
      conflictWords({ path: 'typeAttributes.a.b', field: 'isNullable' }),
      conflictWords({ path: 'entityAttributes.buyer_id', field: 'deleted' }),
      conflictWords({ path: 'typeAttributes', field: 'order' }),
    ]
    expect(words).toEqual([
      'Description',
      'Extends entity',
      'Attribute status: max length',
      'Attribute a.b: nullable',
      'Relationship buyer_id: deleted or changed',
      'Order of the attributes',
    ])
  })

  it('an entity conflict shows formatted values with invisible characters made visible', () => {
    const field = { path: '', field: 'x' }
    const values = [null, '', true, false, 7, ['read', 'write'], [], { id: 4, uid: 'u', name: 'Party' }, 'a\u202Eb']
    expect(values.map(value => conflictValue(field, value))).toEqual([
      'nothing',
      'nothing',
      'yes',
      'no',
      '7',
      'read, write',
      'nothing',
      'Party',
      'a‹U+202E›b',
    ])
    expect(conflictValue({ path: 'typeAttributes.a', field: 'deleted' }, null)).toBe('deleted')
    expect(conflictValue({ path: 'typeAttributes.a', field: 'deleted' }, { name: 'a' })).toBe('changed')
  })
  it('a conflict of two attributes with the same name lists their differences', () => {
    const mine = { uid: 'm', position: 3, name: 'tag', dataType: 'string', maxLength: 40, nullable: true }
    const theirs = { ...mine, uid: 't', dataType: 'integer', maxLength: null }
    const both = { path: 'typeAttributes.tag', field: 'name', mine, theirs }
    expect(conflictWords(both)).toBe('Attribute tag: two with this name')
    expect(conflictValue(both, mine)).toBe('data type: string, max length: 40')
    expect(conflictValue(both, theirs)).toBe('data type: integer, max length: nothing')
    const same = { ...both, theirs: { ...mine, uid: 't' } }
    expect(conflictValue(same, mine)).toBe('otherwise the same')
    const key = { uid: 'r', position: 3, foreignKeyTypeAttribute: 'tag' }
    expect([mine, key].map(side => conflictValue({ ...both, theirs: key }, side))).toEqual([
      'an attribute',
      'a relationship',
    ])
  })
})

describe('describing places in an entity', () => {
  it('a list of names shows the first ones and the number of others', () => {
    const names = Array.from({ length: 261 }, (_, index) => `n${index + 1}`)
    expect(listedNames(names.slice(0, 3))).toBe('n1, n2, n3')
    expect(listedNames(names.slice(0, 21))).toMatch(/n20, n21$/)
    expect(listedNames(names)).toMatch(/^n1, n2, .*, n20 and 241 more$/)
  })

  it('a place names the row and the field', () => {
    expect(placeWords({ kind: 'typeAttribute', name: 'licence', field: 'defaultValue' })).toBe(
      'Attribute licence, default value',
    )
    expect(placeWords({ kind: 'entityAttribute', name: 'buyer_id', field: '' })).toBe('Relationship buyer_id')
  })
})
