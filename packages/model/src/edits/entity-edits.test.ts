import { holds } from '@cadmus/testing/holds'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { EntityContent } from '../entity.ts'
import { aKey, aList, anEntity, anEntityContent, aRelationship, aTypeAttribute } from '../testing/builders.ts'
import { arbitraryContent, arbitraryEdits, entityEditKinds } from '../testing/arbitrary-edits.ts'
import {
  addAttributeEdits,
  changeAttributeEdits,
  reorderColumnsEdits,
  removeAttributesEdits,
} from './entity-actions.ts'
import {
  applyEntityEdits,
  type EntityEdit,
  entityEditsBetween,
  entityEditSchema,
  invertEntityEdits,
} from './entity-edits.ts'

const seeds = fc.tuple(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 1, max: 1e6 }))

describe('arbitrary edits of an entity', () => {
  it('undoing edits restores the state before, redoing them the state after', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(seeds, ([model, session]) => {
        const before = arbitraryContent(model)
        const edits = arbitraryEdits(before, session)
        for (const { kind } of edits) seen.add(kind)
        const after = applyEntityEdits(before, edits)
        const back = invertEntityEdits(before, edits)
        expect(applyEntityEdits(after, back)).toEqual(before)
        expect(applyEntityEdits(before, invertEntityEdits(after, back))).toEqual(after)
      }),
      { numRuns: 300 },
    )
    expect([...seen].toSorted()).toEqual(entityEditKinds.toSorted())
  })

  it('entity edits survive storage as JSON', () => {
    fc.assert(
      fc.property(seeds, ([model, session]) => {
        const edits = arbitraryEdits(arbitraryContent(model), session)
        const stored: unknown = JSON.parse(JSON.stringify(edits))
        expect(z.array(entityEditSchema).parse(stored)).toEqual(edits)
      }),
    )
  })

  it('entity edits whose subject is missing have no effect and no inverse', () => {
    const content = anEntityContent({ typeAttributes: aList(aKey(), aTypeAttribute()) })
    const { uid } = aTypeAttribute()
    const edits = [
      ...removeAttributesEdits([uid]),
      { kind: 'moveColumns' as const, moves: [{ uid, before: null }], places: [{ uid, position: 4 }] },
    ]
    expect(applyEntityEdits(content, edits)).toEqual(content)
    expect(invertEntityEdits(content, edits)).toEqual([])
    expect(changeAttributeEdits(content, uid, { name: 'x' })).toEqual([])
  })
})

describe('one edit of an entity', () => {
  const customer = anEntity({ name: 'Customer' })
  const content = anEntityContent({
    typeAttributes: aList(aKey(), aTypeAttribute({ name: 'code', maxLength: 4 })),
    entityAttributes: [aRelationship(customer, { position: 2, associatedEntityTypeAttributeUid: 'a' })],
  })
  const [key, code] = content.typeAttributes
  const [relationship] = content.entityAttributes
  const { uid } = relationship!
  const scopes = { ...content.operationScopes }
  const inserted = { ...aTypeAttribute({ name: 'size', position: 3 }) }
  const related = aRelationship(customer, { foreignKeyTypeAttribute: 'otherId', position: 3 })

  it.each<[edit: EntityEdit, inverse: EntityEdit]>([
    [
      { kind: 'changeEntity', change: { description: 'x', name: content.name } },
      { kind: 'changeEntity', change: { description: '' } },
    ],
    [
      { kind: 'changeScopes', change: { ...scopes, selectOperationScopes: ['read'] } },
      { kind: 'changeScopes', change: { selectOperationScopes: [] } },
    ],
    [
      { kind: 'addAttributes', added: [code!, inserted].map(item => ({ item, before: null })) },
      { kind: 'removeAttributes', uids: [inserted.uid] },
    ],
    [
      { kind: 'addRelationships', added: [relationship!, related].map(item => ({ item, before: null })) },
      { kind: 'removeRelationships', uids: [related.uid] },
    ],
    [
      { kind: 'removeAttributes', uids: [key!.uid, inserted.uid] },
      { kind: 'addAttributes', added: [{ item: key!, before: code!.uid }] },
    ],
    [
      { kind: 'removeRelationships', uids: [uid, inserted.uid] },
      { kind: 'addRelationships', added: [{ item: relationship!, before: null }] },
    ],
    [
      {
        kind: 'changeAttributes',
        changes: [key!, code!].map(item => ({ uid: item.uid, change: { maxLength: null } })),
      },
      { kind: 'changeAttributes', changes: [{ uid: code!.uid, change: { maxLength: 4 } }] },
    ],
    [
      { kind: 'changeRelationships', changes: [{ uid, change: { description: 'x', unique: false } }] },
      { kind: 'changeRelationships', changes: [{ uid, change: { description: '' } }] },
    ],
    [
      { kind: 'moveColumns', moves: [], places: [key!, code!].map(item => ({ uid: item.uid, position: 0 })) },
      { kind: 'moveColumns', moves: [], places: [{ uid: code!.uid, position: 1 }] },
    ],
    [
      { kind: 'moveColumns', moves: [{ uid: key!.uid, before: uid }], places: [] },
      { kind: 'moveColumns', moves: [{ uid: key!.uid, before: code!.uid }], places: [] },
    ],
  ])('is undone by restoring what it changes, and nothing else: $kind', (edit, inverse) => {
    expect(invertEntityEdits(content, [edit])).toEqual([inverse])
    const after = applyEntityEdits(content, [edit])
    expect(applyEntityEdits(after, [inverse])).toEqual(content)
    expect(invertEntityEdits(after, [edit])).toEqual([])
  })

  it('of the target of a relationship clears the former uid of the target, unless it sets one', () => {
    const to = (change: object) => {
      const edit: EntityEdit = { kind: 'changeRelationships', changes: [{ uid, change }] }
      const after = applyEntityEdits(content, [edit])
      expect(applyEntityEdits(after, invertEntityEdits(content, [edit]))).toEqual(content)
      return after.entityAttributes[0]?.associatedEntityTypeAttributeUid
    }
    const associatedEntity = { id: 99, name: 'Person', path: 'user-defined/Person' }
    expect([{ associatedEntity }, { associatedEntityTypeAttribute: 'code' }].map(to)).toEqual([null, null])
    expect(to({ associatedEntity, associatedEntityTypeAttributeUid: 'b' })).toBe('b')
    expect(to({ description: 'x' })).toBe('a')
  })

  it('is applied to the result of the previous edits', () => {
    const named = (name: string): EntityEdit => ({
      kind: 'changeAttributes',
      changes: [{ uid: code!.uid, change: { name } }],
    })
    const remove: EntityEdit = { kind: 'removeAttributes', uids: [key!.uid] }
    const after = applyEntityEdits(content, [remove, named('a'), named('b'), { kind: 'changeEntity', change: {} }])
    expect(after.typeAttributes.map(({ name }) => name)).toEqual(['b'])
  })
})

describe('edits between two states', () => {
  it('contain only the fields that differ', () => {
    const before = anEntityContent({ typeAttributes: aList(aKey(), aTypeAttribute({ name: 'a' })) })
    const [key, a] = before.typeAttributes
    const after = (change: object) => ({ ...before, typeAttributes: [{ ...key! }, { ...a!, ...change }] })
    const { uid } = a!
    expect(entityEditsBetween(before, after({}))).toEqual([])
    expect(entityEditsBetween(before, after({ position: 5 }))).toEqual([
      { kind: 'moveColumns', moves: [], places: [{ uid, position: 5 }] },
    ])
    expect(entityEditsBetween(before, after({ name: 'b' }))).toEqual([
      { kind: 'changeAttributes', changes: [{ uid, change: { name: 'b' } }] },
    ])
    const added = aTypeAttribute({ name: 'c', position: 2 })
    const typeAttributes = [key!, added, a!]
    expect(entityEditsBetween(before, { ...before, description: 'x', typeAttributes })).toEqual([
      { kind: 'changeEntity', change: { description: 'x' } },
      { kind: 'addAttributes', added: [{ item: added, before: uid }] },
    ])
  })

  it('place an attribute that became a relationship before another one', () => {
    const before = anEntityContent({ typeAttributes: aList(aKey(), aTypeAttribute(), aTypeAttribute()) })
    const [key, first, second] = before.typeAttributes
    const relationship = aRelationship(anEntity(), { uid: second!.uid, position: 0 })
    const typeAttributes = [key!, first!].map(item => ({ ...item, position: item.position + 1 }))
    const after = { ...before, typeAttributes, entityAttributes: [relationship] }
    expect(applyEntityEdits(before, entityEditsBetween(before, after))).toEqual(after)
  })

  it('edits between two arbitrary states transform one into the other', () => {
    fc.assert(
      fc.property(seeds, ([model, session]) => {
        const before = arbitraryContent(model)
        const after = applyEntityEdits(before, arbitraryEdits(before, session))
        expect(inOrder(applyEntityEdits(before, entityEditsBetween(before, after)))).toEqual(inOrder(after))
        expect(entityEditsBetween(before, before)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })
})

describe('user actions on attributes', () => {
  const content = anEntityContent({
    typeAttributes: aList(
      aKey(),
      aTypeAttribute({ name: 'first', maxLength: 40 }),
      aTypeAttribute({ name: 'second' }),
      aTypeAttribute({ name: 'third' }),
    ),
  })
  const [, first, second, third] = content.typeAttributes
  const uidOf = (item: { uid: string } | undefined) => item?.uid ?? ''
  const names = (after: EntityContent) =>
    after.typeAttributes.toSorted((a, b) => a.position - b.position).map(item => item.name)

  it('giving another attribute the purpose identifiedBy leaves one key', holds('E3.33'), () => {
    const edits = changeAttributeEdits(content, uidOf(second), { purpose: 'identifiedBy' })
    const keys = applyEntityEdits(content, edits).typeAttributes.filter(item => item.purpose === 'identifiedBy')
    expect(keys.map(item => item.name)).toEqual(['second'])
    const [change, ...others] = edits.flatMap(edit => ('changes' in edit ? edit.changes : []))
    expect(change?.uid).toBe(second?.uid)
    expect(others).toEqual([{ uid: uidOf(content.typeAttributes[0]), change: { purpose: 'hasA' } }])
  })

  it('repeating the purpose of the key, or changing that of another attribute, changes no further attribute', () => {
    for (const [item, purpose] of [
      [content.typeAttributes[0], 'identifiedBy'],
      [second, 'hasA'],
    ] as const) {
      const [edit] = changeAttributeEdits(content, uidOf(item), { purpose })
      expect(edit).toEqual({ kind: 'changeAttributes', changes: [{ uid: item?.uid, change: { purpose } }] })
    }
  })

  it('edits that remove attributes state the handling of references if it was chosen', () => {
    expect(removeAttributesEdits(['a', 'b'])).toEqual([{ kind: 'removeAttributes', uids: ['a', 'b'] }])
    expect(removeAttributesEdits(new Set(['a']), 'keep')).toEqual([
      { kind: 'removeAttributes', uids: ['a'], onReferences: 'keep' },
    ])
  })

  it('changing the data type from string clears the max length', holds('E3.40'), () => {
    const edits = changeAttributeEdits(content, uidOf(first), { dataType: 'integer' })
    expect(applyEntityEdits(content, edits).typeAttributes[1]).toMatchObject({ dataType: 'integer', maxLength: null })
  })

  it('reordered attributes exchange positions among themselves, the key keeps its position', holds('E2.75'), () => {
    const key = uidOf(content.typeAttributes[0])
    const order = [uidOf(third), key, uidOf(first), uidOf(second)]
    expect(names(applyEntityEdits(content, reorderColumnsEdits(content, order)))).toEqual([
      'id',
      'third',
      'first',
      'second',
    ])
    expect(reorderColumnsEdits(content, [uidOf(first), uidOf(second), uidOf(third)])).toEqual([])
    const unsorted = { ...content, typeAttributes: content.typeAttributes.toReversed() }
    expect(reorderColumnsEdits(unsorted, [uidOf(first), uidOf(second), uidOf(third)])).toEqual([])
    // Attributes that are not named come last, in their order.
    expect(reorderColumnsEdits(content, [uidOf(second)])).toEqual([
      {
        kind: 'moveColumns',
        moves: [{ uid: second?.uid, before: first?.uid }],
        places: [],
      },
    ])
  })

  it('moves of different attributes have the same result in either order', () => {
    const move = (item: typeof first, before: string | null) => ({
      kind: 'moveColumns' as const,
      moves: [{ uid: uidOf(item), before }],
      places: [],
    })
    const [one, other] = [move(third, uidOf(first)), move(second, null)]
    const after = (...edits: (typeof one)[]) => names(applyEntityEdits(content, edits))
    expect(after(one, other)).toEqual(['id', 'third', 'first', 'second'])
    expect(after(other, one)).toEqual(after(one, other))
    expect(reorderColumnsEdits(content, [third, first, second].map(uidOf))).toEqual([one])
  })

  it('a move leaves the attributes with the same position the same objects: rows of the page are drawn by object', () => {
    const edits = reorderColumnsEdits(content, [first, third, second].map(uidOf))
    const before = new Set(content.typeAttributes)
    const same = applyEntityEdits(content, edits).typeAttributes.filter(item => before.has(item))
    expect(same.map(({ name }) => name)).toEqual(['id', 'first'])
  })

  it('a new attribute gets the last position', () => {
    const after = applyEntityEdits(content, addAttributeEdits(content, { name: 'fourth', dataType: 'float' }))
    expect(names(after)).toEqual(['id', 'first', 'second', 'third', 'fourth'])
    const related = { ...content, entityAttributes: [aRelationship(anEntity(), { position: 8 })] }
    const [edit] = addAttributeEdits(related, { name: 'fourth', dataType: 'float' })
    expect(edit).toMatchObject({ added: [{ item: { name: 'fourth', dataType: 'float', position: 9 }, before: null }] })
  })
})

function inOrder(content: EntityContent): EntityContent {
  const sorted = <T extends { uid: string; position: number }>(items: readonly T[]) =>
    items.toSorted((a, b) => a.position - b.position || a.uid.localeCompare(b.uid))
  return {
    ...content,
    typeAttributes: sorted(content.typeAttributes),
    entityAttributes: sorted(content.entityAttributes),
  }
}
