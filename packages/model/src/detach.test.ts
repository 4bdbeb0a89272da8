import { expect, it } from 'vitest'
import { detachFrom } from './detach.ts'
import { newEntityAttribute } from './entity-attribute.ts'
import { type EntityContent, type EntityNode, newEntityContent } from './entity.ts'
import { resolvedAttributes } from './inherit.ts'
import { newTypeAttribute } from './type-attribute.ts'

const node = (id: number, content: EntityContent): EntityNode => ({
  ...content,
  id,
  path: `user-defined/${content.name}`,
})
const reference = ({ id, name, path }: EntityNode) => ({ id, name, path })

const code = newTypeAttribute({ name: 'code', position: 0, purpose: 'identifiedBy', maxLength: 12 })
const target = node(1, newEntityContent({ name: 'Country', typeAttributes: [code] }))
const toTarget = newEntityAttribute({
  associatedEntity: reference(target),
  associatedEntityTypeAttribute: 'code',
  foreignKeyTypeAttribute: 'countryCode',
  foreignKeyDataType: 'string',
  unique: true,
  position: 1,
})

it("a relationship to a deleted target becomes an attribute with its uid, position and the key's type", () => {
  const content = newEntityContent({ name: 'City', entityAttributes: [toTarget] })
  const lookup = (id: number) => (id === 1 ? target : undefined)
  const detachedContent = detachFrom(content, { removed: new Set([1]), lookup, onReferences: 'keep' })
  expect(detachedContent.entityAttributes).toEqual([])
  expect(detachedContent.typeAttributes[1]).toMatchObject({
    uid: toTarget.uid,
    name: 'countryCode',
    dataType: 'string',
    maxLength: 12,
    nullable: true,
    unique: true,
    position: 1,
  })
  const withoutColumn = detachFrom(content, { removed: new Set([1]), lookup, onReferences: 'remove' })
  expect(withoutColumn.typeAttributes.map(({ name }) => name)).toEqual(['id'])
})

it('a deleted alternative target is removed from its relationship, other references are unchanged', () => {
  const alternatives = [{ entity: { id: 5, name: 'Gone', path: '' }, attribute: 'id' }]
  const content = newEntityContent({
    name: 'City',
    entityAttributes: [{ ...toTarget, alternativeTargets: alternatives }],
  })
  const removal = { removed: new Set([5]), lookup: () => undefined, onReferences: 'keep' } as const
  expect(detachFrom(content, removal).entityAttributes).toEqual([toTarget])
  expect(detachFrom(content, { ...removal, removed: new Set([6]) })).toEqual(content)
})

it('a subtype keeps its columns and extends the nearest remaining ancestor', () => {
  const attribute = (name: string, position: number) => newTypeAttribute({ name, position })
  const grandparent = node(1, newEntityContent({ name: 'G', typeAttributes: [code, attribute('both', 1)] }))
  const parent = node(
    2,
    newEntityContent({
      name: 'P',
      extendsEntity: reference(grandparent),
      typeAttributes: [attribute('first', 0), attribute('hidden', 1), attribute('last', 2)],
    }),
  )
  const subtype = node(
    3,
    newEntityContent({
      name: 'C',
      extendsEntity: reference(parent),
      typeAttributes: [{ ...attribute('hidden', 0), nullable: true }, attribute('own', 1)],
    }),
  )
  const nodes = new Map([grandparent, parent, subtype].map(item => [item.id, item]))
  const lookup = (id: number) => nodes.get(id)
  const columns = (entity: EntityNode) =>
    resolvedAttributes(entity, lookup).map(item => [item.name, item.nullable, item.isPrimaryKey])
  for (const removedIds of [new Set([2]), new Set([1, 2])]) {
    const after = { ...subtype, ...detachFrom(subtype, { removed: removedIds, lookup, onReferences: 'keep' }) }
    expect(after.extendsEntity?.id).toBe(removedIds.has(1) ? undefined : 1)
    expect(columns(after)).toEqual(columns(subtype))
    expect(new Set(after.typeAttributes.map(item => item.uid)).size).toBe(after.typeAttributes.length)
  }
})
