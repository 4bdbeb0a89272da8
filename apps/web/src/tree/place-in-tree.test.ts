import type { CoreNode } from '@cadmus/model/contract/navigator'
import { describe, expect, it } from 'vitest'
import { indexCore } from './core-index.ts'
import { placeInTree, type Roots } from './tree-model.ts'

const folder = (path: string, parent: string): CoreNode => ({
  kind: 'folder',
  id: -1,
  name: path.split('/').at(-1) ?? '',
  path,
  parent,
})
const core = indexCore([
  folder('predefined/core', ''),
  folder('predefined/core/sales & co', 'predefined/core'),
  {
    kind: 'entity',
    id: 5,
    name: 'Deal',
    path: 'predefined/core/sales & co/Deal',
    parent: 'predefined/core/sales & co',
  },
])
const own = (owner: number | null) => ({
  isDefault: false,
  targetManifest: owner === null ? null : { id: owner, name: 'Shop' },
})
const navigator: Roots = { root: 'standard', own: 'custom' }
const library: Roots = { root: 'library', own: null }
const deal = { kind: 'entity' as const, id: 5, name: 'Deal' }

describe('finding the tree node of a document', () => {
  it('a predefined document is below its folders in both views', () => {
    const place = 'entities>folder:predefined%2Fcore>folder:predefined%2Fcore%2Fsales%20%26%20co>entity:5'
    expect(placeInTree(deal, undefined, navigator, core)).toBe(`standard>${place}`)
    expect(placeInTree(deal, undefined, library, core)).toBe(`library>${place}`)
  })

  it("an entity is below its manifest, otherwise among the workspace's entities", () => {
    const mine = { kind: 'entity' as const, id: 9, name: 'Mine' }
    expect(placeInTree(mine, own(3), navigator, core)).toBe('custom>manifests>manifest:3>entities>entity:9')
    expect(placeInTree(mine, own(null), navigator, core)).toBe('custom>entities>entity:9')
    expect(placeInTree({ ...mine, kind: 'manifest' }, undefined, navigator, core)).toBe('custom>manifests>manifest:9')
  })

  it('a document is below its own organisation if there are several', () => {
    const acme: Roots = { root: 'standard', own: 'org:ACME' }
    const mine = { kind: 'entity' as const, id: 9, name: 'Mine' }
    expect(placeInTree(mine, own(3), acme, core)).toBe('org:ACME>manifests>manifest:3>entities>entity:9')
    expect(placeInTree({ ...mine, kind: 'configuration' }, undefined, acme, core)).toBe('org:ACME>manifests>manifest:9')
  })

  it('a document has no node while its place is unknown or in a view without it', () => {
    const mine = { kind: 'entity' as const, id: 9, name: 'Mine' }
    expect(placeInTree(mine, undefined, navigator, core)).toBeNull()
    expect(placeInTree(mine, own(3), library, core)).toBeNull()
    expect(placeInTree(deal, undefined, navigator, null)).toBeNull()
  })
})
