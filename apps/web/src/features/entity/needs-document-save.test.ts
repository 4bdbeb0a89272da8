import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { newEntityAttribute } from '@cadmus/model/entity-attribute'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { expect, it } from 'vitest'
import { needsDocumentSave } from './entity-draft.ts'

const first = newTypeAttribute({ name: 'first', position: 0 })
const relationship = newEntityAttribute({
  associatedEntity: { id: 9, name: 'Account', path: 'user-defined/Shop/Account' },
  associatedEntityTypeAttribute: 'id',
  foreignKeyTypeAttribute: 'accountId',
  position: 1,
})
const base = newEntityContent({ name: 'Sale', typeAttributes: [first], entityAttributes: [relationship] })
const after = (change: Partial<EntityContent>) => needsDocumentSave({ base, content: { ...base, ...change } })

it('changes that a save of fields omits require a document save', () => {
  const traits = [{ traitReference: 'is.custom' }]
  const added = newTypeAttribute({ name: 'third', position: 9 })
  expect(after({ description: 'x' })).toBe(false)
  expect(after({ typeAttributes: [first, added] })).toBe(false)
  expect(after({ traits })).toBe(true)
  expect(after({ typeAttributes: [{ ...first, traits }] })).toBe(true)
  expect(after({ entityAttributes: [{ ...relationship, traits }] })).toBe(true)
  expect(after({ typeAttributes: [first, { ...added, traits }] })).toBe(true)
})
