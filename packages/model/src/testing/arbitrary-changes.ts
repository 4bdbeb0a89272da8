import { resolveModel, type ResolvedModel } from '../resolved-model.ts'
import { newConfiguration } from '../configuration.ts'
import { applyEntityEdits } from '../edits/entity-edits.ts'
import type { EntityNode } from '../entity.ts'
import type { ManifestNode } from '../manifest.ts'
import type { TypeAttribute } from '../type-attribute.ts'
import type { ValidationOptions } from '../validation/subject.ts'
import { arbitraryEdits } from './arbitrary-edits.ts'
import { aRelationship, referenceTo } from './builders.ts'
import { namingRules } from './naming-rules.ts'
import type { Random } from './seeded-random.ts'

// For tests only: random changes of every kind to a model.

/** A manifest with its contents, and validation options. */
export type ChangingModel = {
  entities: Map<number, EntityNode>
  manifests: Map<number, ManifestNode>
  rootId: number
  options: ValidationOptions
}

export function changingModel({ byId, manifests, root }: ResolvedModel): ChangingModel {
  return {
    entities: new Map(byId),
    manifests: new Map(manifests.map(manifest => [manifest.id, manifest])),
    rootId: root.id,
    options: {},
  }
}

export function resolvedModelIn({ entities, manifests, rootId }: ChangingModel): ResolvedModel {
  const root = manifests.get(rootId)
  if (!root) throw new Error('The model has no root.')
  return resolveModel(root, { manifests, entities })
}

type Change = (model: ChangingModel, random: Random) => void

const edit: Change = (model, random) =>
  changeEntity(model, random, entity => ({
    ...entity,
    ...applyEntityEdits(entity, arbitraryEdits(entity, random.between(1, 1e6))),
  }))

const repeatName: Change = (model, random) => {
  const { name } = random.pick([...model.entities.values()])
  changeEntity(model, random, entity => ({ ...entity, name }))
}

const rename: Change = (model, random) =>
  changeEntity(model, random, entity => ({
    ...entity,
    name: `${random.pick(['Entity', 'x'.repeat(130), 'pg_', 'Ключ'])}${random.between(1, 1e6)}`,
  }))

/** Keys and unique attributes may be referred to; long text must fit the key limit together. */
const key: Change = (model, random) =>
  changeEntity(model, random, entity => {
    const changed = random.between(0, entity.typeAttributes.length)
    const change = random.pick<Partial<TypeAttribute>>([
      { purpose: 'identifiedBy' },
      { purpose: 'hasA' },
      { purpose: 'identifiedBy', dataType: 'string', maxLength: 900 },
      { unique: true },
      { unique: true, dataType: 'string', maxLength: 1, defaultValue: '😀' },
      { unique: false, maxLength: 20_000 },
    ])
    const typeAttributes = entity.typeAttributes.map((item, index) =>
      index === changed ? { ...item, ...change } : item,
    )
    return { ...entity, typeAttributes }
  })

const relate: Change = (model, random) => {
  const target = random.pick([...model.entities.values()])
  const { name } = random.pick([...target.typeAttributes, ...entityNames(target), { name: 'gone' }])
  const added = aRelationship(target, {
    associatedEntityTypeAttribute: name,
    foreignKeyTypeAttribute: `to${random.between(1, 20)}`,
    position: random.between(0, 30),
    onDelete: random.pick(['cascade', 'setNull', 'restrict']),
    foreignKeyPurpose: random.chance(0.1) ? 'identifiedBy' : 'hasA',
    unique: random.chance(0.2),
  })
  changeEntity(model, random, entity => ({ ...entity, entityAttributes: [...entity.entityAttributes, added] }))
}

/** Foreign keys can be referred to as well. */
function entityNames({ entityAttributes }: EntityNode): { name: string }[] {
  return entityAttributes.map(({ foreignKeyTypeAttribute: name }) => ({ name }))
}

/** May choose the entity itself: a cycle. */
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
  configuration.configurationBuild.sqlConfiguration.applyAutoIncrement = random.chance(0.5)
  model.options = {
    forApi: random.chance(0.5),
    databases: Object.values(namingRules).filter(() => random.chance(0.6)),
    configuration: random.chance(0.3) ? undefined : configuration,
  }
}

export const modelChanges: readonly Change[] = [
  edit,
  edit,
  edit,
  repeatName,
  rename,
  rename,
  key,
  key,
  relate,
  relate,
  extend,
  scope,
  remove,
  member,
  renameManifest,
  nest,
  options,
]

function changeEntity({ entities }: ChangingModel, random: Random, change: (entity: EntityNode) => EntityNode): void {
  const entity = random.pick([...entities.values()])
  entities.set(entity.id, change(entity))
}

function changeManifest(
  { manifests }: ChangingModel,
  random: Random,
  change: (one: ManifestNode) => ManifestNode,
): void {
  const manifest = random.pick([...manifests.values()])
  manifests.set(manifest.id, change(manifest))
}
