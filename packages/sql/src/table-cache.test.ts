import { closureIn, changingModel, modelChanges } from '@cadmus/model/testing/arbitrary-changes'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { aClosure, aKey, aList, anEntity, aRelationship, referenceTo } from '@cadmus/model/testing/builders'
import type { EntityNode } from '@cadmus/model/entity'
import { seededRandom } from '@cadmus/model/testing/seeded-random'
import { expect, it } from 'vitest'
import { newTables } from './tables.ts'

const options = { applyAutoIncrement: true }
const length = 12

it('Tables that are made again after any change are those that one makes who knows nothing', () => {
  let compared = 0
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = seededRandom(seed)
    const model = changingModel(arbitraryModel(seed, { size: 12 }))
    const again = newTables()
    for (let step = 0; step < 40; step += 1) {
      const made = madeOf(() => again.at(closureIn(model), options))
      expect(made).toEqual(madeOf(() => newTables().at(closureIn(model), options)))
      compared += Array.isArray(made) ? made.length : 0
      for (let change = random.between(1, 2); change > 0; change -= 1) random.pick(modelChanges)(model, random)
    }
  }
  expect(compared).toBeGreaterThan(500)
})

it('A change at the end of a chain of keys reaches all of them, however long it is, and also where it becomes a circle', () => {
  const chain = chainOf(length)
  const [first, second] = chain
  if (!first || !second) throw new Error('The chain is short.')
  const model = changingModel(aClosure([...chain, anEntity({ name: 'Other' })]))
  const again = newTables()
  const look = (...entities: EntityNode[]) => {
    for (const entity of entities) model.entities.set(entity.id, entity)
    const made = again.at(closureIn(model), options)
    expect(made).toEqual(newTables().at(closureIn(model), options))
    return made
  }
  const typeOfLast = (made: ReturnType<typeof look>) => made.at(length - 1)?.table?.columns.at(-1)?.type
  const before = look()
  expect(typeOfLast(before)).toEqual({ kind: 'varchar', length: 20 })
  const after = look(withCode(first, 30))
  expect(typeOfLast(after)).toEqual({ kind: 'varchar', length: 30 })
  // Who has no part in it is the same object.
  expect(after.map((made, index) => made === before[index])).toEqual([...chain.map(() => false), true])
  expect(look().every((made, index) => made === after[index])).toBe(true)
  const last = chain.at(-1)
  const circle = { ...first, typeAttributes: [], entityAttributes: [pointer(last ?? first)] }
  const cyclic = look(circle)
  expect(cyclic.flatMap(({ notes }) => notes).map(({ code }) => code)).toContain('referenceCycle')
  look({ ...second, description: 'Changed' })
  expect(
    look(first)
      .flatMap(({ notes }) => notes)
      .map(({ code }) => code),
  ).not.toContain('referenceCycle')
  look({ ...second, entityAttributes: [] })
  look({ ...second, entityAttributes: second.entityAttributes, extendsEntity: referenceTo(first) })
})

function pointer(target: EntityNode) {
  return aRelationship(target, { associatedEntityTypeAttribute: 'code', foreignKeyTypeAttribute: 'code' })
}

function withCode(entity: EntityNode, maxLength: number): EntityNode {
  return { ...entity, typeAttributes: aList(aKey({ name: 'code', dataType: 'string', maxLength })) }
}

/** Each refers to the foreign key of the one before it. */
function chainOf(count: number): EntityNode[] {
  const chain = [withCode(anEntity({ name: 'Link0' }), 20)]
  for (let index = 1; index < count; index += 1) {
    const [target] = chain.slice(-1)
    if (target) chain.push(anEntity({ name: `Link${index}`, entityAttributes: [pointer(target)] }))
  }
  return chain
}

/** Unrelated namesakes are refused. */
function madeOf<T>(work: () => T): T | string {
  try {
    return work()
  } catch (error) {
    return String(error)
  }
}
