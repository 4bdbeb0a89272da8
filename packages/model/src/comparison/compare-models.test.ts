import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnName, columnsInOrder } from '../columns.ts'
import { type Configuration, newConfiguration } from '../configuration.ts'
import type { EntityNode } from '../entity.ts'
import type { ManifestNode } from '../manifest.ts'
import { resolveModel } from '../resolved-model.ts'
import { changingModel, modelChanges, resolvedModelIn } from '../testing/arbitrary-changes.ts'
import { arbitraryModel } from '../testing/arbitrary-model.ts'
import { aKey, aList, aManifest, anEntity, aRelationship, aTypeAttribute, referenceTo } from '../testing/builders.ts'
import { seededRandom } from '../testing/seeded-random.ts'
import { compareModels } from './compare-models.ts'
import type { ComparedModel } from './comparison.ts'

const country = anEntity({ name: 'Country' })
const order = anEntity({
  name: 'Order',
  typeAttributes: aList(aKey(), aTypeAttribute({ name: 'code', maxLength: 8 })),
  entityAttributes: [aRelationship(country, { position: 2 })],
})
const customer = anEntity({ name: 'Customer' })
const sales = aManifest({ name: 'Sales', entities: [{ id: order.id, type: 'EXCLUSIVE' }] })
const shop = aManifest({
  name: 'Shop',
  entities: [{ id: customer.id, type: 'EXCLUSIVE' }],
  subManifests: [sales.id],
})

type Parts = { manifests?: ManifestNode[]; entities?: EntityNode[]; configuration?: Configuration }

function aState({ manifests = [], entities = [], configuration }: Parts = {}): ComparedModel {
  const byId = <T extends { id: number }>(items: T[]) => new Map(items.map(item => [item.id, item]))
  const all = byId([shop, sales, ...manifests])
  const source = { manifests: all, entities: byId([customer, order, country, ...entities]) }
  return { resolvedModel: resolveModel(all.get(shop.id) ?? shop, source), configuration }
}

const members = (...entities: EntityNode[]) => entities.map(({ id }) => ({ id, type: 'EXCLUSIVE' as const }))

describe('comparing two states of a model', () => {
  it('equal states have no differences', () => {
    expect(compareModels(aState(), aState())).toEqual({
      entities: [],
      subManifests: [],
      manifest: [],
      configuration: [],
      same: 3,
    })
  })

  it('enumerations and data steps are compared as a line for each', () => {
    const value = (text: string, label: string) => ({ uid: text, value: text, label })
    const enumerations = [
      { uid: 'e', name: 'State', description: '', values: [value('N', 'New'), value('old', 'old')] },
    ]
    const attribute = { uid: 'a', name: 'code' }
    const dataSteps = [{ uid: 's', kind: 'map' as const, attribute, values: [{ from: 'x', to: null }] }]
    const { manifest } = compareModels(aState(), aState({ manifests: [{ ...shop, enumerations, dataSteps }] }))
    expect(manifest.map(({ field, before, after }) => [field, before, after])).toEqual([
      ['enumerations', [], ['State: N (New), old']],
      ['dataSteps', [], ["'code' is mapped: 'x' becomes null."]],
    ])
  })

  it('entities are listed by manifest, then name, with the kinds of their changes', () => {
    const added = anEntity({ name: 'Address' })
    const manifests = [
      { ...shop, entities: members(added, order) },
      { ...sales, entities: members(customer) },
    ]
    const entities = [
      added,
      { ...customer, name: 'Buyer', description: 'who pays' },
      { ...country, name: 'Land' },
      { ...order, typeAttributes: order.typeAttributes.slice(0, 1) },
    ]
    const { entities: shown, same } = compareModels(aState(), aState({ manifests, entities }))
    expect(
      shown.map(({ kinds, before, after }) => [before?.name, before?.manifest, after?.name, after?.manifest, kinds]),
    ).toEqual([
      [undefined, undefined, 'Address', 'Shop', ['added']],
      ['Order', 'Sales', 'Order', 'Shop', ['moved', 'changed']],
      ['Customer', 'Shop', 'Buyer', 'Sales', ['renamed', 'moved', 'changed']],
      ['Country', '', 'Land', '', ['renamed']],
    ])
    expect(same).toBe(0)
    expect(shown[1]?.changes).toEqual([
      { kind: 'removed', step: { kind: 'typeAttribute', uid: order.typeAttributes[1]?.uid, name: 'code' } },
    ])
    expect(shown[2]?.changes).toEqual([
      { kind: 'renamed', step: null, before: 'Customer', after: 'Buyer' },
      { kind: 'changed', step: null, field: 'description', before: '', after: 'who pays' },
    ])
  })

  it('renamed targets are no changes of the entities that refer to them, and changed targets have their current names', () => {
    const renamed = { ...country, name: 'Land', typeAttributes: aList({ ...country.typeAttributes[0]!, name: 'code' }) }
    const [toCountry] = order.entityAttributes
    const uid = country.typeAttributes[0]?.uid ?? null
    const pinned = { ...toCountry!, associatedEntityTypeAttributeUid: uid }
    const before = { ...order, entityAttributes: [pinned] }
    const after = { ...order, entityAttributes: [{ ...pinned, nullable: false }] }
    const { entities } = compareModels(aState({ entities: [before] }), aState({ entities: [after, renamed] }))
    expect(entities.map(one => [one.before?.name, one.changes.map(change => change.kind)])).toEqual([
      ['Order', ['changed']],
      ['Country', ['renamed', 'renamed']],
    ])
    const moved = { ...order, extendsEntity: { ...referenceTo(country), name: 'outdated' } }
    const [change] = compareModels(aState(), aState({ entities: [moved, renamed] })).entities[0]?.changes ?? []
    expect(change).toMatchObject({ field: 'extendsEntity', before: null, after: { id: country.id, name: 'Land' } })
  })

  it('an entity that nothing refers to any more is removed, and one that becomes a target outside is added', () => {
    const other = anEntity({ name: 'Other' })
    const after = { ...order, entityAttributes: [aRelationship(other, { position: 2 })] }
    const { entities } = compareModels(aState(), aState({ entities: [after, other] }))
    expect(entities.map(({ kinds, before, after: now }) => [before?.name, now?.name, kinds])).toEqual([
      ['Order', 'Order', ['changed']],
      ['Country', undefined, ['removed']],
      [undefined, 'Other', ['added']],
    ])
  })

  it('an entity with a negative id does not exist now', () => {
    const gone = { ...customer, id: -7 }
    const manifests = [{ ...shop, entities: members(gone) }]
    const { entities } = compareModels(aState({ manifests, entities: [gone] }), aState({ manifests }))
    expect(entities[0]).toMatchObject({ uid: customer.uid, kinds: ['removed'], before: { id: -1, name: 'Customer' } })
  })

  it('sub-manifests and fields of manifests are compared by uid', () => {
    const added = aManifest({ name: 'Added' })
    const manifests = [
      { ...shop, description: 'A shop', subManifests: [sales.id, added.id] },
      { ...sales, name: 'Selling', description: 'Sells' },
      added,
    ]
    const [before, after] = [aState(), aState({ manifests })]
    expect(compareModels(before, after)).toMatchObject({
      entities: [],
      subManifests: [
        { uid: sales.uid, kind: 'renamed', before: 'Sales', after: 'Selling' },
        { uid: added.uid, kind: 'added', before: '', after: 'Added' },
      ],
      manifest: [
        { path: '', field: 'description', before: '', after: 'A shop' },
        { path: 'Selling', field: 'description', before: '', after: 'Sells' },
      ],
    })
    expect(compareModels(after, before).subManifests.map(({ kind }) => kind)).toEqual(['renamed', 'removed'])
  })

  it('configurations differ by field, without the names of renamed entities and columns', () => {
    const configurationOf = (exclusion: string, applyJoin: boolean): Configuration => {
      const configuration = newConfiguration('Shop')
      const { configurationBuild: build } = configuration
      const apiConfiguration = { ...build.apiConfiguration, excludeOperations: [exclusion] }
      const sqlConfiguration = { ...build.sqlConfiguration, applyJoin }
      return { ...configuration, configurationBuild: { ...build, apiConfiguration, sqlConfiguration } }
    }
    const [key, code] = order.typeAttributes
    const renamed = { ...order, name: 'Purchase', typeAttributes: [key!, { ...code!, name: 'number' }] }
    const before = aState({ configuration: configurationOf('Order.code.delete', false) })
    const after = aState({ entities: [renamed], configuration: configurationOf('Purchase.number.delete', true) })
    const path = 'configurationBuild.sqlConfiguration'
    expect(compareModels(before, after).configuration).toEqual([
      { path, field: 'applyJoin', before: false, after: true },
    ])
    expect(compareModels(aState(), aState({ configuration: newConfiguration('Renamed') })).configuration).toEqual([])
  })

  it('arbitrary states: equal entities are not listed, and the other direction has the opposite kinds', () => {
    const opposite = { added: 'removed', removed: 'added', renamed: 'renamed', moved: 'moved', changed: 'changed' }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), seed => {
        const random = seededRandom(seed)
        const model = changingModel(arbitraryModel(seed, { checks: true }))
        const state = (): ComparedModel => ({
          resolvedModel: resolvedModelIn({ ...model, entities: new Map(model.entities) }),
          configuration: undefined,
        })
        const before = state()
        for (let left = random.between(1, 12); left > 0; left -= 1) random.pick(modelChanges)(model, random)
        const after = state()
        const [there, back] = [compareModels(before, after), compareModels(after, before)]
        const kindsOf = ({ entities }: typeof there) => new Map(entities.map(({ uid, kinds }) => [uid, kinds]))
        const listed = kindsOf(there)
        expect(new Map([...listed].map(([uid, kinds]) => [uid, kinds.map(kind => opposite[kind])]))).toEqual(
          kindsOf(back),
        )
        expect(there.same).toBe(back.same)
        const content = ({ resolvedModel }: ComparedModel, id: number) => {
          const entity = resolvedModel.byId.get(id)
          return entity && { name: entity.name, columns: columnsInOrder(entity).map(columnName) }
        }
        for (const { id } of after.resolvedModel.entities.filter(one => !listed.has(one.uid)))
          expect(content(before, id)).toEqual(content(after, id))
      }),
    )
  })
})
