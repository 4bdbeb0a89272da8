import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { mayDrop, memberId } from './entity-drop.ts'

describe('dropping an entity on a manifest', holds('E2.25'), () => {
  const shop = { id: 7, name: 'Shop', locked: false } as const
  const ofStandard = 'standard>entities>parties>entity:1'

  it('is allowed on a custom manifest, from the tree and from the list of another manifest', () => {
    expect(mayDrop(ofStandard, shop)).toBe(true)
    expect(mayDrop(memberId({ id: 8 }, { id: 1 }), shop)).toBe(true)
  })
  it('is refused on a locked manifest with the reason, and on other nodes', () => {
    expect(mayDrop(ofStandard, { ...shop, locked: 'Predefined content is read-only.' })).toBe(
      'Predefined content is read-only.',
    )
    expect(mayDrop(ofStandard, null)).toBe('Drop entities on a manifest.')
  })
  it('is refused on the manifest that the entity is in, from the tree and from its list', () => {
    expect(mayDrop('custom>manifests>manifest:7>entities>entity:1', shop)).toBe('The entity is already in Shop.')
    expect(mayDrop(memberId(shop, { id: 1 }), shop)).toBe('The entity is already in Shop.')
  })
  it('is refused for texts, files and rows of other kinds', () => {
    for (const row of ['', 'standard>manifests>manifest:7', 'uid-of-an-attribute'])
      expect(mayDrop(row, shop)).toBe('Failed to process dropped entity.')
  })
})
