import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { DocumentRef } from '../workbench/documents.ts'
import type { CoreIndex, CoreTree } from './core-index.ts'

/** Below which root the predefined tree stands, and what is one's own; null: the view does not have it. */
export type Roots = { root: 'standard' | 'library'; own: string | null }

/**
 * The id of the node at which a document stands: in the predefined tree below its folders, an entity of a manifest below that,
 * any other among what is one's own. Null while it cannot be told, or where the view does not have it.
 */
export function placeInTree(
  document: DocumentRef,
  entity: Pick<EntityAnswer, 'isDefault' | 'targetManifest'> | undefined,
  { root, own }: Roots,
  core: CoreIndex | null,
): string | null {
  const tree: CoreTree = document.kind === 'entity' ? 'entities' : 'manifests'
  // A configuration stands where its manifest does.
  const leaf = `${document.kind === 'entity' ? 'entity' : 'manifest'}:${document.id}`
  const folders = core?.foldersOf(tree, document.id)
  if (folders) return [root, tree, ...folders.map(path => `folder:${encodeURIComponent(path)}`), leaf].join('>')
  if (own === null || core === null) return null
  if (document.kind !== 'entity') return `${own}>manifests>${leaf}`
  if (!entity) return null
  const owner = entity.targetManifest
  return owner ? `${own}>manifests>manifest:${owner.id}>entities>${leaf}` : `${own}>entities>${leaf}`
}
