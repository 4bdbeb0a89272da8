import { describe, expect, it } from 'vitest'
import { newEntityAttribute } from '../entity-attribute.ts'
import { limits } from '../limits.ts'
import { readStored, type StoredForm } from '../stored/stored-form.ts'
import { causeSchema, editFormat, editForms, loggedEdits } from './edit-forms.ts'
import type { EntityEdit } from './entity-edits.ts'

const described = (description: string): EntityEdit => ({ kind: 'changeEntity', change: { description } })

describe('edits of the first format', () => {
  const { associatedEntityTypeAttributeUid: _uid, ...item } = newEntityAttribute({
    associatedEntity: { id: 7, name: 'Customer', path: 'user-defined/Customer' },
    associatedEntityTypeAttribute: 'id',
    foreignKeyTypeAttribute: 'customerId',
    position: 1,
  })
  const { uid } = item

  it('get the fields of later formats in added relationships, not in changes of relationships', () => {
    const change = { associatedEntityTypeAttribute: 'code' }
    const stored = [
      { kind: 'addRelationships', added: [{ item, before: null }] },
      { kind: 'changeRelationships', changes: [{ uid, change }] },
      described('x'),
    ]
    expect(readStored(editForms.entity, stored, 0)).toEqual([
      {
        kind: 'addRelationships',
        added: [{ item: { ...item, associatedEntityTypeAttributeUid: null }, before: null }],
      },
      { kind: 'changeRelationships', changes: [{ uid, change }] },
      described('x'),
    ])
  })

  it.each([[null], [7], [[null]], [[{ kind: 'addRelationships', added: [null] }]], [[{ kind: 'unknown' }]]])(
    'are refused if they are %j',
    stored => {
      expect(() => readStored(editForms.entity, stored, 0)).toThrow(/entity edits/)
    },
  )

  it('of manifests and configurations are read from format 1 on', () => {
    const forms: readonly StoredForm<unknown>[] = [editForms.manifest, editForms.configuration]
    for (const form of forms) {
      expect(readStored(form, [], 1)).toEqual([])
      expect(() => readStored(form, [], 0)).toThrow(form.name)
    }
  })
})

it('edits of format 1 have positions of columns; moves sent with that number are not lost', () => {
  const places = [{ uid: 'a', position: 2 }]
  const read = (edit: object) => readStored(editForms.entity, [{ kind: 'moveColumns', places, ...edit }], 1)
  expect(read({})).toEqual([{ kind: 'moveColumns', moves: [], places }])
  const moves = [{ uid: 'a', before: null }]
  expect(read({ moves })).toEqual([{ kind: 'moveColumns', moves, places }])
})

describe('edits in the log', () => {
  it('are JSON of the current format', () => {
    const edits = [described('x')]
    expect(readStored(editForms.entity, JSON.parse(loggedEdits(edits) ?? ''), editFormat)).toEqual(edits)
  })

  it('are omitted if there are none or if they are too large', () => {
    expect([loggedEdits(), loggedEdits([])]).toEqual([null, null])
    const length = limits.loggedEdits - JSON.stringify([described('')]).length
    expect(loggedEdits([described('x'.repeat(length))])).toHaveLength(limits.loggedEdits)
    expect(loggedEdits([described('x'.repeat(length + 1))])).toBeNull()
  })

  it('name the entry from which they were derived', () => {
    const isCause = (kind: string, sequence: number) => causeSchema.safeParse({ kind, sequence }).success
    const kinds = ['undo', 'redo', 'restore', 'merge', 'other']
    expect(kinds.map(kind => isCause(kind, 1))).toEqual([true, true, true, true, false])
    expect(isCause('undo', 0)).toBe(false)
  })
})
