import { resolveModel, type ResolvedModel } from '@cadmus/model/resolved-model'
import { newEntityContent, type EntityNode } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { newManifestContent, type ManifestNode } from '@cadmus/model/manifest'
import type { ImportedEntity, ImportedManifest, ImportedModel } from './imported-model.ts'

/**
 * Places an imported model as a store would: assigns ids to its entities and resolves its references, starting from the root or the given
 * manifest.
 */
export function placedModel(model: ImportedModel, manifestPath = model.manifests[0]?.path): ResolvedModel {
  const entityIds = new Map(model.entities.map(({ corpusPath }, index) => [corpusPath, index + 1]))
  const manifestIds = new Map(model.manifests.map(({ path }, index) => [path, index + 1]))
  const entities = model.entities.map(entity => placedEntity(entity, entityIds))
  const manifests = model.manifests.map(manifest => placedManifest(manifest, entityIds, manifestIds))
  const root = manifests.find(manifest => manifest.path === manifestPath)
  if (!root) throw new Error(`The manifest ${manifestPath} was not imported.`)
  return resolveModel(root, {
    manifests: new Map(manifests.map(manifest => [manifest.id, manifest])),
    entities: new Map(entities.map(entity => [entity.id, entity])),
  })
}

type Ids = ReadonlyMap<string, number>

function placedEntity(imported: ImportedEntity, ids: Ids): EntityNode {
  const { corpusPath, extendsEntity, entityAttributes, uid, version: _version, ...content } = imported
  const parentName = extendsEntity?.slice(extendsEntity.lastIndexOf('/') + 1) ?? ''
  return {
    ...newEntityContent({ ...content, ...(uid === null ? {} : { uid }) }),
    id: idOf(corpusPath, ids),
    path: corpusPath,
    extendsEntity: extendsEntity === null ? null : placed({ id: -1, name: parentName, path: extendsEntity }, ids),
    entityAttributes: entityAttributes.map(attribute => ({
      ...attribute,
      associatedEntity: placed(attribute.associatedEntity, ids),
      alternativeTargets: attribute.alternativeTargets.map(target => ({
        ...target,
        entity: placed(target.entity, ids),
      })),
    })),
  }
}

function placedManifest(imported: ImportedManifest, entityIds: Ids, manifestIds: Ids): ManifestNode {
  const { path, entities, subManifests, uid, version: _version, ...content } = imported
  return {
    ...newManifestContent({ ...content, ...(uid === null ? {} : { uid }) }),
    id: idOf(path, manifestIds),
    path,
    entities: entities.map(corpusPath => ({ id: idOf(corpusPath, entityIds), type: 'EXCLUSIVE' })),
    subManifests: subManifests.map(sub => idOf(sub, manifestIds)),
  }
}

function placed(reference: EntityReference, ids: Ids): EntityReference {
  // External references are unchanged.
  return reference.path.startsWith('/') ? { ...reference, id: idOf(reference.path, ids) } : reference
}

/** A reference to something that was not imported is a bug in the reader. */
function idOf(path: string, ids: Ids): number {
  const id = ids.get(path)
  if (id === undefined) throw new Error(`${path} is named, but was not imported.`)
  return id
}
