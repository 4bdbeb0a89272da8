import { describe, expect, it } from 'vitest'
import { resolveModel } from './resolved-model.ts'
import type { ManifestNode } from './manifest.ts'
import { manifestPlaces } from './problem.ts'
import { aManifest, anEntity } from './testing/builders.ts'
import { firstError, validate } from './validate.ts'

const entities = [1, 2, 3, 4].map(id => anEntity({ id, name: `Thing${id}` }))
const source = (manifests: readonly ManifestNode[]) => ({
  manifests: new Map(manifests.map(manifest => [manifest.id, manifest])),
  entities: new Map(entities.map(entity => [entity.id, entity])),
})
const members = (...ids: number[]) => ids.map(id => ({ id, type: 'EXCLUSIVE' as const }))

describe('the resolved model of a manifest', () => {
  it('a resolved model contains each manifest and entity once, parents before children', () => {
    const shared = aManifest({ id: 13, name: 'Shared', entities: members(3, 2) })
    const left = aManifest({ id: 11, name: 'Left', entities: members(2), subManifests: [13] })
    const right = aManifest({ id: 12, name: 'Right', entities: members(3), subManifests: [13] })
    const root = aManifest({ id: 10, name: 'Root', entities: members(4), subManifests: [11, 12] })
    const resolvedModel = resolveModel(root, source([root, left, right, shared]))
    expect(resolvedModel.manifests.map(manifest => manifest.name)).toEqual(['Root', 'Left', 'Shared', 'Right'])
    expect(resolvedModel.entities.map(entity => entity.id)).toEqual([4, 2, 3])
    expect([...resolvedModel.owner]).toEqual([
      [4, 10],
      [2, 11],
      [3, 13],
    ])
    expect(resolvedModel.cycle).toEqual([])
  })

  it('a resolved model handles 20,000 nested manifests', () => {
    const count = 20_000
    const manifests = Array.from({ length: count }, (_, index) =>
      aManifest({ id: 100 + index, name: `Level ${index}`, subManifests: [101 + index], entities: members(1) }),
    )
    const [root = aManifest()] = manifests
    const resolvedModel = resolveModel(root, source(manifests))
    expect(resolvedModel.manifests).toHaveLength(count)
    expect(resolvedModel.cycle).toEqual([])
    const path = manifestPlaces(resolvedModel).get(99 + count)
    expect([path?.length, path?.[0]?.name, path?.at(-1)?.name]).toEqual([100, 'Level 0', `Level ${count - 1}`])
    expect(firstError(validate(resolvedModel))).toBeUndefined()
    const last = aManifest({ id: 99 + count, name: 'Last', subManifests: [99 + count / 2] })
    const { cycle } = resolveModel(root, source([...manifests.slice(0, -1), last]))
    expect([cycle.length, cycle[0], cycle.at(-1)]).toEqual([count / 2 + 2, 99 + count / 2, 99 + count / 2])
  })

  it('a resolved model omits missing items and reports a cycle', () => {
    const a = aManifest({ id: 21, name: 'A1', entities: members(1, 99), subManifests: [22, 98] })
    const b = aManifest({ id: 22, name: 'B1', subManifests: [21] })
    const resolvedModel = resolveModel(a, source([a, b]))
    expect(resolvedModel.entities.map(entity => entity.id)).toEqual([1])
    expect(resolvedModel.manifests.map(manifest => manifest.id)).toEqual([21, 22])
    expect(resolvedModel.cycle).toEqual([21, 22, 21])
  })
})
