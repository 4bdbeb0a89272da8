import type { Closure } from '@cadmus/model/closure'
import { declaredAttributes } from '@cadmus/model/inherit'
import type { EntityNode } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { ManifestNode } from '@cadmus/model/manifest'

// For tests only: a model as plain data that is equal for equal models, wherever they are stored.

/** Everything of a closure by uids and names, in its order; without what only a store knows. Uids of attributes that are not among the known are new ones. */
export function comparable({ root, manifests, entities, byId }: Closure, known?: ReadonlySet<string>) {
  const shown = (uid: string) => (known === undefined || known.has(uid) ? uid : 'new')
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
  const { uid, name, description, importsPath } = manifest
  const members = [...new Set(manifest.entities.map(({ id }) => uidOf(id)))]
  return { uid, name, description, importsPath, members, subManifests: manifest.subManifests.map(id => uids.get(id)) }
}

function comparableEntity(entity: EntityNode, uidOf: UidOf, shown: (uid: string) => string) {
  const { uid, name, description, copiedFrom, referenceImportPaths, traits, extendsEntity } = entity
  const reference = (given: EntityReference) => uidOf(given.id) ?? given.uid ?? { name: given.name, path: given.path }
  return {
    uid,
    name,
    description,
    copiedFrom,
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
