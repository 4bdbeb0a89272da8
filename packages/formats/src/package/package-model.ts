import { packageModelFormat, packageModelSchema, type PackageModel } from '@cadmus/model/api/package-model'
import type { Closure } from '@cadmus/model/closure'
import { withoutSecrets, type Configuration } from '@cadmus/model/configuration'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { EntityNode } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'

/** What a package is built from: a version of a manifest with all that belongs to it, and what the package is called. */
export type PackageSource = {
  /** Letters, digits, `-` and `_`. */
  readonly name: string
  readonly version: string
  readonly manifestVersion: string
  readonly closure: Closure
  /** As it was saved, with or without its secrets: none of them is written. */
  readonly configuration: Configuration
}

/** The resolved manifest that our instance runs. Ids are given anew, so that the same model gives the same one in every store. */
export function packageModelOf({
  name,
  version,
  manifestVersion,
  closure,
  configuration,
}: PackageSource): PackageModel {
  const entities = neededEntities(closure)
  const ids = new Map(entities.map(({ id }, at) => [id, at + 1]))
  const manifestIds = new Map(closure.manifests.map(({ id }, at) => [id, at + 1]))
  return packageModelSchema.parse({
    format: packageModelFormat,
    package: name,
    version,
    manifestVersion,
    root: manifestIds.get(closure.root.id),
    manifests: closure.manifests.map(manifest => ({
      ...manifest,
      id: manifestIds.get(manifest.id),
      entities: manifest.entities.flatMap(({ id, type }) => (ids.has(id) ? [{ id: ids.get(id), type }] : [])),
      subManifests: manifest.subManifests.flatMap(id => manifestIds.get(id) ?? []),
    })),
    entities: entities.map(entity => withIds(entity, ids)),
    configuration: withoutSecrets(configuration, () => ''),
  })
}

function withIds(entity: EntityNode, ids: ReadonlyMap<number, number>): EntityNode {
  const placed = (reference: EntityReference): EntityReference => ({ ...reference, id: ids.get(reference.id) ?? -1 })
  return {
    ...entity,
    id: ids.get(entity.id) ?? -1,
    extendsEntity: entity.extendsEntity && placed(entity.extendsEntity),
    entityAttributes: entity.entityAttributes.map(relationship => ({
      ...relationship,
      associatedEntity: placed(relationship.associatedEntity),
      alternativeTargets: relationship.alternativeTargets.map(target => ({ ...target, entity: placed(target.entity) })),
    })),
  }
}

/**
 * The members, then what else their tables are made from: ancestors, what relationships lead to, and where the column that a foreign
 * key has its type from is one itself, what that leads to.
 */
function neededEntities(closure: Closure): EntityNode[] {
  const inside = withAncestors(closure.entities, closure)
  const needed = new Set(inside)
  const referred = referredColumns(closure)
  const queue = [...inside]
  // The queue grows while it is walked through.
  for (const [at, entity] of queue.entries()) {
    const isInside = at < inside.size
    const followed = entity.entityAttributes.filter(
      ({ foreignKeyTypeAttribute }) => isInside || referred.has(foldName(foreignKeyTypeAttribute)),
    )
    const targets = followed.flatMap(({ associatedEntity, alternativeTargets }) => [
      associatedEntity.id,
      ...alternativeTargets.map(({ entity: other }) => other.id),
    ])
    const found = withAncestors(
      targets.flatMap(id => closure.byId.get(id) ?? []),
      closure,
    )
    for (const other of found) {
      if (needed.has(other)) continue
      needed.add(other)
      queue.push(other)
    }
  }
  return queue
}

function withAncestors(entities: readonly EntityNode[], { byId }: Closure): ReadonlySet<EntityNode> {
  const all = new Set(entities)
  for (const entity of all) {
    const parent = entity.extendsEntity && byId.get(entity.extendsEntity.id)
    if (parent) all.add(parent)
  }
  return all
}

/** The names of all columns that a relationship ends at: few, and one of an entity outside that is none of them leads nowhere. */
function referredColumns({ byId }: Closure): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { entityAttributes } of byId.values()) {
    for (const { associatedEntityTypeAttribute } of entityAttributes) names.add(foldName(associatedEntityTypeAttribute))
  }
  return names
}
