import { changeAttributeEdits } from '@cadmus/model/edits/entity-actions'
import { newEntityContent, type EntityContent } from '@cadmus/model/entity'
import { newTypeAttribute } from '@cadmus/model/type-attribute'
import { describe, expect, it } from 'vitest'
import { entityDrafts, entityStandIn, type EntityDraft } from '../../drafts/entity-draft.ts'

const first = newTypeAttribute({ name: 'first', position: 0 })
const second = newTypeAttribute({ name: 'second', position: 1 })
const content = newEntityContent({ name: 'Sale', typeAttributes: [first, second], entityAttributes: [] })

function answer(overrides: Partial<EntityContent> = {}) {
  const place = { path: 'user-defined/Shop/Sale', version: '1.0.0', manifest: { id: 2, name: 'Shop' } }
  return entityStandIn(4, { ...content, ...overrides }, place)
}

const draft = entityDrafts.open(answer(), '"a"')
const undone = entityDrafts.undone(
  entityDrafts.edited(draft, changeAttributeEdits(draft.content, first.uid, { name: 'mine' })),
)
const nameOf = ({ content: { typeAttributes } }: EntityDraft) =>
  typeAttributes.find(item => item.uid === first.uid)?.name

describe('an entity edit that was reverted', () => {
  it('is not a change when my side of a conflict is kept', () => {
    const describeAs = (from: EntityDraft, description: string) =>
      entityDrafts.edited(from, changeAttributeEdits(from.content, second.uid, { description }))
    const back = describeAs(describeAs(draft, 'for a moment'), second.description ?? '')
    const mine = entityDrafts.edited(back, changeAttributeEdits(back.content, first.uid, { name: 'mine' }))
    const theirs = { ...first, name: 'theirs' }
    const now = answer({ typeAttributes: [theirs, { ...second, description: 'theirs' }] })
    const resolved = entityDrafts.keepMine(mine, now, '"b"')
    expect(nameOf(resolved)).toBe('mine')
    expect(resolved.content.typeAttributes.map(({ description }) => description)).toContain('theirs')
  })
})

describe('an entity edit undone before others saved', () => {
  it('can be redone if they changed another field', () => {
    const read = entityDrafts.rebased(undone, answer({ description: 'theirs' }), '"b"')
    const again = entityDrafts.redone(read)
    expect(again).toMatchObject({ changes: 1, content: { description: 'theirs' } })
    expect(nameOf(again)).toBe('mine')
  })

  it('redoing an edit undone before other users saved does not overwrite their changes', () => {
    const now = answer({ typeAttributes: [{ ...first, name: 'theirs' }, second] })
    const read = entityDrafts.rebased(undone, now, '"b"')
    expect(read.undone).toEqual([])
    expect(nameOf(entityDrafts.redone(read))).toBe('theirs')
  })
})
