import { describe, expect, it } from 'vitest'
import { columnName, columnsInOrder } from '../columns.ts'
import type { EntityContent } from '../entity.ts'
import { aKey, aList, anEntity, anEntityContent, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import {
  addColumnsEdits,
  addedColumnProblems,
  copiedColumn,
  duplicateColumnsEdits,
  freeColumnNames,
  removeColumnsEdits,
  renamedColumn,
  withoutKey,
} from './copy-columns.ts'
import { applyEntityEdits, invertEntityEdits } from './entity-edits.ts'

const other = anEntity({ name: 'Other' })
const phone = aTypeAttribute({ name: 'phone', traits: ['is.phone'], maxLength: 20, position: 1 })
const content = anEntityContent({
  typeAttributes: [aKey(), phone, aTypeAttribute({ name: 'note', position: 3 })],
  entityAttributes: [aRelationship(other, { position: 2 })],
})
const [key] = content.typeAttributes
const [relationship] = content.entityAttributes
const names = (of: EntityContent) => columnsInOrder(of).map(columnName)

describe('a free name', () => {
  it('is the name itself or numbered, and differs from those given before it', () => {
    expect(freeColumnNames([phone], [])).toEqual(['phone'])
    expect(freeColumnNames([phone, phone], ['Phone'])).toEqual(['phone_2', 'phone_3'])
  })

  it('of one column does not displace the name of another', () => {
    const lines = ['line', 'line_2'].map(name => aTypeAttribute({ name }))
    expect(freeColumnNames(lines, ['line'])).toEqual(['line_3', 'line_2'])
  })
})

describe('duplicates', () => {
  it('follow their originals, with a new identity, a free name and their origin', () => {
    const edits = duplicateColumnsEdits(content, [phone.uid, relationship!.uid], ['phone_2'])
    const after = applyEntityEdits(content, edits)
    expect(names(after)).toEqual(['id', 'phone', 'phone_3', 'otherId', 'otherId_2', 'note'])
    const copy = after.typeAttributes.find(({ name }) => name === 'phone_3')
    expect(copy).toMatchObject({ maxLength: 20, copiedFrom: phone.uid, traits: [] })
    expect(copy?.uid).not.toBe(phone.uid)
    expect(applyEntityEdits(after, invertEntityEdits(content, edits))).toEqual(content)
  })

  it('of the key are ordinary attributes', () => {
    const [copy] = applyEntityEdits(content, duplicateColumnsEdits(content, [key!.uid])).typeAttributes.slice(1)
    expect(copy).toMatchObject({ purpose: 'hasA', name: 'id_2', copiedFrom: key!.uid })
    const keyed = { ...relationship!, foreignKeyPurpose: 'identifiedBy' as const }
    expect(withoutKey(copiedColumn(keyed, 'x'))).toMatchObject({
      foreignKeyPurpose: 'hasA',
      foreignKeyTypeAttribute: 'x',
    })
  })
})

describe('columns moved to another entity', () => {
  const target = anEntityContent({ typeAttributes: aList(aKey(), aTypeAttribute({ name: 'phone' })) })

  it('come last, with their identity, and under another name without traits', () => {
    const moved = [renamedColumn(phone, 'mobile'), renamedColumn(relationship!, 'otherId')]
    const after = applyEntityEdits(target, addColumnsEdits(target, moved))
    expect(names(after)).toEqual(['id', 'phone', 'mobile', 'otherId'])
    expect(after.typeAttributes[2]).toMatchObject({ uid: phone.uid, traits: [] })
    expect(renamedColumn(phone, 'phone')).toBe(phone)
    const left = applyEntityEdits(content, removeColumnsEdits(content, [phone.uid, relationship!.uid], 'keep'))
    expect(names(left)).toEqual(['id', 'note'])
    expect(removeColumnsEdits(content, [phone.uid], 'keep')).toEqual([
      { kind: 'removeAttributes', uids: [phone.uid], onReferences: 'keep' },
    ])
  })

  it('are refused with the reason of each', () => {
    const refused = addedColumnProblems(target, [phone, relationship!], other.id)
    expect(refused.map(({ uid, name }) => [uid, name])).toEqual([
      [phone.uid, 'phone'],
      [relationship!.uid, 'otherId'],
    ])
    expect(refused[0]?.reason).toContain('already exists')
    expect(addedColumnProblems(target, [renamedColumn(phone, 'mobile')], 7)).toEqual([])
  })
})
