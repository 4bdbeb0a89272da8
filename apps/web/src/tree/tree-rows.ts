import { explainFirst } from '../commands/first-words.ts'
import { Boxes, Building2, Database, Folder, FolderOpen, Library, Package2, Table2 } from 'lucide-react'
import { formatCount, visibleText } from '@cadmus/model/display'
import { limits } from '@cadmus/model/limits'
import type { Target } from '../commands/context.ts'
import type { Icon } from '../ui/Icon.ts'
import type { TreeRow } from '../ui/Tree.tsx'
import type { ProblemBadge } from '../problems/known-problems.ts'
import type { CoreIndex } from './core-index.ts'
import {
  type Branch,
  branchOf,
  type BranchState,
  coreNodeOf,
  groupsOf,
  memberGroupsOf,
  type NavNode,
  nodeOf,
} from './tree-model.ts'

const icons = {
  of(target: Target, open: boolean): Icon {
    switch (target.kind) {
      case 'workspace':
        return target.workspace === 'standard' ? Library : Database
      case 'organisation':
        return Building2
      case 'manifest':
        return Package2
      case 'entity':
      case 'entities':
        return Table2
      case 'group':
      case 'folder':
        return open ? FolderOpen : Folder
      case 'package':
      case 'none':
        return Boxes
    }
  },
}

export type TreeInput = {
  roots: readonly NavNode[]
  /** Row below the last root, if there are more roots. */
  more?: TreeRow | undefined
  movable: boolean
  search: string
  core: CoreIndex | null
  coreError: string | null
  isExpanded: (id: string) => boolean
  pagesOf: (id: string) => number
  branch: (branch: Branch) => BranchState
  isDirty: (node: NavNode) => boolean
  problemsOf?: (node: NavNode) => ProblemBadge | undefined
}

type TreeOutput = { rows: TreeRow[]; nodes: Map<string, NavNode> }

/** The visible rows of a tree, from the unfolded nodes and the loaded items. */
export function treeRows(input: TreeInput): TreeOutput {
  const output: TreeOutput = { rows: [], nodes: new Map() }
  unfold(input, output, input.roots, 1, input.more !== undefined)
  if (input.more) output.rows.push(input.more)
  return output
}

/** `more`: a Load More row follows the siblings and is counted as one. */
function unfold(
  input: TreeInput,
  output: TreeOutput,
  siblings: readonly NavNode[],
  level: number,
  more: boolean,
): void {
  siblings.forEach((node, index) => {
    output.nodes.set(node.id, node)
    const branch = branchOf(node)
    const open = node.expandable && input.isExpanded(node.id)
    // Groups of the workspace show their counts even while folded.
    const state = branch && (open || branch.manifest === null) ? input.branch(branch) : null
    const place = { level, posInSet: index + 1, setSize: siblings.length + Number(more) }
    output.rows.push({ ...rowOf(input, node, open, node.count ?? state?.total), ...place })
    if (!open) return
    if (branch && state) remote(input, output, node, branch, state, level + 1)
    else if (node.target.kind === 'group' || node.target.kind === 'folder') local(input, output, node, level + 1)
    else unfold(input, output, childrenOf(input, node), level + 1, false)
  })
}

function rowOf(input: TreeInput, node: NavNode, open: boolean, count: number | undefined) {
  const { movable } = input
  const problems = input.problemsOf?.(node)
  return {
    id: node.id,
    label: node.label,
    kind: 'node' as const,
    icon: icons.of(node.target, open),
    expanded: node.expandable ? open : null,
    draggable: movable && node.target.kind === 'entity',
    target: movable && node.target.kind === 'manifest',
    dirty: input.isDirty(node),
    ...(problems ? { problems } : {}),
    ...(count === undefined ? {} : { count }),
    ...(node.detail ? { detail: node.detail } : {}),
    title: [titleOf(node), ...(problems ? [problems.label] : [])].join('\n'),
  }
}

function titleOf({ label, target }: NavNode): string {
  if (target.kind === 'organisation') return visibleText(`[${target.code}] ${target.name}`)
  const explanation = target.kind === 'workspace' ? explainFirst(label) : undefined
  const lines = 'path' in target ? [label, target.path] : [label, ...(explanation ? [explanation] : [])]
  return lines.map(line => visibleText(line)).join('\n')
}

function childrenOf(input: TreeInput, node: NavNode): NavNode[] {
  if (node.target.kind === 'workspace') return groupsOf(node.id, node.target.workspace, input.core, input.search)
  if (node.target.kind === 'organisation') return groupsOf(node.id, 'custom', null, '')
  if (node.target.kind !== 'manifest') return []
  const { id, name, isDefault } = node.target
  return memberGroupsOf(node, { id, name }, isDefault ? 'standard' : 'custom')
}

/** Items of a group from the server, page by page. */
function remote(
  input: TreeInput,
  output: TreeOutput,
  node: NavNode,
  branch: Branch,
  state: BranchState,
  level: number,
): void {
  const { items, total = 0 } = state
  // Search results include all members of a manifest.
  const search = branch.manifest ? '' : input.search
  const children = items.map(item => nodeOf(branch, item, search))
  unfold(input, output, children, level, items.length < total)
  if (state.error !== null) output.rows.push(wordsOf(node, level, 'error', state.error))
  else if (state.loading) output.rows.push(wordsOf(node, level, 'loading', 'Loading'))
  else if (items.length < total) output.rows.push(wordsOf(node, level, 'more', moreText(items.length, total)))
  // For an empty manifest list the navigator shows its own message.
  else if (items.length === 0 && (search !== '' || node.id !== 'custom>manifests'))
    output.rows.push(nothing(node, level, search))
}

/** Items of the predefined tree below a group or folder, or search results in it. */
function local(input: TreeInput, output: TreeOutput, node: NavNode, level: number): void {
  const { core, coreError, search } = input
  if (!core) {
    output.rows.push(wordsOf(node, level, coreError === null ? 'loading' : 'error', coreError ?? 'Loading'))
    return
  }
  const tree = node.id.includes('>manifests') ? 'manifests' : 'entities'
  const parent = node.target.kind === 'folder' ? node.target.path : ''
  const all = search === '' ? core.below(tree, parent) : core.search(tree, search)
  const shown = all.slice(0, input.pagesOf(node.id) * limits.treePageSize)
  const children = shown.map(child => coreNodeOf(node.id, tree, child, search))
  unfold(input, output, children, level, shown.length < all.length)
  if (shown.length < all.length) output.rows.push(wordsOf(node, level, 'more', moreText(shown.length, all.length)))
  else if (all.length === 0) output.rows.push(nothing(node, level, search))
}

function nothing(node: NavNode, level: number, search: string): TreeRow {
  return wordsOf(node, level, 'note', search === '' ? 'Empty' : 'Nothing found')
}

function wordsOf(node: Pick<NavNode, 'id'>, level: number, kind: TreeRow['kind'], label: string): TreeRow {
  return { id: `${node.id}>${kind}`, level, label, title: label, kind, expanded: null, posInSet: 1, setSize: 1 }
}

function moreText(shown: number, total: number): string {
  return `Load More (${formatCount(shown)} of ${formatCount(total)})`
}
