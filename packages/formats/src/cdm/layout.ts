import { FreeNames } from '@cadmus/model/free-names'
import type { Closure } from '@cadmus/model/closure'
import type { EntityNode } from '@cadmus/model/entity'
import { ancestorsOf } from '@cadmus/model/inherit'
import type { ManifestNode } from '@cadmus/model/manifest'
import { foldName } from '@cadmus/model/paths'
import { folderOfPath } from './corpus.ts'
import { isStandardName, writtenName } from './written-name.ts'

/** Where something is in the folder, and what it is called there. */
export type Place = { name: string; path: string }

/**
 * Where everything of a closure goes: the root and its entities on top, each sub-manifest with its own in a folder; what extends another
 * beside that. Microsoft's reader looks for what an inherited foreign key leads to beside the heir, though the path is that of the parent.
 */
export type Layout = {
  manifests: ReadonlyMap<number, Place>
  entities: ReadonlyMap<number, Place>
  /** Names that more than one entity has: there a name alone does not say which is meant. */
  shared: ReadonlySet<string>
}

export function layoutOf(closure: Closure): Layout {
  const folders = new Map<number, string>()
  const manifests = new Map<number, Place>()
  const freeFolders = new FreeNames()
  for (const manifest of closure.manifests) {
    const name = writtenName(manifest.name, 'manifest')
    const folder = manifest.id === closure.root.id ? '' : freeFolders.take(name)
    folders.set(manifest.id, folder)
    manifests.set(manifest.id, { name, path: inFolder(folder, `${name}.manifest.cdm.json`) })
  }
  const entities = placeEntities(closure, folders, freeFolders)
  const count = Map.groupBy([...entities.values()], ({ name }) => name)
  return { manifests, entities, shared: new Set([...count].flatMap(([name, all]) => (all.length > 1 ? [name] : []))) }
}

/** Two of one folder and one name, as some file systems see it, get folders of their own. */
function placeEntities(
  { entities, owner, byId }: Closure,
  folders: ReadonlyMap<number, string>,
  freeFolders: FreeNames,
): Map<number, Place> {
  const names = writtenNames(entities)
  const taken = new Set<string>()
  const places = new Map<number, Place>()
  const place = ({ id, extendsEntity }: EntityNode, name: string) => {
    const file = `${name}.cdm.json`
    const beside = places.get(extendsEntity?.id ?? -1)
    const own = folders.get(owner.get(id) ?? -1) ?? ''
    const wished = [...(beside ? [folderOfPath(beside.path)] : []), own].map(folder => inFolder(folder, file))
    const path = wished.find(one => !taken.has(foldName(one))) ?? inFolder(freeFolders.take(name), file)
    taken.add(foldName(path))
    places.set(id, { name, path })
  }
  for (const entity of entities)
    for (const one of [entity, ...ancestorsOf(entity, id => byId.get(id))].toReversed()) {
      const name = names.get(one.id)
      if (name !== undefined && !places.has(one.id)) place(one, name)
    }
  return places
}

/** Those that keep their names first: one that was changed is nobody's namesake. */
function writtenNames(entities: readonly EntityNode[]): Map<number, string> {
  const plain = entities.map(({ id, name }) => ({ id, name, written: writtenName(name, 'Entity') }))
  const isKept = ({ name, written }: (typeof plain)[number]) => name === written && !isStandardName(name)
  const kept = plain.filter(isKept).map(({ written }) => written)
  const free = new FreeNames({ taken: kept })
  return new Map(
    plain.map(one => {
      if (isKept(one)) return [one.id, one.written]
      const other = isStandardName(one.written) ? `${one.written}_` : one.written
      return [one.id, free.take(other)]
    }),
  )
}

function inFolder(folder: string, file: string): string {
  return folder === '' ? file : `${folder}/${file}`
}

/** The path as a document in that folder writes it: below the folder relative, else from the root. Never upwards. */
export function pathIn(folder: string, path: string): string {
  if (folder === '') return path
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : `/${path}`
}

/** What a corpus path from the root says: `/Book.cdm.json/Book`. */
export function objectPath({ path, name }: Place): string {
  return `/${path}/${name}`
}

/** The manifests that a manifest lists, each once, as far as they are in the folder. */
export function listedIn(manifest: ManifestNode, { manifests }: Layout): Place[] {
  return [...new Set(manifest.subManifests)].flatMap(id => (id === manifest.id ? [] : (manifests.get(id) ?? [])))
}
