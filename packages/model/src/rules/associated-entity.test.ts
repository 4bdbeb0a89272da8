import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import { associatedEntity } from './associated-entity.ts'

describe('associated entity', () => {
  it("Associated entity: 'Required' when empty", holds('E5.29', 'E5.30'), () => {
    expect(associatedEntity(null, { entityId: 7 })).toBe('Required')
    expect(associatedEntity({ id: -1 }, { entityId: 7 })).toBe('Required')
  })

  it('The associated entity cannot be the parent entity itself', holds('E5.35'), () => {
    expect(associatedEntity({ id: 7 }, { entityId: 7 })).toBe(
      'The associated entity cannot be the parent entity itself.',
    )
    expect(associatedEntity({ id: 8 }, { entityId: 7 })).toBeUndefined()
    expect(associatedEntity({ id: 8 }, {})).toBeUndefined()
  })
})
