import { expect, it } from 'vitest'
import { resolveModel } from '../resolved-model.ts'
import { aManifest } from '../testing/builders.ts'
import { findings } from '../testing/findings.ts'
import { subManifestCycle } from './sub-manifest-cycle.ts'

it('Errors: a sub-manifest cycle, with its path', () => {
  const shop = aManifest({ name: 'Shop', id: 8001, subManifests: [8002] })
  const stock = aManifest({ name: 'Stock', id: 8002, subManifests: [8003] })
  const parts = aManifest({ name: 'Parts', id: 8003, subManifests: [8002] })
  const manifests = new Map([shop, stock, parts].map(manifest => [manifest.id, manifest]))
  expect(findings(subManifestCycle, resolveModel(shop, { manifests, entities: new Map() }))).toEqual([
    ['error', 'subManifestCycle', 'A manifest contains itself: Stock, Parts, Stock.', 'Shop/Stock'],
  ])
  manifests.delete(8003)
  expect(findings(subManifestCycle, resolveModel(shop, { manifests, entities: new Map() }))).toEqual([])
})
