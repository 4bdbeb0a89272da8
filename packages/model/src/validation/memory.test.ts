import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closureOf, type Closure } from '../closure.ts'
import { newConfiguration } from '../configuration.ts'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import type { EntityNode } from '../entity.ts'
import type { ManifestNode } from '../manifest.ts'
import { arbitraryEdits } from '../testing/arbitrary-edits.ts'
import { arbitraryModel } from '../testing/arbitrary-model.ts'
import { aClosure, aKey, aList, anEntity, aRelationship, aTypeAttribute, referenceTo } from '../testing/builders.ts'
import { seededRandom, type Random } from '../testing/seeded-random.ts'
import { newValidator, validate } from '../validate.ts'
import { ValidationMemory } from './memory.ts'
import { Subject, type ValidationOptions } from './subject.ts'

type Model = {
  entities: Map<number, EntityNode>
  manifests: Map<number, ManifestNode>
  rootId: number
  options: ValidationOptions
}

describe('a validator that remembers', () => {
  it('finds what one without memory finds, whatever was changed in between', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), seed => {
        const random = seededRandom(seed)
        const model = modelOf(arbitraryModel(seed))
        const validator = newValidator()
        for (let step = 0; step < 12; step += 1) {
          expect(validator(closureIn(model), model.options)).toEqual(validate(closureIn(model), model.options))
          for (let change = random.between(1, 2); change > 0; change -= 1) random.pick(changes)(model, random)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('looks again at the changed entity, its heirs, and those that refer to it or to one of them; at no other', () => {
    const looked: string[] = []
    const memory = new ValidationMemory([({ name }) => (looked.push(name), [])])
    const look = (closure: Closure) => {
      looked.length = 0
      memory.look(new Subject(closure, {}))
      return looked.toSorted()
    }
    const base = anEntity({ name: 'Base' })
    const heir = anEntity({ name: 'Heir', extendsEntity: referenceTo(base) })
    const pointer = anEntity({ name: 'Pointer', entityAttributes: [aRelationship(heir, { position: 1 })] })
    const other = anEntity({ name: 'Other' })
    const all = [base, heir, pointer, other]
    const closure = aClosure(all)
    expect(look(closure)).toEqual(['Base', 'Heir', 'Other', 'Pointer'])
    expect(look(closure)).toEqual([])
    const edited = { ...base, typeAttributes: aList(aKey(), aTypeAttribute()) }
    const byId = new Map([...all, edited].map(entity => [entity.id, entity]))
    const source = { manifests: new Map([[closure.root.id, closure.root]]), entities: byId }
    expect(look(closureOf(closure.root, source))).toEqual(['Base', 'Heir', 'Pointer'])
  })
})

function modelOf({ byId, manifests, root }: Closure): Model {
  return {
    entities: new Map(byId),
    manifests: new Map(manifests.map(manifest => [manifest.id, manifest])),
    rootId: root.id,
    options: {},
  }
}

function closureIn({ entities, manifests, rootId }: Model): Closure {
  const root = manifests.get(rootId)
  if (!root) throw new Error('The model has no root.')
  return closureOf(root, { manifests, entities })
}

type Change = (model: Model, random: Random) => void

const edit: Change = (model, random) =>
  changeEntity(model, random, entity => ({
    ...entity,
    ...applyEntityEdits(entity, arbitraryEdits(entity, random.between(1, 1e6))),
  }))

const namesake: Change = (model, random) => {
  const { name } = random.pick([...model.entities.values()])
  changeEntity(model, random, entity => ({ ...entity, name }))
}

/** Itself included: a cycle. */
const extend: Change = (model, random) => {
  const parent = random.pick([...model.entities.values()])
  changeEntity(model, random, entity => ({ ...entity, extendsEntity: random.chance(0.2) ? null : referenceTo(parent) }))
}

const scope: Change = (model, random) =>
  changeEntity(model, random, entity => ({
    ...entity,
    operationScopes: { ...entity.operationScopes, selectOperationScopes: [random.pick(['read', 'write'])] },
  }))

const remove: Change = ({ entities }, random) => {
  if (entities.size > 1) entities.delete(random.pick([...entities.keys()]))
}

const member: Change = (model, random) => {
  const id = random.pick([...model.entities.keys()])
  changeManifest(model, random, manifest => {
    const rest = manifest.entities.filter(one => one.id !== id)
    return { ...manifest, entities: random.chance(0.5) ? rest : [...rest, { id, type: 'EXCLUSIVE' }] }
  })
}

const renameManifest: Change = (model, random) =>
  changeManifest(model, random, manifest => ({ ...manifest, name: `Manifest${random.between(1, 9)}` }))

const nest: Change = (model, random) =>
  changeManifest(model, random, manifest => ({
    ...manifest,
    subManifests: random.chance(0.5) ? [] : [random.pick([...model.manifests.keys()])],
  }))

const options: Change = (model, random) => {
  const configuration = newConfiguration('Root')
  configuration.configurationBuild.apiScopeConfiguration.scopeDefinitions = random.chance(0.5) ? ['read'] : []
  model.options = {
    forApi: random.chance(0.5),
    databaseTypes: random.chance(0.5) ? ['oracle'] : ['mysql', 'postgresql'],
    configuration: random.chance(0.3) ? undefined : configuration,
  }
}

const changes: readonly Change[] = [
  edit,
  edit,
  namesake,
  extend,
  extend,
  scope,
  remove,
  member,
  renameManifest,
  nest,
  options,
]

function changeEntity({ entities }: Model, random: Random, change: (entity: EntityNode) => EntityNode): void {
  const entity = random.pick([...entities.values()])
  entities.set(entity.id, change(entity))
}

function changeManifest({ manifests }: Model, random: Random, change: (one: ManifestNode) => ManifestNode): void {
  const manifest = random.pick([...manifests.values()])
  manifests.set(manifest.id, change(manifest))
}
