import { describe, expect, it } from 'vitest'
import { conflictValue, conflictWords } from './conflict-words.ts'

describe('A conflict', () => {
  it('is told in the words of the page, not in those of the calls', () => {
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

  it('shows values as a person reads them, with what is not seen made visible', () => {
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
})
