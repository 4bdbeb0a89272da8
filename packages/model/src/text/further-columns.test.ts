import { expect, it } from 'vitest'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import type { EntityNode } from '../entity.ts'
import { aKey, aList, anEntity, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import { printModel } from './print.ts'
import { readModel } from './testing/at-once.ts'
import { edited } from './testing/edited-text.ts'

const line = anEntity({
  name: 'OrderLine',
  typeAttributes: aList(aKey({ name: 'orderNo' }), aKey({ name: 'lineNo' }), aTypeAttribute({ name: 'sku' })),
})
const position = aTypeAttribute({ name: 'position', dataType: 'integer' })
const note = anEntity({
  name: 'Note',
  typeAttributes: aList(aKey(), position, aTypeAttribute({ name: 'code' })),
  entityAttributes: [
    aRelationship(line, {
      associatedEntityTypeAttribute: 'orderNo',
      foreignKeyTypeAttribute: 'order',
      alsoBy: [{ uid: position.uid, name: 'position', target: 'lineNo', targetUid: null }],
      onUpdate: 'cascade',
      position: 3,
    }),
  ],
})

function tableOf({ id, path, ...content }: EntityNode) {
  return { id, path, content, isEditable: true, primaryKey: 'id' }
}

const model = { project: { name: 'Shop', description: '' }, entities: [line, note].map(tableOf), others: [] }
const text = printModel(model)
const after = (from: string, to: string) => {
  const { edits, problems } = readModel(edited(text, [[from, to]]), model)
  const [relationship] = applyEntityEdits(note, edits.get(note.id) ?? []).entityAttributes
  return { relationship, problems: problems.map(({ message }) => message) }
}

it('a text shows further columns of a foreign key and its action on update, and takes others', () => {
  expect(text.text).toContain("order integer [ref: > OrderLine.orderNo, also: 'position > lineNo', update: 'cascade']")
  expect(after('position > lineNo', 'position > lineNo').relationship).toEqual(note.entityAttributes[0])
  expect(after('position > lineNo', 'position > lineNo, code > sku').relationship?.alsoBy).toMatchObject([
    { uid: position.uid, target: 'lineNo' },
    { uid: note.typeAttributes[2]?.uid, name: 'code', target: 'sku' },
  ])
  expect(after(", also: 'position > lineNo', update: 'cascade'", '').relationship).toMatchObject({
    alsoBy: [],
    onUpdate: 'restrict',
  })
  expect(after('position > lineNo', 'gone > lineNo').problems).toEqual(["There is no attribute 'gone'."])
  expect(after('position > lineNo', 'position lineNo').problems).toHaveLength(1)
})

it('a reference over several columns of the language is a relationship with further columns', () => {
  const own = "[ref: > OrderLine.orderNo, also: 'position > lineNo', update: 'cascade']"
  const { text: whole } = edited(text, [[own, '']])
  const reference = '\nRef: Note.(order, code) > OrderLine.(lineNo, sku) [update: set null]\n'
  const { edits, problems } = readModel({ ...edited(text, [[own, '']]), text: `${whole}${reference}` }, model)
  expect(problems).toEqual([])
  const [relationship] = applyEntityEdits(note, edits.get(note.id) ?? []).entityAttributes
  expect(relationship).toMatchObject({
    foreignKeyTypeAttribute: 'order',
    associatedEntityTypeAttribute: 'lineNo',
    alsoBy: [{ uid: note.typeAttributes[2]?.uid, name: 'code', target: 'sku' }],
    onUpdate: 'setNull',
  })
})
