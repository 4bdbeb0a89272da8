import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { DocumentRef } from '../workbench/documents.ts'
import type { CoreIndex, CoreTree } from './core-index.ts'

/** Root nodes of the predefined tree and of the organisation's own documents; null: not in this view. */
export type Roots = { root: 'standard' | 'library'; own: string | null }

/**
 * Id of the node of a document: predefined documents below their folders, entities of a manifest below it, others
 * among the organisation's own. Null if unknown or not in this view.
 */
export function placeInTree(
  document: DocumentRef,
  entity: Pick<EntityAnswer, 'isDefault' | 'targetManifest'> | undefined,
  { root, own }: Roots,
  core: CoreIndex | null,
): string | null {
  const tree: CoreTree = document.kind === 'entity' ? 'entities' : 'manifests'
  // A configuration is shown at its manifest.
  const leaf = `${document.kind === 'entity' ? 'entity' : 'manifest'}:${document.id}`
  const folders = core?.foldersOf(tree, document.id)
  if (folders) return [root, tree, ...folders.map(path => `folder:${encodeURIComponent(path)}`), leaf].join('>')
  if (own === null || core === null) return null
  if (document.kind !== 'entity') return `${own}>manifests>${leaf}`
  if (!entity) return null
  const owner = entity.targetManifest
  return owner ? `${own}>manifests>manifest:${owner.id}>entities>${leaf}` : `${own}>entities>${leaf}`
}
