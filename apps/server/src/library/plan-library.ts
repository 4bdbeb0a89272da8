import { canonicalJson } from '@cadmus/model/content'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import type { EntityContent } from '@cadmus/model/entity'
import { newManifestContent, type ManifestContent } from '@cadmus/model/manifest'
import { columnsAmong, pinnedTargets } from '@cadmus/model/pinned-targets'
import { newUid } from '@cadmus/model/uid'
import { InheritedKeys } from '@cadmus/formats/inherited-keys'
import { importedContent, type ImportedModel } from '@cadmus/formats/imported-model'
import { hashOf } from '../store/content.ts'
import { identityEntities } from './identity.ts'
import { predefinedPaths } from './paths.ts'

/** Existing objects by corpus path. */
export type Existing<T> = ReadonlyMap<string, { id: number; content: T }>

export type PlannedEntity = { id: number; corpusPath: string; path: string; content: EntityContent; hash: string }
export type PlannedManifest = {
  id: number
  corpusPath: string
  path: string
  content: ManifestContent
  hash: string
  entityIds: number[]
  subManifestIds: number[]
}

/** Plans the new state of the library. Existing objects keep their ids and uids. */
export function planLibrary(
  model: ImportedModel,
  entities: Existing<EntityContent>,
  manifests: Existing<ManifestContent>,
  nextId: () => number,
): { entities: PlannedEntity[]; manifests: PlannedManifest[] } {
  const references = referencesOf(model, entities, nextId)
  const keys = new InheritedKeys()
  for (const imported of model.entities) keys.add(imported)
  const placed = model.entities.map(source => {
    const { entity: imported } = keys.withSingleKey(source)
    const reference = references.get(imported.corpusPath)
    if (reference === undefined) throw new Error('A library entity has no id.')
    const previous = entities.get(imported.corpusPath)?.content
    const { uid } = reference
    const referenceOf = (corpusPath: string) => references.get(corpusPath)
    const content = importedContent(imported, { uid, type: 'TEMPLATE', referenceOf, previous })
    return planned({ id: reference.id, corpusPath: imported.corpusPath, path: reference.path, content })
  })
  const identities = identityEntities().map(({ corpusPath, path, content }) => {
    const existing = entities.get(corpusPath)
    return planned({ id: existing?.id ?? nextId(), corpusPath, path, content: sameUids(content, existing?.content) })
  })
  return {
    entities: resolveAllTargets([...placed, ...identities]),
    manifests: planManifests(model, references, manifests, nextId),
  }
}

/** Resolves every target attribute to its uid; all candidates are part of the library. */
function resolveAllTargets(entities: readonly PlannedEntity[]): PlannedEntity[] {
  const source = columnsAmong(
    entities.map(({ id, content }) => ({ ...content, id, parent: content.extendsEntity?.id ?? 0 })),
  )
  return entities.map(entity => {
    const content = pinnedTargets(entity.content, source)
    return content === entity.content ? entity : planned({ ...entity, content })
  })
}

function referencesOf(
  model: ImportedModel,
  existing: Existing<EntityContent>,
  nextId: () => number,
): Map<string, EntityReference & { uid: string }> {
  const paths = predefinedPaths(model.entities)
  return new Map(
    model.entities.map(({ corpusPath, name, uid: fileUid }) => {
      const path = paths.get(corpusPath) ?? corpusPath
      const { id, content } = existing.get(corpusPath) ?? { id: nextId() }
      return [corpusPath, { id, uid: content?.uid ?? fileUid ?? newUid(), name, path }]
    }),
  )
}

function planManifests(
  model: ImportedModel,
  references: ReadonlyMap<string, EntityReference>,
  existing: Existing<ManifestContent>,
  nextId: () => number,
): PlannedManifest[] {
  const paths = predefinedPaths(model.manifests.map(({ path: corpusPath, name }) => ({ corpusPath, name })))
  const ids = new Map(model.manifests.map(({ path }) => [path, existing.get(path)?.id ?? nextId()]))
  return model.manifests.map(manifest => {
    const entityIds = manifest.entities.flatMap(path => references.get(path)?.id ?? [])
    const subManifestIds = manifest.subManifests.flatMap(path => ids.get(path) ?? [])
    const content = newManifestContent({
      uid: existing.get(manifest.path)?.content.uid ?? manifest.uid ?? newUid(),
      name: manifest.name,
      description: manifest.description,
      entities: entityIds.map(id => ({ id, type: 'TEMPLATE' })),
      subManifests: subManifestIds,
      importsPath: manifest.importsPath,
    })
    return {
      id: ids.get(manifest.path) ?? nextId(),
      corpusPath: manifest.path,
      path: paths.get(manifest.path) ?? manifest.path,
      content,
      hash: hashOf(canonicalJson(content)),
      entityIds,
      subManifestIds,
    }
  })
}

export function planned(entity: Omit<PlannedEntity, 'hash'>): PlannedEntity {
  return { ...entity, hash: hashOf(canonicalJson(entity.content)) }
}

function sameUids(content: EntityContent, previous: EntityContent | undefined): EntityContent {
  if (previous === undefined) return content
  const uids = new Map(previous.typeAttributes.map(attribute => [attribute.name, attribute.uid]))
  return {
    ...content,
    uid: previous.uid,
    typeAttributes: content.typeAttributes.map(item => ({ ...item, uid: uids.get(item.name) ?? item.uid })),
  }
}
