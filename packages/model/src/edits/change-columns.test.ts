import { expect, it } from 'vitest'
import { aKey, aList, anEntity, anEntityContent, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import { columnName, columnsOf } from '../columns.ts'
import { changeColumnsEdits } from './change-columns.ts'
import { applyEntityEdits, invertEntityEdits } from './entity-edits.ts'

const other = anEntity({ name: 'Other' })
const content = anEntityContent({
  typeAttributes: aList(
    aKey(),
    aTypeAttribute({ name: 'code', maxLength: 4, defaultValue: 'none' }),
    aTypeAttribute({ name: 'price', dataType: 'double', precision: 8, scale: 2 }),
  ),
  entityAttributes: [aRelationship(other, { position: 3 })],
})
const rows = columnsOf(content).map(row => ({ uid: row.uid, name: columnName(row) }))

function changed(field: string, value: unknown, chosen = rows) {
  const { edits, refused } = changeColumnsEdits(content, chosen, field, value)
  const after = applyEntityEdits(content, edits)
  expect(applyEntityEdits(after, invertEntityEdits(content, edits))).toEqual(content)
  const values = columnsOf(after).map(row => Reflect.get(row, field))
  return { kinds: edits.map(({ kind }) => kind), refused, values, after }
}

it('sets a field of attributes and relationships as one edit of each kind', () => {
  const { kinds, refused, values } = changed('unique', true)
  expect([kinds, refused, values]).toEqual([['changeAttributes', 'changeRelationships'], [], [true, true, true, true]])
})

it('sets a field of the rows whose rules accept the value, and names the others with the reason', () => {
  const { refused, values } = changed('dataType', 'double', rows.slice(0, 3))
  expect(values.slice(0, 3)).toEqual(['integer', 'string', 'double'])
  expect(refused.map(({ name, reason }) => [name, reason])).toEqual([
    ['id', expect.stringMatching(/key/)],
    ['code', 'Default Value: this must be a number.'],
  ])
})

it('refuses values that no field can store with the reason of the rule', () => {
  const { refused, values } = changed('maxLength', Number.NaN, rows.slice(1, 2))
  expect([refused.map(({ reason }) => reason), values[1]]).toEqual([['this must contain only digits.'], 4])
})

it('omits attributes that cannot have the field', () => {
  const { refused, values } = changed('precision', 5, rows.slice(1, 3))
  expect([refused, values.slice(0, 3)]).toEqual([[], [null, null, 5]])
})

it('a new data type resets the fields that applied to the old one', () => {
  const { after } = changed('dataType', 'float', rows.slice(2, 3))
  expect(after.typeAttributes[2]).toMatchObject({ dataType: 'float', precision: null, scale: null })
})

it.each([
  ['precision', 20, { precision: 20, format: null }],
  ['format', 'int16', { precision: null, format: 'int16' }],
] as const)('an integer has a precision or a format: a %s replaces the other', (field, value, expected) => {
  const formatted = aTypeAttribute({ name: 'code', dataType: 'integer', format: 'int32' })
  const precise = aTypeAttribute({ name: 'code', dataType: 'integer', precision: 12 })
  for (const attribute of [formatted, precise]) {
    const one = anEntityContent({ typeAttributes: [attribute] })
    const { edits, refused } = changeColumnsEdits(one, [{ uid: attribute.uid, name: 'code' }], field, value)
    expect(refused).toEqual([])
    expect(applyEntityEdits(one, edits).typeAttributes).toMatchObject([expected])
  }
})

it('names rows that no longer exist', () => {
  const { refused, kinds } = changed('nullable', true, [{ uid: 'gone', name: 'note' }])
  expect([kinds, refused]).toEqual([[], [{ uid: 'gone', name: 'note', reason: 'note has been deleted.' }]])
})
