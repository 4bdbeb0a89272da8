import { describe, expect, it } from 'vitest'
import type { EntityContent } from '../entity.ts'
import {
  aList,
  anEntity,
  anEntityContent,
  aRelationship,
  aTypeAttribute,
  aKey,
  referenceTo,
} from '../testing/builders.ts'
import { applyEntityEdits, invertEntityEdits } from './entity-edits.ts'
import type { EntityEdit } from './entity-edit.ts'
import { removeParentEdits, setParentEdits } from './parent-edits.ts'

const contact = anEntity({ name: 'Contact', typeAttributes: [aKey({ name: 'contactId' })] })
const keys = [{ name: 'contactId', declaredBy: contact }]
const parent = referenceTo(contact)
const [automatic] = anEntityContent().typeAttributes
const note = aTypeAttribute({ name: 'note' })
const patient = anEntityContent({ name: 'Patient', typeAttributes: aList(automatic!, note) })
const names = ({ typeAttributes }: EntityContent) => typeAttributes.map(({ name }) => name)

/** Applies, undoes and redoes the edits. */
function through(content: EntityContent, edits: EntityEdit[]): EntityContent {
  const done = applyEntityEdits(content, edits)
  const undone = applyEntityEdits(done, invertEntityEdits(content, edits))
  expect(undone).toEqual(content)
  expect(applyEntityEdits(undone, edits)).toEqual(done)
  return done
}

describe('An entity that extends one with a key', () => {
  it('loses its automatic key when it extends an entity with a key, and regains it when it no longer does', () => {
    const extended = through(patient, setParentEdits(patient, { parent, keys }))
    expect([extended.extendsEntity, names(extended)]).toEqual([parent, ['note']])
    const alone = through(extended, removeParentEdits(extended, keys))
    expect([alone.extendsEntity, names(alone)]).toEqual([null, ['id', 'note']])
  })

  it('a subtype keeps a key customised by the user, and an attribute that hides the inherited key', () => {
    for (const chosen of [aKey({ name: 'mrn' }), aKey({ description: 'Ours.' }), aKey({ dataType: 'string' })]) {
      const content = anEntityContent({ typeAttributes: [chosen] })
      expect(names(through(content, setParentEdits(content, { parent, keys })))).toEqual([chosen.name])
    }
    const relationship = aRelationship(contact, { position: 1 })
    const related = anEntityContent({ typeAttributes: [automatic!], entityAttributes: [relationship] })
    expect(names(through(related, setParentEdits(related, { parent, keys })))).toEqual(['id'])
  })

  it('a subtype gets no automatic key without an inherited key, or if a foreign key has the name', () => {
    const bare = anEntityContent({ extendsEntity: parent, typeAttributes: [note] })
    expect(names(through(bare, removeParentEdits(bare, [])))).toEqual(['note'])
    const entityAttributes = [aRelationship(contact, { foreignKeyTypeAttribute: 'ID', position: 1 })]
    const taken = { ...bare, entityAttributes }
    expect(names(through(taken, removeParentEdits(taken, keys)))).toEqual(['note'])
  })
})
