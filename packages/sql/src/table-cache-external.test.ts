import type { EntityNode } from '@cadmus/model/entity'
import { changingModel, resolvedModelIn } from '@cadmus/model/testing/arbitrary-changes'
import { aResolvedModel, aKey, aList, anEntity, aRelationship } from '@cadmus/model/testing/builders'
import { expect, it } from 'vitest'
import { newTables, tablesOf } from './tables.ts'

const options = { applyAutoIncrement: true }

it('a change reaches a key that refers to it through an entity outside the manifest', () => {
  const first = withCode(anEntity({ name: 'First' }), 20)
  const inside = anEntity({ name: 'Inside', entityAttributes: [pointer(first)] })
  const outside = anEntity({ name: 'Outside', entityAttributes: [pointer(inside)] })
  const last = anEntity({ name: 'Last', entityAttributes: [pointer(outside)] })
  const model = changingModel(aResolvedModel([first, inside, last], [outside]))
  const cache = newTables()
  for (const length of [20, 30, 40]) {
    model.entities.set(first.id, withCode(first, length))
    const results = cache.at(resolvedModelIn(model), options)
    const { tables } = tablesOf(resolvedModelIn(model), options).schema
    expect(results.map(({ table }) => table)).toEqual(tables)
    expect(tables.map(table => table.columns.at(-1)?.type)).toEqual(tables.map(() => ({ kind: 'varchar', length })))
  }
})

function pointer(target: EntityNode) {
  return aRelationship(target, { associatedEntityTypeAttribute: 'code', foreignKeyTypeAttribute: 'code' })
}

function withCode(entity: EntityNode, maxLength: number): EntityNode {
  return { ...entity, typeAttributes: aList(aKey({ name: 'code', dataType: 'string', maxLength })) }
}
