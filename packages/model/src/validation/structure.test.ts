import { expect, it } from 'vitest'
import { resolveModel } from '../resolved-model.ts'
import { aManifest, anEntity, aResolvedModel, referenceTo } from '../testing/builders.ts'
import { entityFindings, findings } from '../testing/findings.ts'
import { extendsCycle, noEntity, parentGone, subManifestCycle } from './structure.ts'

it('Errors: a manifest without entities', () => {
  expect(findings(noEntity, aResolvedModel([]))).toEqual([['error', 'noEntity', 'Shop has no entity.', 'Shop']])
  expect(findings(noEntity, aResolvedModel([anEntity()]))).toEqual([])
})

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

const to = (id: number, name: string) => ({ id, name, path: `user-defined/${name}` })

it('Errors: an extends cycle, reported once', () => {
  const a = anEntity({ name: 'Alpha', id: 8101, extendsEntity: to(8102, 'Beta') })
  const b = anEntity({ name: 'Beta', id: 8102, extendsEntity: to(8101, 'Alpha') })
  const below = anEntity({ name: 'Below', extendsEntity: referenceTo(a) })
  const self = anEntity({ name: 'Self', id: 8103, extendsEntity: to(8103, 'Self') })
  expect(findings(extendsCycle, aResolvedModel([below, a, b, self]))).toEqual([
    ['error', 'extendsCycle', 'Beta already extends Alpha.', 'Shop/Alpha'],
    ['error', 'extendsCycle', 'Self already extends Self.', 'Shop/Self'],
  ])
})

it('long chains and shared parents are not an extends cycle', () => {
  const party = anEntity({ name: 'Party' })
  const person = anEntity({ name: 'Person', extendsEntity: referenceTo(party) })
  const company = anEntity({ name: 'Company', extendsEntity: referenceTo(party) })
  expect(findings(extendsCycle, aResolvedModel([person, company], [party]))).toEqual([])
})

it('Warnings: a missing parent, of the entity or of an ancestor', () => {
  const orphan = anEntity({ name: 'Orphan', extendsEntity: { id: -1, name: 'Party', path: 'predefined/Party' } })
  const child = anEntity({ name: 'Child', extendsEntity: referenceTo(orphan) })
  expect(entityFindings(parentGone, aResolvedModel([child], [orphan]))).toEqual([
    ['warning', 'parentGone', 'Orphan extends predefined/Party, which does not exist.', 'Orphan'],
  ])
})
