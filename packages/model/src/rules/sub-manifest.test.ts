import { holds } from '@cadmus/testing/holds'
import { expect, it } from 'vitest'
import { aManifest } from '../testing/builders.ts'
import { subManifest } from './sub-manifest.ts'

const stock = aManifest({ name: 'Stock' })
const shop = aManifest({ name: 'Shop', subManifests: [stock.id] })
const group = aManifest({ name: 'Group', subManifests: [shop.id] })
const above = new Map([
  [stock, new Set([shop.id, group.id])],
  [shop, new Set([group.id])],
])
const of = (parent: typeof shop) => ({
  parent,
  listed: new Set(parent.subManifests),
  above: above.get(parent) ?? new Set<number>(),
})

it('A sub-manifest cannot be its own parent', holds('M5.10'), () => {
  expect(subManifest(shop, of(shop))).toBe("You can't select the same manifest as your sub-manifest.")
})

it('rejects a sub-manifest that contains the parent directly or indirectly', () => {
  expect(subManifest(shop, of(stock))).toBe('Shop already contains Stock.')
  expect(subManifest(group, of(stock))).toBe('Group already contains Stock.')
})

it('rejects an existing sub-manifest and accepts any other', () => {
  expect(subManifest(stock, of(shop))).toBe('Stock is already a sub-manifest.')
  expect(subManifest(stock, of(group))).toBeUndefined()
})
