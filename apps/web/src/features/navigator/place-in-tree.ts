import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { DocumentRef } from '../../workbench/documents.ts'
import type { CoreIndex, CoreTree } from './core-index.ts'

type Where = { view: 'navigator' | 'library'; core: CoreIndex | null }

/**
 * The id of the node at which a document stands: in the predefined tree below its folders, an entity of a manifest below that,
 * any other among the workspace's own. Null while it cannot be told, or where the view does not have it.
 */
export function placeInTree(
  document: DocumentRef,
  entity: Pick<EntityAnswer, 'isDefault' | 'targetManifest'> | undefined,
  { view, core }: Where,
): string | null {
  const tree: CoreTree = document.kind === 'entity' ? 'entities' : 'manifests'
  // A configuration stands where its manifest does.
  const leaf = `${document.kind === 'entity' ? 'entity' : 'manifest'}:${document.id}`
  const folders = core?.foldersOf(tree, document.id)
  if (folders) {
    const root = view === 'library' ? 'library' : 'standard'
    return [root, tree, ...folders.map(path => `folder:${encodeURIComponent(path)}`), leaf].join('>')
  }
  if (view === 'library' || core === null) return null
  if (document.kind !== 'entity') return `custom>manifests>${leaf}`
  if (!entity) return null
  const owner = entity.targetManifest
  return owner ? `custom>manifests>manifest:${owner.id}>entities>${leaf}` : `custom>entities>${leaf}`
}
