import { describe, expect, it } from 'vitest'
import { resolveModel, type ResolvedModel } from './resolved-model.ts'
import type { EntityNode } from './entity.ts'
import { limits } from './limits.ts'
import { nameConflictPlan, type NameConflictFacts, type NameConflictStrategy } from './name-conflicts.ts'
import { foldName } from './paths.ts'
import { boundedName } from './rules/names.ts'
import { aManifest, anEntity, referenceTo } from './testing/builders.ts'

type Member = { name: string; extend?: EntityNode; path?: string }

/** A manifest with one sub-manifest per list of entities. */
function model(lists: Readonly<Record<string, readonly (Member | EntityNode)[]>>) {
  const subs = Object.entries(lists).map(([name, members]) => {
    const entities = members.map(item =>
      'id' in item
        ? item
        : anEntity({
            name: item.name,
            path: item.path ?? `user-defined/${name}/${item.name}`,
            extendsEntity: item.extend ? referenceTo(item.extend) : null,
          }),
    )
    const manifest = aManifest({ name, entities: entities.map(({ id }) => ({ id, type: 'EXCLUSIVE' as const })) })
    return { manifest, entities }
  })
  const root = aManifest({ name: 'All', subManifests: subs.map(({ manifest }) => manifest.id) })
  const manifests = new Map([root, ...subs.map(({ manifest }) => manifest)].map(manifest => [manifest.id, manifest]))
  const entities = new Map(subs.flatMap(sub => sub.entities).map(entity => [entity.id, entity]))
  return resolveModel(root, { manifests, entities })
}

/** Facts as from a store: entities are unlocked unless listed, and names are taken within their manifests. */
function factsOf(resolvedModel: ResolvedModel, locked: Readonly<Record<string, 'entity' | 'all'>> = {}) {
  return new Map(
    resolvedModel.entities.map(entity => {
      const within = resolvedModel.manifests.filter(({ entities }) => entities.some(({ id }) => id === entity.id))
      const ids = new Set(within.flatMap(({ entities }) => entities.map(({ id }) => id)))
      const names = resolvedModel.entities.filter(({ id }) => ids.has(id)).map(({ name }) => foldName(name))
      const lock = locked[entity.path]
      const facts: NameConflictFacts = {
        locked: lock && 'It is locked.',
        listedIn: within.map(({ id, name }) => ({ id, name, locked: lock === 'all', owns: lock === undefined })),
        places: new Set(within.map(({ id }) => id)),
        taken: new Set(names),
      }
      return [entity.id, facts] as const
    }),
  )
}

function planned(resolvedModel: ResolvedModel, strategy: NameConflictStrategy, locked?: Parameters<typeof factsOf>[1]) {
  return nameConflictPlan(resolvedModel, strategy, factsOf(resolvedModel, locked)).map(step => {
    const what = step.action === 'rename' ? step.name : step.action === 'none' ? step.action : step.deletes
    return [step.entity.path, what, step.keeper.path]
  })
}

const two = { Sales: [{ name: 'Order' }], Army: [{ name: 'order' }, { name: 'Rank' }] }

describe('name conflicts of a manifest', () => {
  it('are resolved by folder name, number or removal, ignoring case; the first entity keeps its name', () => {
    const from = 'user-defined/Army/order'
    const keeper = 'user-defined/Sales/Order'
    expect(planned(model(two), 'prefix')).toEqual([[from, 'Army_order', keeper]])
    expect(planned(model(two), 'rename')).toEqual([[from, 'order2', keeper]])
    expect(planned(model(two), 'leaveOut')).toEqual([[from, true, keeper]])
    expect(planned(model({ Sales: [{ name: 'Order' }] }), 'prefix')).toEqual([])
  })

  it('are never resolved with a name in use in the manifest or resolved model', () => {
    const resolvedModel = model({ ...two, Navy: [{ name: 'Army_Order' }, { name: 'Order' }, { name: 'ORDER2' }] })
    expect(planned(resolvedModel, 'prefix').map(([, name]) => name)).toEqual(['Army_order2', 'Navy_Order'])
    expect(planned(resolvedModel, 'rename').map(([, name]) => name)).toEqual(['order3', 'Order4'])
  })

  it('leave the name to a locked entity and remove a second locked one', () => {
    const resolvedModel = model({ ...two, Navy: [{ name: 'Order' }] })
    const army = 'user-defined/Army/order'
    const navy = 'user-defined/Navy/Order'
    expect(planned(resolvedModel, 'prefix', { [army]: 'entity' })).toEqual([
      ['user-defined/Sales/Order', 'Sales_Order', army],
      [navy, 'Navy_Order', army],
    ])
    expect(planned(resolvedModel, 'prefix', { [army]: 'entity', [navy]: 'entity' })).toEqual([
      ['user-defined/Sales/Order', 'Sales_Order', army],
      [navy, false, army],
    ])
    expect(planned(resolvedModel, 'leaveOut', { [army]: 'all' }).map(([path]) => path)).toEqual([
      'user-defined/Sales/Order',
      navy,
    ])
    expect(planned(resolvedModel, 'rename', { [army]: 'all', [navy]: 'all' })).toEqual([
      ['user-defined/Sales/Order', 'Order2', army],
      [navy, 'none', army],
    ])
  })

  it('keep related entities in one table under a common name, unless a manifest lists both', () => {
    const parent = anEntity({ name: 'Order', path: 'user-defined/Army/Order' })
    const apart = model({ Sales: [{ name: 'Order' }], Army: [parent], Navy: [{ name: 'Order', extend: parent }] })
    expect(planned(apart, 'prefix')).toEqual([
      ['user-defined/Navy/Order', 'Navy_Order', 'user-defined/Sales/Order'],
      ['user-defined/Army/Order', 'Navy_Order', 'user-defined/Sales/Order'],
    ])
    const together = model({ Sales: [{ name: 'Order' }], Army: [parent, { name: 'Order', extend: parent }] })
    expect(planned(together, 'prefix').map(([, name]) => name)).toEqual(['Army_Order', 'Army_Order2'])
  })

  it('are resolved with valid names only, whatever the old name and folder', () => {
    const odd = ['_', '1', 'Ä b!', '…', 'x'.repeat(120), 'y'.repeat(500), '订单', 'a__b', 'a_', 'Käse 2']
    const folders = ['x/y%2F', '1 & 2', 'z'.repeat(300), '…', 'A']
    for (const name of odd)
      for (const folder of folders)
        for (const strategy of ['prefix', 'rename'] as const) {
          const path = `user-defined/${folder}/${name}`
          const resolvedModel = model({ One: [{ name, path }], Two: [{ name, path }], Three: [{ name, path }] })
          const names = planned(resolvedModel, strategy).map(([, proposed]) => String(proposed))
          expect(names.map(members => boundedName(members, limits.entityName))).toEqual([undefined, undefined])
          expect(new Set([...names, name].map(foldName)).size).toBe(3)
        }
  })
})
