import { resolvedModelIn, changingModel, modelChanges } from '@cadmus/model/testing/arbitrary-changes'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { aResolvedModel, aKey, aList, anEntity, aRelationship, referenceTo } from '@cadmus/model/testing/builders'
import type { EntityNode } from '@cadmus/model/entity'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { expect, it } from 'vitest'
import type { MadeTable } from './table-cache.ts'
import { newTables, tablesOf } from './tables.ts'

const options = { applyAutoIncrement: true }
const length = 12

it('tables after any change equal those made without a cache', () => {
  let compared = 0
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = seededRandom(seed)
    const model = changingModel(arbitraryModel(seed, { size: 12 }))
    const cache = newTables()
    for (let step = 0; step < 40; step += 1) {
      const results = resultOf(() => joined(cache.at(resolvedModelIn(model), options)))
      expect(results).toEqual(resultOf(() => withoutCache(resolvedModelIn(model))))
      compared += typeof results === 'string' ? 0 : results.tables.length
      for (let change = random.between(1, 2); change > 0; change -= 1) random.pick(modelChanges)(model, random)
    }
  }
  expect(compared).toBeGreaterThan(500)
})

it('a change at the end of a chain of keys reaches all of them, also if it becomes a cycle', () => {
  const chain = chainOf(length)
  const [first, second] = chain
  if (!first || !second) throw new Error('The chain is short.')
  const model = changingModel(aResolvedModel([...chain, anEntity({ name: 'Other' })]))
  const cache = newTables()
  const update = (...entities: EntityNode[]) => {
    for (const entity of entities) model.entities.set(entity.id, entity)
    const results = cache.at(resolvedModelIn(model), options)
    expect(joined(results)).toEqual(withoutCache(resolvedModelIn(model)))
    return results
  }
  const typeOfLast = (results: ReturnType<typeof update>) => results.at(length - 1)?.table?.columns.at(-1)?.type
  const before = update()
  expect(typeOfLast(before)).toEqual({ kind: 'varchar', length: 20 })
  const after = update(withCode(first, 30))
  expect(typeOfLast(after)).toEqual({ kind: 'varchar', length: 30 })
  // An unaffected table is the same object.
  expect(after.map((results, index) => results === before[index])).toEqual([...chain.map(() => false), true])
  expect(update().every((results, index) => results === after[index])).toBe(true)
  const last = chain.at(-1)
  const circle = { ...first, typeAttributes: [], entityAttributes: [pointer(last ?? first)] }
  const cyclic = update(circle)
  expect(cyclic.flatMap(({ notes }) => notes).map(({ code }) => code)).toContain('referenceCycle')
  update({ ...second, description: 'Changed' })
  expect(
    update(first)
      .flatMap(({ notes }) => notes)
      .map(({ code }) => code),
  ).not.toContain('referenceCycle')
  update({ ...second, entityAttributes: [] })
  update({ ...second, entityAttributes: second.entityAttributes, extendsEntity: referenceTo(first) })
})

function pointer(target: EntityNode) {
  return aRelationship(target, { associatedEntityTypeAttribute: 'code', foreignKeyTypeAttribute: 'code' })
}

function withCode(entity: EntityNode, maxLength: number): EntityNode {
  return { ...entity, typeAttributes: aList(aKey({ name: 'code', dataType: 'string', maxLength })) }
}

/** A chain in which each foreign key refers to the previous one. */
function chainOf(count: number): EntityNode[] {
  const chain = [withCode(anEntity({ name: 'Link0' }), 20)]
  for (let index = 1; index < count; index += 1) {
    const [target] = chain.slice(-1)
    if (target) chain.push(anEntity({ name: `Link${index}`, entityAttributes: [pointer(target)] }))
  }
  return chain
}

function joined(results: readonly MadeTable[]) {
  return { tables: results.flatMap(({ table }) => table ?? []), notes: results.flatMap(({ notes }) => notes) }
}

function withoutCache(resolvedModel: ResolvedModel) {
  const { schema, notes } = tablesOf(resolvedModel, options)
  return { tables: schema.tables, notes }
}

/** The result or the error, as name conflicts are rejected. */
function resultOf<T>(work: () => T): T | string {
  try {
    return work()
  } catch (error) {
    return String(error)
  }
}
