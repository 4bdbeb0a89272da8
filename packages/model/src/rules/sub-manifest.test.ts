import { expect, it } from 'vitest'
import { aManifest } from '../testing/builders.ts'
import { subManifest } from './sub-manifest.ts'

const stock = aManifest({ name: 'Stock' })
const shop = aManifest({ name: 'Shop', subManifests: [stock.id] })
const group = aManifest({ name: 'Group', subManifests: [shop.id] })
const byId = new Map([stock, shop, group].map(manifest => [manifest.id, manifest]))
const lookup = (id: number) => byId.get(id)

it('M5.10 A sub-manifest cannot be its own parent', () => {
  expect(subManifest(shop, { parent: shop, lookup })).toBe("You can't select the same manifest as your sub-manifest.")
})

it('refuses a manifest that already contains the parent, near or far', () => {
  expect(subManifest(shop, { parent: stock, lookup })).toBe('Shop already contains Stock.')
  expect(subManifest(group, { parent: stock, lookup })).toBe('Group already contains Stock.')
})

it('refuses one that is there already and accepts any other', () => {
  expect(subManifest(stock, { parent: shop, lookup })).toBe('Stock is already a sub-manifest.')
  expect(subManifest(stock, { parent: group, lookup })).toBeUndefined()
})
