import type { EntityAnswer } from '@cadmus/model/contract/entity-shapes'
import type { CoreNode } from '@cadmus/model/contract/navigator'
import { folderOf, isDefaultPath } from '@cadmus/model/paths'
import { administratorOf, currentScope } from '../api/scope.ts'
import { documentOf, type Named, type Target } from '../commands/context.ts'
import { type DocumentRef, type TabId, tabIdOf } from '../workbench/documents.ts'
import type { CoreIndex, CoreTree } from './core-index.ts'

/**
 * A tree node. Its id contains the ids of its ancestors: 'custom>manifests>manifest:3'. Ids below an organisation start
 * with its node: 'org:ACME>entities'.
 */
export type NavNode = {
  id: string
  label: string
  target: Target
  expandable: boolean
  detail?: string
  count?: number
}

/** A part of the tree whose nodes are loaded page by page. */
export type Branch = { id: string; tree: CoreTree; manifest: Named | null }

const memberGroup = /^(.*>manifest:(\d+))>(entities|manifests)$/

/** Loaded state of a branch. `total` is undefined until the first response. */
/** `loading`: for the first time. `reading`: for the first time or again. */
export type BranchState = {
  items: readonly Item[]
  total: number | undefined
  loading: boolean
  reading: boolean
  error: string | null
}

export const waiting: BranchState = { items: [], total: undefined, loading: true, reading: true, error: null }

export type Item = { id: number; name: string; location: string; type?: string; isDefault?: boolean }

export function nodeOf(branch: Branch, item: Item, search: string): NavNode {
  // The workspace prefix is redundant below its root.
  const folder = folderOf(item.location).split('/').slice(1).join('/')
  const detail = search === '' || folder === '' ? {} : { detail: folder }
  if (branch.tree === 'entities') {
    const { id, name, location } = item
    const target: Target = {
      kind: 'entity',
      id,
      name,
      path: location,
      isDefault: isDefaultPath(location),
      type: item.type ?? '',
      manifest: branch.manifest,
    }
    return { id: `${branch.id}>entity:${id}`, label: name, target, expandable: false, ...detail }
  }
  const target: Target = {
    kind: 'manifest',
    id: item.id,
    name: item.name,
    path: item.location,
    isDefault: item.isDefault ?? isDefaultPath(item.location),
    parent: branch.manifest,
  }
  return { id: `${branch.id}>manifest:${item.id}`, label: item.name, target, expandable: true, ...detail }
}

export function coreNodeOf(parent: string, tree: CoreTree, node: CoreNode, search: string): NavNode {
  if (node.kind === 'folder')
    return {
      id: `${parent}>folder:${encodeURIComponent(node.path)}`,
      label: node.name,
      target: { kind: 'folder', path: node.path },
      expandable: true,
    }
  return nodeOf(
    { id: parent, tree, manifest: null },
    { id: node.id, name: node.name, location: node.path, isDefault: true },
    search,
  )
}

/** Roots of a view: both workspaces, or both groups of the predefined one. */
export function rootsOf(view: 'navigator' | 'library', core: CoreIndex | null, search: string): NavNode[] {
  if (view === 'library') return groupsOf('library', 'standard', core, search)
  return [
    { id: 'standard', label: 'Standard', target: { kind: 'workspace', workspace: 'standard' }, expandable: true },
    { id: 'custom', label: 'Custom', target: { kind: 'workspace', workspace: 'custom' }, expandable: true },
  ]
}

export function groupsOf(
  parent: string,
  workspace: 'standard' | 'custom',
  core: CoreIndex | null,
  search: string,
): NavNode[] {
  return (['entities', 'manifests'] as const).map(tree => ({
    id: `${parent}>${tree}`,
    label: tree === 'entities' ? 'Entities' : 'Manifests',
    target: { kind: 'group', group: tree, workspace, manifest: null },
    expandable: true,
    ...(workspace === 'standard' && core
      ? { count: search === '' ? core.count(tree) : core.search(tree, search).length }
      : {}),
  }))
}

/** The groups Entities and Sub-Manifests below a manifest node. */
export function memberGroupsOf(node: NavNode, manifest: Named, workspace: 'standard' | 'custom'): NavNode[] {
  return (['entities', 'manifests'] as const).map(tree => ({
    id: `${node.id}>${tree}`,
    label: tree === 'entities' ? 'Entities' : 'Sub-Manifests',
    target: { kind: 'group', group: tree, workspace, manifest },
    expandable: true,
  }))
}

/** The branch of a group; null for groups of the predefined tree, which is loaded completely. */
export function branchOf(node: NavNode): Branch | null {
  if (node.target.kind !== 'group') return null
  if (node.target.manifest === null && node.target.workspace === 'standard') return null
  return { id: node.id, tree: node.target.group, manifest: node.target.manifest }
}

/** The ids of the ancestors, outermost first. */
export function ancestorsOf(id: string): string[] {
  const parts = id.split('>')
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('>'))
}

/**
 * The branches to load: the workspace's groups, whose counts are always shown, and unfolded members. `roots`: by id.
 */
export function requiredBranches(
  roots: readonly string[],
  isExpanded: (id: string) => boolean,
  expanded: Iterable<string>,
): Branch[] {
  const shown = (id: string) => ancestorsOf(id).every(isExpanded)
  const own: Branch[] = roots
    .filter(root => root !== 'standard' && root !== 'library' && isExpanded(root))
    .flatMap(root => [
      { id: `${root}>entities`, tree: 'entities', manifest: null },
      { id: `${root}>manifests`, tree: 'manifests', manifest: null },
    ])
  for (const id of expanded) {
    const [, , manifest, tree] = memberGroup.exec(id) ?? []
    if ((tree !== 'entities' && tree !== 'manifests') || !shown(id)) continue
    if (!roots.some(root => id.startsWith(`${root}>`))) continue
    own.push({ id, tree, manifest: { id: Number(manifest), name: '' } })
  }
  return own
}

const organisationRoot = /^org:([^>]+)/

export function organisationNode(code: string): string {
  return `org:${encodeURIComponent(code)}`
}

/** The node of a member of a manifest. */
export function nodeBelow(organisation: string, manifest: number, { kind, id }: DocumentRef): string {
  const group = kind === 'entity' ? 'entities' : 'manifests'
  return `${organisationNode(organisation)}>manifests>manifest:${manifest}>${group}>${kind}:${id}`
}

/** Code of a node's organisation; null for a node without organisation or in the current one. */
export function organisationOf(id: string): string | null {
  const [, code] = organisationRoot.exec(id) ?? []
  return code === undefined ? null : decodeURIComponent(code)
}

/** Whether a node's document, or the configuration of its manifest, has unsaved changes. */
export function isUnsaved({ id, target }: NavNode, drafts: { has: (tabId: TabId) => boolean }): boolean {
  const document = documentOf(target)
  if (document === null) return false
  const organisation = organisationOf(id)
  const scope = organisation === null ? currentScope() : administratorOf(organisation)
  const isConfigured =
    document.kind === 'manifest' && drafts.has(tabIdOf({ ...document, kind: 'configuration' }, scope))
  return isConfigured || drafts.has(tabIdOf(document, scope))
}

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
  // Its row is selected when it opens.
  if (document.kind === 'organisation') return null
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
