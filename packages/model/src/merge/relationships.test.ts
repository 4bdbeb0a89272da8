import { expect, it } from 'vitest'
import type { EntityContent } from '../entity.ts'
import { anEntity, anEntityContent, aRelationship } from '../testing/builders.ts'
import { mergeEntity, mergeTakingTheirs } from './entity.ts'

const base = anEntityContent({ entityAttributes: [aRelationship(anEntity({ name: 'Country' }))] })

it('a changed target keeps its attribute; it is a conflict if one side changed the entity and the other the attribute', () => {
  const region = anEntity({ name: 'Region' })
  const [before] = base.entityAttributes
  if (!before) throw new Error('There is no relationship.')
  const withUid = { ...before, associatedEntityTypeAttributeUid: '01890000-0000-7000-8000-00000000000a' }
  const withTarget = (change: Partial<typeof before>): EntityContent => ({
    ...base,
    entityAttributes: [{ ...withUid, ...change }],
  })
  const stored = withTarget({})
  const { id, name, path } = region
  const elsewhere = {
    associatedEntity: { id, name, path },
    associatedEntityTypeAttributeUid: '01890000-0000-7000-8000-00000000000b',
  }
  for (const change of [elsewhere, { ...elsewhere, associatedEntityTypeAttributeUid: null }]) {
    const merge = mergeEntity(stored, withTarget(change), { ...stored, description: 'Theirs' })
    expect(merge.merged?.entityAttributes).toEqual([{ ...withUid, ...change }])
    expect(
      mergeEntity(stored, { ...stored, description: 'Mine' }, withTarget(change)).merged?.entityAttributes,
    ).toEqual([{ ...withUid, ...change }])
    const other = withTarget({ associatedEntityTypeAttribute: 'code', associatedEntityTypeAttributeUid: null })
    for (const [mine, theirs] of [
      [other, withTarget(change)],
      [withTarget(change), other],
    ] as const) {
      expect(mergeEntity(stored, mine, theirs).conflicts?.map(({ field }) => field)).toEqual([
        'associatedEntity',
        'associatedEntityTypeAttribute',
      ])
      expect(mergeTakingTheirs(stored, mine, theirs).entityAttributes).toEqual(theirs.entityAttributes)
    }
  }
})
