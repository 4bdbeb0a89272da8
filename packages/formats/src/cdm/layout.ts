import { FreeNames } from '@cadmus/model/free-names'
import type { ResolvedModel } from '@cadmus/model/resolved-model'
import type { EntityNode } from '@cadmus/model/entity'
import { ancestorsOf } from '@cadmus/model/inherit'
import type { ManifestNode } from '@cadmus/model/manifest'
import { foldName } from '@cadmus/model/paths'
import { folderOfPath } from './corpus.ts'
import { isStandardName, writtenName } from './written-name.ts'

export type Place = { name: string; path: string }

/**
 * Folder layout of a resolved model: root manifest and its entities at the top, each sub-manifest with its entities in a
 * folder, subtypes beside their parents. Microsoft's reader resolves the targets of inherited foreign keys relative
 * to the subtype although the path is the parent's.
 */
export type Layout = {
  manifests: ReadonlyMap<number, Place>
  entities: ReadonlyMap<number, Place>
  /** Names of more than one entity, which are ambiguous without a path. */
  shared: ReadonlySet<string>
}

export function layoutOf(resolvedModel: ResolvedModel): Layout {
  const folders = new Map<number, string>()
  const manifests = new Map<number, Place>()
  const freeFolders = new FreeNames()
  for (const manifest of resolvedModel.manifests) {
    const name = writtenName(manifest.name, 'manifest')
    const folder = manifest.id === resolvedModel.root.id ? '' : freeFolders.take(name)
    folders.set(manifest.id, folder)
    manifests.set(manifest.id, { name, path: inFolder(folder, `${name}.manifest.cdm.json`) })
  }
  const entities = placeEntities(resolvedModel, folders, freeFolders)
  const count = Map.groupBy([...entities.values()], ({ name }) => name)
  return { manifests, entities, shared: new Set([...count].flatMap(([name, all]) => (all.length > 1 ? [name] : []))) }
}

/** Entities with the same name in one folder, ignoring case, get separate folders. */
function placeEntities(
  { entities, owner, byId }: ResolvedModel,
  folders: ReadonlyMap<number, string>,
  freeFolders: FreeNames,
): Map<number, Place> {
  const names = writtenNames(entities)
  const used = new Set<string>()
  const places = new Map<number, Place>()
  const place = ({ id, extendsEntity }: EntityNode, name: string) => {
    const file = `${name}.cdm.json`
    const parent = places.get(extendsEntity?.id ?? -1)
    const own = folders.get(owner.get(id) ?? -1) ?? ''
    const candidates = [...(parent ? [folderOfPath(parent.path)] : []), own].map(folder => inFolder(folder, file))
    const path = candidates.find(one => !used.has(foldName(one))) ?? inFolder(freeFolders.take(name), file)
    used.add(foldName(path))
    places.set(id, { name, path })
  }
  for (const entity of entities)
    for (const one of [entity, ...ancestorsOf(entity, id => byId.get(id))].toReversed()) {
      const name = names.get(one.id)
      if (name !== undefined && !places.has(one.id)) place(one, name)
    }
  return places
}

/** Unchanged names take precedence over replaced ones. */
function writtenNames(entities: readonly EntityNode[]): Map<number, string> {
  const plain = entities.map(({ id, name }) => ({ id, name, written: writtenName(name, 'Entity') }))
  const isUnchanged = ({ name, written }: (typeof plain)[number]) => name === written && !isStandardName(name)
  const unchanged = plain.filter(isUnchanged).map(({ written }) => written)
  const free = new FreeNames({ taken: unchanged })
  return new Map(
    plain.map(one => {
      if (isUnchanged(one)) return [one.id, one.written]
      const other = isStandardName(one.written) ? `${one.written}_` : one.written
      return [one.id, free.take(other)]
    }),
  )
}

function inFolder(folder: string, file: string): string {
  return folder === '' ? file : `${folder}/${file}`
}

/** A path as written in a document: relative if below the document's folder, otherwise absolute. Never upwards. */
export function pathIn(folder: string, path: string): string {
  if (folder === '') return path
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : `/${path}`
}

/** Absolute corpus path of an item, e.g. `/Book.cdm.json/Book`. */
export function objectPath({ path, name }: Place): string {
  return `/${path}/${name}`
}

/** The exported manifests that a manifest lists, without duplicates. */
export function listedIn(manifest: ManifestNode, { manifests }: Layout): Place[] {
  return [...new Set(manifest.subManifests)].flatMap(id => (id === manifest.id ? [] : (manifests.get(id) ?? [])))
}
