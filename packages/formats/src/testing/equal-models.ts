import { conditionText } from '@cadmus/model/conditions/text'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import { declaredAttributes } from '@cadmus/model/inherit'
import type { EntityNode } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { ManifestNode } from '@cadmus/model/manifest'
import { foldName } from '@cadmus/model/paths'

// Test helper: converts models to plain data that can be compared across stores.

/**
 * Everything in a resolved model by uid and name, in order, without ids. Attribute uids outside `existing` are treated as
 * new.
 */
export function comparable({ root, manifests, entities, byId }: ResolvedModel, existing?: ReadonlySet<string>) {
  const shown = (uid: string) => (existing === undefined || existing.has(uid) ? uid : 'new')
  const uidOf = (id: number) => byId.get(id)?.uid
  const uids = new Map(manifests.map(({ id, uid }) => [id, uid]))
  return {
    root: root.uid,
    manifests: manifests.map(manifest => comparableManifest(manifest, uids, uidOf)),
    entities: entities.map(entity => comparableEntity(entity, uidOf, shown)),
  }
}

type UidOf = (id: number) => string | undefined

function comparableManifest(manifest: ManifestNode, uids: ReadonlyMap<number, string>, uidOf: UidOf) {
  const { uid, name, description, importsPath, enumerations } = manifest
  const members = [...new Set(manifest.entities.map(({ id }) => uidOf(id)))]
  const subManifests = manifest.subManifests.map(id => uids.get(id))
  return { uid, name, description, importsPath, enumerations, members, subManifests }
}

function comparableEntity(entity: EntityNode, uidOf: UidOf, shown: (uid: string) => string) {
  const { uid, name, description, copiedFrom, groups, checks, referenceImportPaths, traits, extendsEntity } = entity
  const reference = (to: EntityReference) => uidOf(to.id) ?? to.uid ?? { name: to.name, path: to.path }
  return {
    uid,
    name,
    description,
    copiedFrom,
    groups: groups.map(({ kind, name: title, members }) => [
      kind,
      title,
      // By name: an inherited attribute whose entity is missing becomes a copy, which may be of one that overrides it.
      members.map(({ name: member, descending }) => ({ member: foldName(member), descending })),
    ]),
    checks: checks.map(check => [check.name, check.message, conditionText(check.condition)]),
    referenceImportPaths,
    traits,
    extendsEntity: extendsEntity && reference(extendsEntity),
    attributes: declaredAttributes(entity).map(of => {
      if (of.kind === 'type') return { ...of.attribute, uid: shown(of.attribute.uid), position: 0 }
      const { alternativeTargets, associatedEntity, ...relationship } = of.relationship
      return {
        ...relationship,
        uid: shown(relationship.uid),
        position: 0,
        associatedEntityTypeAttributeUid: null,
        associatedEntity: reference(associatedEntity),
        alternativeTargets: alternativeTargets.map(target => ({
          entity: reference(target.entity),
          attribute: target.attribute,
        })),
      }
    }),
  }
}
