import { describe, expect, it } from 'vitest'
import { closureOf } from './closure.ts'
import type { ManifestNode } from './manifest.ts'
import { manifestPlaces } from './places.ts'
import { aManifest, anEntity } from './testing/builders.ts'
import { firstError, validate } from './validate.ts'

const entities = [1, 2, 3, 4].map(id => anEntity({ id, name: `Thing${id}` }))
const source = (manifests: readonly ManifestNode[]) => ({
  manifests: new Map(manifests.map(manifest => [manifest.id, manifest])),
  entities: new Map(entities.map(entity => [entity.id, entity])),
})
const members = (...ids: number[]) => ids.map(id => ({ id, type: 'EXCLUSIVE' as const }))

describe('the closure of a manifest', () => {
  it('a closure contains each manifest and entity once, parents before children', () => {
    const shared = aManifest({ id: 13, name: 'Shared', entities: members(3, 2) })
    const left = aManifest({ id: 11, name: 'Left', entities: members(2), subManifests: [13] })
    const right = aManifest({ id: 12, name: 'Right', entities: members(3), subManifests: [13] })
    const root = aManifest({ id: 10, name: 'Root', entities: members(4), subManifests: [11, 12] })
    const closure = closureOf(root, source([root, left, right, shared]))
    expect(closure.manifests.map(manifest => manifest.name)).toEqual(['Root', 'Left', 'Shared', 'Right'])
    expect(closure.entities.map(entity => entity.id)).toEqual([4, 2, 3])
    expect([...closure.owner]).toEqual([
      [4, 10],
      [2, 11],
      [3, 13],
    ])
    expect(closure.cycle).toEqual([])
  })

  it('a closure handles 20,000 nested manifests', () => {
    const count = 20_000
    const manifests = Array.from({ length: count }, (_, index) =>
      aManifest({ id: 100 + index, name: `Level ${index}`, subManifests: [101 + index], entities: members(1) }),
    )
    const [root = aManifest()] = manifests
    const closure = closureOf(root, source(manifests))
    expect(closure.manifests).toHaveLength(count)
    expect(closure.cycle).toEqual([])
    const path = manifestPlaces(closure).get(99 + count)
    expect([path?.length, path?.[0]?.name, path?.at(-1)?.name]).toEqual([100, 'Level 0', `Level ${count - 1}`])
    expect(firstError(validate(closure))).toBeUndefined()
    const last = aManifest({ id: 99 + count, name: 'Last', subManifests: [99 + count / 2] })
    const { cycle } = closureOf(root, source([...manifests.slice(0, -1), last]))
    expect([cycle.length, cycle[0], cycle.at(-1)]).toEqual([count / 2 + 2, 99 + count / 2, 99 + count / 2])
  })

  it('a closure omits missing items and reports a cycle', () => {
    const a = aManifest({ id: 21, name: 'A1', entities: members(1, 99), subManifests: [22, 98] })
    const b = aManifest({ id: 22, name: 'B1', subManifests: [21] })
    const closure = closureOf(a, source([a, b]))
    expect(closure.entities.map(entity => entity.id)).toEqual([1])
    expect(closure.manifests.map(manifest => manifest.id)).toEqual([21, 22])
    expect(closure.cycle).toEqual([21, 22, 21])
  })
})
