import { proofCount } from '@cadmus/testing/proof'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resolveModel, type ResolvedModel } from '../resolved-model.ts'
import { changingModel, resolvedModelIn, modelChanges } from '../testing/arbitrary-changes.ts'
import { arbitraryModel } from '../testing/arbitrary-model.ts'
import {
  aResolvedModel,
  aKey,
  aList,
  anEntity,
  aRelationship,
  aTypeAttribute,
  referenceTo,
} from '../testing/builders.ts'
import { seededRandom } from '../testing/seeded-random.ts'
import { newValidator, validate } from '../validate.ts'
import { ValidationMemory } from './memory.ts'
import { Subject } from './subject.ts'

describe('a validator with a cache', () => {
  it('finds the same problems as a validator without cache after any changes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), seed => {
        const random = seededRandom(seed)
        const model = changingModel(arbitraryModel(seed, { checks: true }))
        const validator = newValidator()
        for (let step = 0; step < 12; step += 1) {
          expect(validator(resolvedModelIn(model), model.options)).toEqual(
            validate(resolvedModelIn(model), model.options),
          )
          for (let change = random.between(1, 2); change > 0; change -= 1) random.pick(modelChanges)(model, random)
        }
      }),
      { numRuns: proofCount('models', 30, 150) },
    )
  })

  it('checks again only the changed entity, its subtypes, and entities that refer to one of these', () => {
    const checked: string[] = []
    const memory = new ValidationMemory([({ name }) => (checked.push(name), [])])
    const revalidate = (resolvedModel: ResolvedModel) => {
      checked.length = 0
      memory.look(new Subject(resolvedModel, {}))
      return checked.toSorted()
    }
    const base = anEntity({ name: 'Base' })
    const subtype = anEntity({ name: 'Heir', extendsEntity: referenceTo(base) })
    const pointer = anEntity({ name: 'Pointer', entityAttributes: [aRelationship(subtype, { position: 1 })] })
    const other = anEntity({ name: 'Other' })
    const all = [base, subtype, pointer, other]
    const resolvedModel = aResolvedModel(all)
    expect(revalidate(resolvedModel)).toEqual(['Base', 'Heir', 'Other', 'Pointer'])
    expect(revalidate(resolvedModel)).toEqual([])
    const edited = { ...base, typeAttributes: aList(aKey(), aTypeAttribute()) }
    const byId = new Map([...all, edited].map(entity => [entity.id, entity]))
    const source = { manifests: new Map([[resolvedModel.root.id, resolvedModel.root]]), entities: byId }
    expect(revalidate(resolveModel(resolvedModel.root, source))).toEqual(['Base', 'Heir', 'Pointer'])
  })
})
