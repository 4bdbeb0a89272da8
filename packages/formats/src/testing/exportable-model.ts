import { resolveModel, type ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityAttribute } from '@cadmus/model/entity-attribute'
import type { EntityNode } from '@cadmus/model/entity'
import { type Enumeration, withValues } from '@cadmus/model/enumeration'
import { resolvedAttributes } from '@cadmus/model/inherit'
import { newManifestContent, type ManifestNode } from '@cadmus/model/manifest'
import { foldName } from '@cadmus/model/paths'
import { enumerationFault } from '@cadmus/model/rules/enumerations'
import { isKeyDataType } from '@cadmus/model/rules/type-attribute'
import type { TypeAttribute } from '@cadmus/model/type-attribute'
import { newUid } from '@cadmus/model/uid'
import { validate } from '@cadmus/model/validate'
import { arbitraryModel } from '@cadmus/model/testing/arbitrary-model'
import { seededRandom, type Random } from '@cadmus/model/testing/seeded-random'

// Test helper: generates random models that can be exported; deterministic by seed except for uids.

/** Generates `count` models from consecutive seeds; `checks`: some entities have checks. */
export function exportableModels(count: number, seed: number, { checks = false } = {}): ResolvedModel[] {
  const models: ResolvedModel[] = []
  for (let at = seed; models.length < count; at++) {
    const model = exportableModel(at, checks)
    if (validate(model).every(({ severity }) => severity !== 'error')) models.push(model)
  }
  return models
}

/** A random model with references to possible keys and every importable property, in several manifests. */
function exportableModel(seed: number, checks: boolean): ResolvedModel {
  const random = seededRandom(seed)
  const { byId, entities } = arbitraryModel(seed, { names: random.chance(0.5) ? 'any' : 'valid', size: 12, checks })
  const plain = new Map([...byId].map(([id, entity]) => [id, { ...entity, typeAttributes: distinct(entity) }]))
  const all = [...plain.values()].map(entity => decorated(repaired(entity, plain, random), random))
  const plainKeys = new Map(all.map(entity => [entity.id, entity]))
  const nodes = new Map(all.map(entity => [entity.id, chained(entity, plainKeys, random)]))
  return manifestsOf(
    entities.map(({ id }) => id),
    nodes,
    random,
  )
}

function distinct({ typeAttributes }: EntityNode) {
  const seen = new Set<string>()
  return typeAttributes.filter(({ name }) => !seen.has(foldName(name)) && seen.add(foldName(name)))
}

function repaired(entity: EntityNode, all: ReadonlyMap<number, EntityNode>, random: Random): EntityNode {
  const names = new Set(entity.typeAttributes.map(({ name }) => foldName(name)))
  const entityAttributes = entity.entityAttributes.flatMap((relationship): EntityAttribute[] => {
    // Its columns have the types of their targets, which CDM reads as targets if they are of these types.
    if (relationship.alsoBy.length > 0) {
      const isRead = isKeyDataType(relationship.foreignKeyDataType) && all.has(relationship.associatedEntity.id)
      return isRead ? [relationship] : []
    }
    const target = keyOf(all.get(relationship.associatedEntity.id), all, random)
    if (!target || names.has(foldName(relationship.foreignKeyTypeAttribute))) return []
    names.add(foldName(relationship.foreignKeyTypeAttribute))
    const alternativeTargets = relationship.alternativeTargets.flatMap(({ entity: other }) => {
      const key = keyOf(all.get(other.id), all, random)
      return key?.dataType === target.dataType ? [{ entity: other, attribute: key.name }] : []
    })
    const { name: associatedEntityTypeAttribute, dataType: foreignKeyDataType } = target
    return [{ ...relationship, associatedEntityTypeAttribute, foreignKeyDataType, alternativeTargets }]
  })
  return { ...entity, entityAttributes }
}

function keyOf(entity: EntityNode | undefined, all: ReadonlyMap<number, EntityNode>, random: Random) {
  if (!entity) return undefined
  const usable = resolvedAttributes(entity, id => all.get(id)).flatMap(({ kind, name, dataType }) =>
    kind === 'type' && (dataType === 'integer' || dataType === 'string') ? [{ name, dataType }] : [],
  )
  return usable.length === 0 ? undefined : random.pick(usable)
}

/** Lets some references refer to foreign keys. */
function chained(entity: EntityNode, all: ReadonlyMap<number, EntityNode>, random: Random): EntityNode {
  const entityAttributes = entity.entityAttributes.map(relationship => {
    const target = all.get(relationship.associatedEntity.id)
    if (!target || relationship.alsoBy.length > 0 || !random.chance(0.5)) return relationship
    const keys = resolvedAttributes(target, id => all.get(id)).filter(
      ({ kind, dataType }) => kind === 'foreignKey' && dataType === relationship.foreignKeyDataType,
    )
    return keys.length === 0 ? relationship : { ...relationship, associatedEntityTypeAttribute: random.pick(keys).name }
  })
  return { ...entity, entityAttributes }
}

const traits: readonly unknown[] = [
  'is.readOnly',
  { traitReference: 'is.requiredAtLevel', arguments: [{ name: 'level', value: 'required' }] },
  'means.location.address',
  { traitReference: 'is.constrained', arguments: [{ name: 'minimumValue', value: '1' }] },
  { traitReference: 'is.CDS.lookup', arguments: [{ name: 'style', value: 'single' }] },
  'made.up',
]

function decorated(entity: EntityNode, random: Random): EntityNode {
  const some = () => traits.filter(() => random.chance(0.1))
  const copiedFrom = () => (random.chance(0.2) ? newUid() : null)
  const labelled = entity.typeAttributes.map(attribute => ({
    ...attribute,
    enumeration: enumerationFor(attribute),
    traits: some(),
    copiedFrom: copiedFrom(),
  }))
  return {
    ...entity,
    copiedFrom: copiedFrom(),
    traits: random.chance(0.3)
      ? [{ traitReference: 'is.CDM.entityVersion', arguments: [{ name: 'versionNumber', value: '1.3' }] }, ...some()]
      : some(),
    referenceImportPaths: random.chance(0.3) ? ['cdm:/foundations.cdm.json', '/core/Else.cdm.json'] : [],
    typeAttributes: labelled,
    entityAttributes: entity.entityAttributes.map(one => ({
      ...one,
      traits: some(),
      copiedFrom: copiedFrom(),
      traitReference: random.chance(0.8) ? one.traitReference : 'is.linkedEntity',
      simple: random.chance(0.8) ? 'true' : 'false',
    })),
  }
}

function enumerationFor({ uid, choices }: TypeAttribute): TypeAttribute['enumeration'] {
  const name = `Of ${uid}`
  const values = choices.map(value => ({ uid, value, label: '' }))
  return enumerationFault({ name, values }, []) === undefined ? { uid: newUid(), name } : null
}

/** One enumeration for the choices of each attribute that has some. */
function enumerationsOf(members: readonly number[], entities: ReadonlyMap<number, EntityNode>): Enumeration[] {
  const attributes = [...new Set(members)].flatMap(id => entities.get(id)?.typeAttributes ?? []).slice(0, 50)
  return attributes.flatMap(({ enumeration, choices }) =>
    enumeration ? [withValues({ ...enumeration, description: 'Of choices.', values: [] }, choices)] : [],
  )
}

/** Up to five manifests, some nested, some in two parents; an entity may be in several manifests. */
function manifestsOf(
  members: readonly number[],
  entities: ReadonlyMap<number, EntityNode>,
  random: Random,
): ResolvedModel {
  const count = random.between(1, 5)
  const lists = Array.from({ length: count }, (): number[] => [])
  for (const id of members) {
    lists[random.between(0, count - 1)]?.push(id)
    if (random.chance(0.1)) lists[random.between(0, count - 1)]?.push(id)
  }
  const parents = lists.map((_, index) =>
    index === 0 ? [] : [random.between(0, index - 1), random.between(0, index - 1)],
  )
  const manifests = lists.map((ids, index): ManifestNode => {
    const subManifests = parents.flatMap((above, below) => (above.includes(index) ? [below + 1] : []))
    const name = random.pick(['Root', 'Sales', 'Cloud for all', 'naïve', 'a/b']) + (index === 0 ? '' : String(index))
    const content = newManifestContent({
      name,
      description: random.chance(0.5) ? 'What it is for.' : '',
      importsPath: random.chance(0.3) ? ['cdm:/foundations.cdm.json', 'x.cdm.json'] : [],
      enumerations: enumerationsOf(ids, entities),
      entities: [...new Set(ids)].map(id => ({ id, type: 'EXCLUSIVE' as const })),
      subManifests,
    })
    return { ...content, id: index + 1, path: `user-defined/${name}` }
  })
  const [root] = manifests
  if (!root) throw new Error('A model has a manifest.')
  return resolveModel(root, { manifests: new Map(manifests.map(one => [one.id, one])), entities })
}
