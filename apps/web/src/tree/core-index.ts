import type { CoreNode } from '@cadmus/model/contract/navigator'

/** Index of the predefined tree: children by path, for entities and for manifests. */
export type CoreIndex = {
  below: (tree: CoreTree, parent: string) => readonly CoreNode[]
  search: (tree: CoreTree, text: string) => readonly CoreNode[]
  count: (tree: CoreTree) => number
  /** Paths of the folders above an entity or manifest, outermost first; undefined if it is not predefined. */
  foldersOf: (tree: CoreTree, id: number) => readonly string[] | undefined
}
export type CoreTree = 'entities' | 'manifests'

const kinds = { entities: 'entity', manifests: 'manifest' } as const

export function indexCore(nodes: readonly CoreNode[]): CoreIndex {
  const byPath = new Map(nodes.filter(node => node.kind === 'folder').map(node => [node.path, node]))
  const trees = new Map<CoreTree, Map<string, CoreNode[]>>()
  const sorted = new WeakSet<readonly CoreNode[]>()
  return {
    below: (tree, parent) => {
      // Sorted on demand, to keep the first paint fast.
      const children = trees.get(tree) ?? treeOf(nodes, byPath, kinds[tree])
      trees.set(tree, children)
      const list = children.get(parent) ?? []
      if (!sorted.has(list)) sorted.add(list.sort(foldersFirst))
      return list
    },
    search: (tree, text) => {
      const folded = text.toLowerCase()
      return nodes
        .filter(node => node.kind === kinds[tree] && node.name.toLowerCase().includes(folded))
        .toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
    },
    foldersOf: (tree, id) => {
      const node = nodes.find(candidate => candidate.kind === kinds[tree] && candidate.id === id)
      return node && foldersAbove(node, byPath)
    },
    count: tree => nodes.filter(node => node.kind === kinds[tree]).length,
  }
}

function foldersAbove(node: CoreNode, folders: ReadonlyMap<string, CoreNode>): string[] {
  const above: string[] = []
  for (let folder = folders.get(node.parent); folder; folder = folders.get(folder.parent)) above.unshift(folder.path)
  return above
}

/** Children by parent path: nodes of the kind and folders that contain any. */
function treeOf(nodes: readonly CoreNode[], folders: ReadonlyMap<string, CoreNode>, kind: 'entity' | 'manifest') {
  const children = new Map<string, CoreNode[]>()
  const placed = new Set<string>()
  for (const node of nodes) {
    if (node.kind !== kind) continue
    put(children, node)
    for (
      let folder = folders.get(node.parent);
      folder && !placed.has(folder.path);
      folder = folders.get(folder.parent)
    ) {
      placed.add(folder.path)
      put(children, folder)
    }
  }
  return children
}

function put(children: Map<string, CoreNode[]>, node: CoreNode): void {
  const list = children.get(node.parent)
  if (list) list.push(node)
  else children.set(node.parent, [node])
}

function foldersFirst(one: CoreNode, other: CoreNode): number {
  const folders = Number(other.kind === 'folder') - Number(one.kind === 'folder')
  return folders || one.name.localeCompare(other.name, 'en')
}
