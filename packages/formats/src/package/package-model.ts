import { packageModelFormat, packageModelForm, type PackageModel } from '@cadmus/model/api/package-model'
import { readStored } from '@cadmus/model/stored/stored-form'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { withoutSecrets, type Configuration } from '@cadmus/model/configuration'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { EntityNode } from '@cadmus/model/entity'
import { foldName } from '@cadmus/model/paths'

/** Source of a package: a manifest version with its configuration and package name. */
export type PackageSource = {
  /** Letters, digits, `-` and `_`. */
  readonly name: string
  readonly version: string
  readonly manifestVersion: string
  readonly resolvedModel: ResolvedModel
  /** As saved, with or without secrets; secrets are never written. */
  readonly configuration: Configuration
}

/**
 * Builds the model that the instance runs. Ids are renumbered, so the same model gives the same result in every
 * store.
 */
export function packageModelOf({
  name,
  version,
  manifestVersion,
  resolvedModel,
  configuration,
}: PackageSource): PackageModel {
  const entities = neededEntities(resolvedModel)
  const ids = new Map(entities.map(({ id }, at) => [id, at + 1]))
  const manifestIds = new Map(resolvedModel.manifests.map(({ id }, at) => [id, at + 1]))
  return readStored(packageModelForm, {
    format: packageModelFormat,
    package: name,
    version,
    manifestVersion,
    root: manifestIds.get(resolvedModel.root.id),
    manifests: resolvedModel.manifests.map(manifest => ({
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
 * The members plus the entities that their tables depend on: ancestors, relationship targets and, along foreign key
 * chains, the entities that determine column types.
 */
function neededEntities(resolvedModel: ResolvedModel): EntityNode[] {
  const inside = withAncestors(resolvedModel.entities, resolvedModel)
  const needed = new Set(inside)
  const referred = referredColumns(resolvedModel)
  const queue = [...inside]
  // The queue grows during iteration.
  for (const [at, entity] of queue.entries()) {
    const isInside = at < inside.size
    const followed = entity.entityAttributes.filter(
      ({ foreignKeyTypeAttribute }) => isInside || referred.has(foldName(foreignKeyTypeAttribute)),
    )
    const targets = followed.flatMap(({ associatedEntity, alternativeTargets }) => [
      associatedEntity.id,
      ...alternativeTargets.map(({ entity: other }) => other.id),
    ])
    const added = withAncestors(
      targets.flatMap(id => resolvedModel.byId.get(id) ?? []),
      resolvedModel,
    )
    for (const other of added) {
      if (needed.has(other)) continue
      needed.add(other)
      queue.push(other)
    }
  }
  return queue
}

function withAncestors(entities: readonly EntityNode[], { byId }: ResolvedModel): ReadonlySet<EntityNode> {
  const all = new Set(entities)
  for (const entity of all) {
    const parent = entity.extendsEntity && byId.get(entity.extendsEntity.id)
    if (parent) all.add(parent)
  }
  return all
}

/** Names of all columns that relationships refer to. External entities need only these columns. */
function referredColumns({ byId }: ResolvedModel): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { entityAttributes } of byId.values()) {
    for (const { associatedEntityTypeAttribute, alsoBy } of entityAttributes) {
      names.add(foldName(associatedEntityTypeAttribute))
      for (const { target } of alsoBy) names.add(foldName(target))
    }
  }
  return names
}
