import { importedContent, type ImportedModel } from '@cadmus/formats/imported-model'
import { InheritedKeys } from '@cadmus/formats/inherited-keys'
import { canonicalJson } from '@cadmus/model/content'
import { type EntityContent, newEntityContent } from '@cadmus/model/entity'
import type { EntityReference } from '@cadmus/model/entity-attribute'
import { type ManifestContent, newManifestContent } from '@cadmus/model/manifest'
import { pathPart, predefinedPrefix } from '@cadmus/model/paths'
import { columnsAmong, pinnedTargets } from '@cadmus/model/references'
import { newTypeAttribute, type TypeAttribute } from '@cadmus/model/type-attribute'
import { newUid } from '@cadmus/model/uid'
import { hashOf } from '../store/content.ts'

const signInName = 'The name that the person signs in with.'
const shownName = 'The name that others see.'

/** Users and groups of an instance's directory: valid relationship targets, never editable. */
function identityEntities(): { corpusPath: string; path: string; content: EntityContent }[] {
  return [
    identity('User', 'A person in the user directory of the instance that runs the package.', userAttributes()),
    identity('Group', 'A group of users in the directory of the instance that runs the package.', groupAttributes()),
  ]
}

function userAttributes(): TypeAttribute[] {
  const texts = { maxLength: 255 }
  const optional = { ...texts, nullable: true }
  return [
    newTypeAttribute({ ...texts, name: 'username', purpose: 'identifiedBy', description: signInName, position: 0 }),
    newTypeAttribute({ ...optional, name: 'fullName', purpose: 'namedBy', description: shownName, position: 1 }),
    newTypeAttribute({ ...optional, name: 'email', description: 'Where messages reach the person.', position: 2 }),
  ]
}

function groupAttributes(): TypeAttribute[] {
  const key = {
    name: 'groupName',
    purpose: 'identifiedBy',
    description: 'The name that scopes are granted to.',
  } as const
  return [
    newTypeAttribute({ ...key, maxLength: 255, position: 0 }),
    newTypeAttribute({ name: 'description', nullable: true, description: 'What the group is for.', position: 1 }),
  ]
}

function identity(name: string, description: string, typeAttributes: EntityContent['typeAttributes']) {
  return {
    corpusPath: `identity:/${name}`,
    path: `${predefinedPrefix}/identity/${name}`,
    content: newEntityContent({ name, description, type: 'CADMUS', typeAttributes }),
  }
}

type Located = { corpusPath: string; name: string }

/**
 * Returns the paths of predefined objects by corpus path: `predefined/<folder…>/<name>`. If two documents of a folder
 * define the same name, the document's name is inserted.
 */
function predefinedPaths(things: readonly Located[]): Map<string, string> {
  const plain = things.map(thing => ({
    ...thing,
    path: joined(folderOfDocument(thing.corpusPath), pathPart(thing.name)),
  }))
  const uses = new Map<string, number>()
  for (const { path } of plain) uses.set(path.toLowerCase(), (uses.get(path.toLowerCase()) ?? 0) + 1)
  return new Map(
    plain.map(({ corpusPath, name, path }) => {
      if (uses.get(path.toLowerCase()) === 1) return [corpusPath, path]
      return [corpusPath, joined(folderOfDocument(corpusPath), documentName(corpusPath), pathPart(name))]
    }),
  )
}

/** `/core/Account.cdm.json/Account` and `core/core.manifest.cdm.json` are both in `core`. */
function folderOfDocument(corpusPath: string): string {
  const document = documentOf(corpusPath)
  const slash = document.lastIndexOf('/')
  return slash < 0 ? '' : document.slice(0, slash)
}

function documentName(corpusPath: string): string {
  const document = documentOf(corpusPath)
  return document.slice(document.lastIndexOf('/') + 1).replace(/(?:\.(?:manifest|folio))?\.cdm\.json$/, '')
}

/** The document's path, without leading slashes and object name. */
function documentOf(corpusPath: string): string {
  const end = /\.cdm\.json(?=\/|$)/.exec(corpusPath)
  const document = end === null ? corpusPath : corpusPath.slice(0, end.index + '.cdm.json'.length)
  return document.replace(/^\/+/, '')
}

function joined(...parts: readonly string[]): string {
  return [predefinedPrefix, ...parts].filter(part => part !== '').join('/')
}

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
