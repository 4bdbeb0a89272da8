import { applyEntityEdits } from '@cadmus/model/edits/entity-edits'
import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { expect, it } from 'vitest'
import { changesImportedParts, editsToSend } from '../../drafts/entity-draft.ts'

const first = newTypeAttribute({ name: 'first', position: 0 })
const relationship = newEntityAttribute({
  associatedEntity: { id: 9, name: 'Account', path: 'user-defined/Shop/Account' },
  associatedEntityTypeAttribute: 'id',
  foreignKeyTypeAttribute: 'accountId',
  position: 1,
})
const base = newEntityContent({ name: 'Sale', typeAttributes: [first], entityAttributes: [relationship] })
const after = (change: Partial<EntityContent>) => changesImportedParts({ base, content: { ...base, ...change } })

it('a change of traits requires a save as content', () => {
  const traits = [{ traitReference: 'is.custom' }]
  const added = newTypeAttribute({ name: 'third', position: 9 })
  expect(after({ description: 'x' })).toBe(false)
  expect(after({ typeAttributes: [first, added] })).toBe(false)
  expect(after({ traits })).toBe(true)
  expect(after({ typeAttributes: [{ ...first, traits }] })).toBe(true)
  expect(after({ entityAttributes: [{ ...relationship, traits }] })).toBe(true)
  expect(after({ typeAttributes: [first, { ...added, traits }] })).toBe(true)
})

it('edits restore an attribute without its traits, which only contents may set', () => {
  const traits = [{ traitReference: 'is.custom' }]
  const content = { ...base, typeAttributes: [first, newTypeAttribute({ name: 'third', position: 9, traits })] }
  const sent = applyEntityEdits(base, editsToSend({ base, content }))
  expect(sent.typeAttributes).toMatchObject([{ name: 'first' }, { name: 'third', traits: [] }])
})

it('a copied attribute is sent with its origin, by anyone', () => {
  const copy = newTypeAttribute({ name: 'copy', position: 9, copiedFrom: first.uid })
  expect(after({ typeAttributes: [first, copy] })).toBe(false)
  const [edit] = editsToSend({ base, content: { ...base, typeAttributes: [first, copy] } })
  expect(edit).toMatchObject({ kind: 'addAttributes', added: [{ item: { copiedFrom: first.uid } }] })
})
