import type { CoreNode, CoreSchema } from '@cadmus/model/contract/navigator'
import { folderOf, predefinedPrefix } from '@cadmus/model/paths'
import { createHash } from 'node:crypto'
import type { Db } from '../store/database.ts'
import { libraryParts, libraryState, type LibraryPart } from '../store/library-state.ts'

type Named = Pick<LibraryPart, 'id' | 'name' | 'path'>

/** The predefined tree in pre-order: folders, entities and manifests. */
export async function coreSchema(db: Db): Promise<CoreSchema> {
  const shown = (part: LibraryPart) => part.hidden === 0
  const entities = (await libraryParts(db, 'entity')).filter(shown)
  const manifests = (await libraryParts(db, 'manifest')).filter(shown)
  const parts = [...nodes('entity', entities), ...nodes('manifest', manifests)]
  return { nodes: [...folders(parts), ...parts], buildVersion: await coreVersion(db) }
}

export async function coreVersion(db: Db): Promise<string> {
  return (await libraryState(db, 'buildVersion')) ?? versionOf([])
}

/** Changes with any node of the tree. */
export function buildVersionOf(plan: {
  entities: readonly (Omit<Named, 'name'> & { content: { name: string } })[]
  manifests: readonly (Omit<Named, 'name'> & { content: { name: string } })[]
}): string {
  const lines = [...plan.entities, ...plan.manifests].map(({ id, path, content }) => `${id} ${path} ${content.name}`)
  return versionOf(lines.toSorted())
}

function versionOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}

function nodes(kind: 'entity' | 'manifest', parts: readonly Named[]): CoreNode[] {
  return parts
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ id, name, path }) => ({ kind, id, name, path, parent: parentOf(path) }))
}

function folders(parts: readonly CoreNode[]): CoreNode[] {
  const paths = new Set<string>()
  for (const part of parts) {
    for (let path = part.parent; path !== '' && !paths.has(path); path = parentOf(path)) paths.add(path)
  }
  return [...paths].toSorted().map(path => ({
    kind: 'folder',
    id: -1,
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    parent: parentOf(path),
  }))
}

/** Returns '' below the root, because the workspace itself is not a node. */
function parentOf(path: string): string {
  const folder = folderOf(path)
  return folder === predefinedPrefix ? '' : folder
}
