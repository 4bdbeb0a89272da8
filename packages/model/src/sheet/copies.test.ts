import { describe, expect, it } from 'vitest'
import { columnName, columnsInOrder } from '../columns.ts'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import { arbitraryContent } from '../testing/arbitrary-edits.ts'
import { aKey, anEntity, anEntityContent, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import { addCopiesEdits, copiedColumnsText, moveCutEdits, readCopiedColumns, refusedFor } from './copies.ts'

const source = anEntityContent({
  typeAttributes: [
    { ...aKey({ description: 'Number' }), position: 0 },
    { ...aTypeAttribute({ format: 'guid', traits: ['is.title'], choices: ['a'] }), position: 2 },
  ],
  entityAttributes: [{ ...aRelationship(anEntity({ name: 'Order' }), { onDelete: 'cascade' }), position: 1 }],
})
const columns = columnsInOrder(source)

describe('copied columns', () => {
  it('keep every field on the clipboard, over random entities', () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const { uid, ...content } = arbitraryContent(seed)
      const copied = columnsInOrder(content)
      expect(readCopiedColumns(copiedColumnsText(uid, copied))?.columns).toEqual(copied)
    }
  })

  it('are ignored if another release or program wrote them', () => {
    const text = copiedColumnsText('e', columns)
    expect(readCopiedColumns(text)).toMatchObject({ entity: 'e' })
    for (const other of [
      '',
      '{',
      'null',
      '[]',
      text.replace(/"format":\d+/, '"format":99'),
      text.replaceAll('"name"', '"nom"'),
    ])
      expect(readCopiedColumns(other)).toBeUndefined()
  })
})

describe('refused texts of copied columns', () => {
  it('stay with the columns and their copies; texts that are the value are none', () => {
    const [, relationship, attribute] = columns
    if (!relationship || !attribute) throw new Error('The source has three columns.')
    const [problem, invalid] = [
      { text: '9', reason: 'why', offer: 'nine' },
      { text: 'title', reason: 'invalid' },
    ]
    const problems = new Map([
      [
        attribute.uid,
        new Map([
          ['length', problem],
          ['name', invalid],
        ] as const),
      ],
      [relationship.uid, new Map([['references', { text: 'Nowhere', reason: 'unknown' }]])],
    ])
    const copied = readCopiedColumns(copiedColumnsText('e', [attribute], { problems }))
    const copy = { ...attribute, uid: 'copy', copiedFrom: attribute.uid }
    expect(copied && refusedFor(copied, [attribute, copy, relationship])).toEqual(
      new Map([attribute.uid, 'copy'].map(uid => [uid, new Map([['length', problem]])])),
    )
  })
})

describe('copies', () => {
  it('have new uids, their origin and all fields but traits, in order after the last column', () => {
    const empty = anEntityContent()
    const after = columnsInOrder(applyEntityEdits(empty, addCopiesEdits(empty, columns.slice(1))))
    const [relationship, attribute] = columns.slice(1)
    expect(after.slice(1)).toEqual([
      { ...relationship, uid: expect.any(String), copiedFrom: relationship?.uid, position: 1 },
      { ...attribute, uid: expect.any(String), copiedFrom: attribute?.uid, position: 2, traits: [] },
    ])
    expect(new Set([...columns, ...after].map(({ uid }) => uid)).size).toBe(columns.length + after.length)
  })

  it('have free names, and no second key', () => {
    const after = columnsInOrder(applyEntityEdits(source, addCopiesEdits(source, columns)))
    expect(after.slice(3)).toMatchObject([
      { name: 'id_2', purpose: 'hasA' },
      { foreignKeyTypeAttribute: 'orderId_2' },
      { name: 'title_2' },
    ])
    const keyless = anEntityContent({ typeAttributes: [] })
    expect(applyEntityEdits(keyless, addCopiesEdits(keyless, columns)).typeAttributes).toMatchObject([
      { name: 'id', purpose: 'identifiedBy' },
      { name: 'title' },
    ])
  })

  it('of nothing, or of an automatic key in an entity with a key, are no edit', () => {
    expect(addCopiesEdits(source, [])).toEqual([])
    const entity = anEntityContent()
    expect(addCopiesEdits(entity, entity.typeAttributes)).toEqual([])
    expect(addCopiesEdits(anEntityContent({ typeAttributes: [] }), entity.typeAttributes)).toHaveLength(1)
  })
})

it('cut columns move before another one, or to the end', () => {
  const names = (...edits: Parameters<typeof moveCutEdits>) =>
    columnsInOrder(applyEntityEdits(source, moveCutEdits(...edits))).map(columnName)
  const [key, relationship, attribute] = columns
  expect(
    names(
      [attribute, relationship].filter(one => one !== undefined),
      null,
    ),
  ).toEqual(['id', 'title', 'orderId'])
  expect(names(attribute ? [attribute] : [], relationship?.uid ?? '')).toEqual(['id', 'title', 'orderId'])
  expect(moveCutEdits(key ? [key] : [], key?.uid ?? '')).toEqual([])
})
