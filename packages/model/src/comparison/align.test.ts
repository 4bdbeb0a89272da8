import { expect, it } from 'vitest'
import type { EntityNode } from '../entity.ts'
import type { EntityReference } from '../entity-attribute.ts'
import type { ManifestNode } from '../manifest.ts'
import { resolveModel, type ResolvedModel } from '../resolved-model.ts'
import {
  aKey,
  aList,
  aManifest,
  anEntity,
  anId,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '../testing/builders.ts'
import { seededRandom } from '../testing/seeded-random.ts'
import { newUid } from '../uid.ts'
import { alignedModel } from './align.ts'
import { compareModels } from './compare-models.ts'

function aModel(
  root: Partial<ManifestNode>,
  entities: EntityNode[],
  others: ManifestNode[] = [],
  outside: EntityNode[] = [],
): ResolvedModel {
  const listed = new Set(others.flatMap(other => other.entities.map(({ id }) => id)))
  const members = entities.filter(({ id }) => !listed.has(id)).map(({ id }) => ({ id, type: 'EXCLUSIVE' as const }))
  const manifest = aManifest({ entities: members, subManifests: others.map(({ id }) => id), ...root })
  const byId = <T extends { id: number }>(items: T[]) => new Map(items.map(item => [item.id, item]))
  return resolveModel(manifest, { manifests: byId([manifest, ...others]), entities: byId([...entities, ...outside]) })
}

function differences(model: ResolvedModel, reference: ResolvedModel) {
  const side = (resolvedModel: ResolvedModel) => ({ resolvedModel, configuration: undefined })
  return compareModels(side(reference), side(alignedModel(model, reference)))
}

/** An independent copy, as made by the store; `marked`: it knows its origin. */
function copyOf(entity: EntityNode, marked = true): EntityNode {
  const copied = <T extends { uid: string }>(item: T): T => ({
    ...item,
    uid: newUid(),
    copiedFrom: marked ? item.uid : null,
  })
  return {
    ...copied(entity),
    id: anId(),
    typeAttributes: entity.typeAttributes.map(copied),
    entityAttributes: entity.entityAttributes.map(copied),
  }
}

const country = anEntity({ name: 'Country', typeAttributes: aList(aKey(), aTypeAttribute({ name: 'code' })) })
const order = anEntity({
  name: 'Order',
  typeAttributes: aList(aKey(), aTypeAttribute({ name: 'total' })),
  entityAttributes: [
    aRelationship(country, { position: 2, associatedEntityTypeAttributeUid: country.typeAttributes[1]?.uid ?? null }),
  ],
})

/** Copies of both, with the relationship between the copies. */
function copies(marked: boolean): { land: EntityNode; purchase: EntityNode } {
  const land = copyOf(country, marked)
  const copy = copyOf(order, marked)
  const entityAttributes = copy.entityAttributes.map(item => ({
    ...item,
    associatedEntity: referenceTo(land),
    associatedEntityTypeAttributeUid: land.typeAttributes[1]?.uid ?? null,
  }))
  return { land, purchase: { ...copy, entityAttributes } }
}

it.each([
  ['copied from it', true],
  ['with the same names only', false],
])('a manifest %s has no differences, in either direction', (_what, marked) => {
  const { land, purchase } = copies(marked)
  const [original, copy] = [aModel({ name: 'Shop' }, [country, order]), aModel({ name: 'Shop' }, [land, purchase])]
  for (const [model, reference] of [
    [copy, original],
    [original, copy],
  ] as const) {
    const { entities, same, manifest } = differences(model, reference)
    expect([entities, same, manifest]).toEqual([[], 2, []])
    const aligned = alignedModel(model, reference)
    expect([aligned.root.uid, aligned.root.id]).toEqual([reference.root.uid, reference.root.id])
    expect(aligned.entities.map(({ id, uid }) => [id, uid])).toEqual(reference.entities.map(({ id, uid }) => [id, uid]))
  }
})

it('copies keep their counterparts when both sides rename entities and columns', () => {
  const { land, purchase } = copies(true)
  const [key, total] = purchase.typeAttributes
  const renamed = { ...purchase, name: 'Purchase', typeAttributes: [key!, { ...total!, name: 'sum', maxLength: 9 }] }
  const { entities } = differences(aModel({}, [land, renamed]), aModel({}, [country, order]))
  expect(entities).toMatchObject([
    {
      uid: order.uid,
      kinds: ['renamed', 'changed'],
      before: { id: order.id, name: 'Order' },
      after: { id: order.id, name: 'Purchase' },
      changes: [
        { kind: 'renamed', step: null },
        { kind: 'renamed', step: { uid: order.typeAttributes[1]?.uid }, before: 'total', after: 'sum' },
        { kind: 'changed', field: 'maxLength', after: 9 },
      ],
    },
  ])
})

it('two copies of one origin are the same, and a shared entity is the same object', () => {
  const [one, other] = [copyOf(order), copyOf(order)]
  const aligned = alignedModel(
    aModel({}, [{ ...other, name: 'Other' }], [], [country]),
    aModel({}, [one], [], [country]),
  )
  expect(aligned.entities[0]).toMatchObject({ id: one.id, uid: one.uid, name: 'Other' })
  expect(aligned.byId.get(country.id)).toBe(country)
})

it('ambiguous names and origins have no counterpart, and names count among members only', () => {
  const twice = [copyOf(order), copyOf(order)]
  const { entities } = differences(aModel({}, [...twice, country]), aModel({}, [order, country]))
  expect(entities.map(({ kinds }) => kinds[0])).toEqual(['added', 'added', 'removed'])
  const outside = anEntity({ name: 'Country' })
  const referring = { ...order, entityAttributes: [aRelationship(outside, { position: 2 })] }
  const shown = differences(aModel({}, [referring], [], [outside]), aModel({}, [order, country]))
  expect(shown.entities.map(({ kinds, after, before }) => [kinds, (after ?? before)?.manifest === ''])).toEqual([
    [['changed'], false],
    [['removed'], false],
    [['added'], true],
  ])
})

it('sub-manifests of the same name are the same, so that no entity is moved', () => {
  const { land, purchase } = copies(true)
  const sub = (entity: EntityNode) => aManifest({ name: 'Sales', entities: [{ id: entity.id, type: 'EXCLUSIVE' }] })
  const reference = aModel({ name: 'Shop' }, [country, order], [sub(order)])
  const { entities, subManifests, manifest } = differences(
    aModel({ name: 'Copy' }, [land, purchase], [sub(purchase)]),
    reference,
  )
  expect([entities, subManifests]).toEqual([[], []])
  expect(manifest).toEqual([{ path: '', field: 'name', before: 'Shop', after: 'Copy' }])
})

it('a manifest that contains the reference has it as a sub-manifest', () => {
  const reference = aModel({ name: 'Sales' }, [order], [], [country])
  const containing = aModel({ name: 'Shop' }, [order], [reference.root], [country])
  const { entities, subManifests } = differences(containing, reference)
  expect(entities).toEqual([])
  expect(subManifests).toMatchObject([{ uid: reference.root.uid, kind: 'added' }])
})

it('a cycle of sub-manifests and of ancestors is aligned', () => {
  const [a, b] = [anEntity({ name: 'A' }), anEntity({ name: 'B' })]
  const cyclic = [
    { ...a, extendsEntity: referenceTo(b) },
    {
      ...b,
      extendsEntity: referenceTo(a),
      entityAttributes: [aRelationship(a, { associatedEntityTypeAttributeUid: 'no' })],
    },
  ]
  const sub = aManifest({ name: 'Sub' })
  const model = aModel({ name: 'Shop' }, cyclic, [{ ...sub, subManifests: [sub.id] }])
  const other = aModel(
    { name: 'Shop' },
    cyclic.map(entity => copyOf(entity, false)),
  )
  expect(() => differences(model, other)).not.toThrow()
})

it('a copy of a manifest whose sub-manifests still refer to the original has no differences, in either direction', () => {
  const random = seededRandom(22)
  for (let round = 0; round < 60; round++) {
    const entities = Array.from({ length: random.between(2, 8) }, (_, at) =>
      anEntity({ name: `Entity${at}`, typeAttributes: aList(aKey()) }),
    )
    for (const [at, entity] of entities.entries()) {
      entity.entityAttributes = Array.from({ length: random.between(0, 3) }, (__, item) => {
        const target = random.pick(entities)
        const [key] = target.typeAttributes
        const name = `reference${item}`
        return aRelationship(target, {
          foreignKeyTypeAttribute: name,
          position: item + 1,
          associatedEntityTypeAttributeUid: key?.uid ?? null,
        })
      })
      if (at > 0 && random.chance(0.3)) entity.extendsEntity = referenceTo(random.pick(entities.slice(0, at)))
    }
    const isShared = new Map(entities.map(({ id }) => [id, random.chance(0.5)]))
    const shared = entities.filter(({ id }) => isShared.get(id))
    const own = entities.filter(({ id }) => !isShared.get(id))
    const copies = new Map(own.map(entity => [entity.id, copyOf(entity)]))
    for (const copy of copies.values()) {
      if (copy.extendsEntity) copy.extendsEntity = inCopy(copy.extendsEntity, copies)
      for (const item of copy.entityAttributes) {
        const target = copies.get(item.associatedEntity.id)
        if (!target) continue
        item.associatedEntity = referenceTo(target)
        const key = target.typeAttributes.find(({ copiedFrom }) => copiedFrom === item.associatedEntityTypeAttributeUid)
        item.associatedEntityTypeAttributeUid = key?.uid ?? null
      }
    }
    const sub = aManifest({ name: 'Shared', entities: shared.map(({ id }) => ({ id, type: 'EXCLUSIVE' as const })) })
    const original = aModel({ name: 'Shop' }, entities, [sub])
    const copy = aModel({ name: 'Shop' }, [...copies.values(), ...shared], [sub], own)
    for (const [model, reference] of [
      [copy, original],
      [original, copy],
    ] as const) {
      const { entities: differing, subManifests, same } = differences(model, reference)
      expect(differing).toEqual([])
      expect([subManifests, same >= entities.length]).toEqual([[], true])
    }
  }
})

function inCopy(reference: EntityReference, copies: ReadonlyMap<number, EntityNode>): EntityReference {
  const copy = copies.get(reference.id)
  return copy ? referenceTo(copy) : reference
}
