import { holds } from '@cadmus/testing/holds'
import { describe, expect, it } from 'vitest'
import type { Target } from '../../commands/context.ts'
import { mayDrop } from './drop.ts'

describe('dropping an entity on a manifest', holds('E2.25'), () => {
  const entity: Target = {
    kind: 'entity',
    id: 1,
    name: 'Account',
    path: 'predefined/Account',
    isDefault: true,
    type: 'TEMPLATE',
    manifest: null,
  }
  const manifest: Target = {
    kind: 'manifest',
    id: 7,
    name: 'Shop',
    path: 'user-defined/Shop',
    isDefault: false,
    parent: null,
  }
  it('is allowed on an own manifest', () => {
    expect(mayDrop(entity, manifest)).toBe(true)
  })
  it('is refused on a predefined manifest, on its current manifest, and for other nodes', () => {
    expect(mayDrop(entity, { ...manifest, isDefault: true })).toBe('Predefined content is read-only.')
    expect(mayDrop({ ...entity, manifest: { id: 7, name: 'Shop' } }, manifest)).toBe('Account is in Shop already.')
    expect(mayDrop(undefined, manifest)).toBe('Failed to process dropped entity.')
    expect(mayDrop(manifest, manifest)).toBe('Failed to process dropped entity.')
  })
})
