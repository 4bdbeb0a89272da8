import { holds } from '@cadmus/testing/holds'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { EntityContent } from '../entity.ts'
import { aKey, aList, anEntityContent, aTypeAttribute } from '../testing/builders.ts'
import { arbitraryContent, arbitraryEdits, entityEditKinds } from '../testing/arbitrary-edits.ts'
import {
  addAttributeEdits,
  changeAttributeEdits,
  reorderAttributesEdits,
  removeAttributesEdits,
} from './entity-actions.ts'
import { applyEntityEdits, entityEditsBetween, entityEditSchema, invertEntityEdits } from './entity-edits.ts'

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
    const edits = [...removeAttributesEdits([uid]), { kind: 'moveColumns' as const, places: [{ uid, position: 4 }] }]
    expect(applyEntityEdits(content, edits)).toEqual(content)
    expect(invertEntityEdits(content, edits)).toEqual([])
    expect(changeAttributeEdits(content, uid, { name: 'x' })).toEqual([])
  })
})

describe('edits between two states', () => {
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
  })

  it('changing the data type from string clears the max length', holds('E3.40'), () => {
    const edits = changeAttributeEdits(content, uidOf(first), { dataType: 'integer' })
    expect(applyEntityEdits(content, edits).typeAttributes[1]).toMatchObject({ dataType: 'integer', maxLength: null })
  })

  it('reordered attributes exchange positions among themselves, the key keeps its position', holds('E2.75'), () => {
    const key = uidOf(content.typeAttributes[0])
    const order = [uidOf(third), key, uidOf(first), uidOf(second)]
    expect(names(applyEntityEdits(content, reorderAttributesEdits(content, order)))).toEqual([
      'id',
      'third',
      'first',
      'second',
    ])
    expect(reorderAttributesEdits(content, [uidOf(first), uidOf(second), uidOf(third)])).toEqual([])
  })

  it('a new attribute gets the last position', () => {
    const after = applyEntityEdits(content, addAttributeEdits(content, { name: 'fourth', dataType: 'float' }))
    expect(names(after)).toEqual(['id', 'first', 'second', 'third', 'fourth'])
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
