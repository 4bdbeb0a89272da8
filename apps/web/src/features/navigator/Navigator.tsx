import { messages } from '@cadmus/model/messages'
import { Package2, Plus } from 'lucide-react'
import { useMemo, useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { useOwnManifestCount } from '../../api/manifests.ts'
import { useCoreSchema } from '../../api/navigator.ts'
import { storage } from '../../api/storage.ts'
import { documentOf, type AppContext } from '../../commands/context.ts'
import { entriesOf } from '../../commands/entries.ts'
import { commandById, commandsAt } from '../../commands/registry.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { Tree, type TreeRow } from '../../ui/Tree.tsx'
import { useWorkbench, workbench } from '../../workbench/desk.ts'
import { tabIdOf, type TabId } from '../../workbench/documents.ts'
import { indexCore } from './core-index.ts'
import { dropEntity, mayDrop } from './drop.ts'
import { ancestorsOf, wantedBranches, type BranchState, type NavNode } from './tree-model.ts'
import { treeRows } from './tree-rows.ts'
import { useBranches } from './use-branches.ts'
import styles from './Navigator.module.css'

const waiting: BranchState = { items: [], total: undefined, loading: true, error: null }
const unfoldedAtFirst = ['custom', 'custom>manifests', 'library>entities']
/** A search shows what it found without a press; what is folded then is folded for the search only. */
const unfoldedBySearch = [
  'standard',
  'custom',
  'custom>entities',
  'custom>manifests',
  'standard>entities',
  'standard>manifests',
  'library>entities',
  'library>manifests',
]

export type NavigatorProps = {
  view: 'navigator' | 'library'
  search: string
  /** The page's context; the navigator puts the node in it that a command is about. */
  context: AppContext
}

/** The tree of both workspaces, or of the predefined library alone. */
export function Navigator({ view, search, context }: NavigatorProps) {
  const selected = useWorkbench(state => state.selectedNode)
  const drafts = useWorkbench(state => state.drafts)
  const active = useWorkbench(state => state.active)
  const manifestCount = useOwnManifestCount()
  const core = useCoreSchema()
  const index = useMemo(() => (core.data ? indexCore(core.data.nodes) : null), [core.data])
  const fold = useFolding(search)
  const branches = wantedBranches(view, fold.isExpanded, fold.expanded)
  const { states, retry } = useBranches(branches, fold.pagesOf, search)
  const { rows, nodes } = treeRows({
    view,
    search,
    core: index,
    coreError: core.isError ? messageOf(core.error, messages.failed.unexpected) : null,
    isExpanded: fold.isExpanded,
    pagesOf: fold.pagesOf,
    branch: branch => states.get(branch.id) ?? waiting,
    isDirty: node => {
      const document = documentOf(node.target)
      return document !== null && drafts.has(tabIdOf(document))
    },
  })

  function open(id: string, keep: boolean) {
    const node = nodes.get(id)
    if (!node) return
    select(id)
    const document = documentOf(node.target)
    if (document) workbench.getState().open(document, { preview: !keep })
    else if (node.expandable) fold.toggle(id)
  }

  function more(id: string) {
    const parent = id.slice(0, id.lastIndexOf('>'))
    if (!id.endsWith('>error')) fold.more(parent)
    else if (states.has(parent)) retry(parent)
    else void core.refetch()
  }

  const empty = view === 'navigator' && manifestCount === 0 && search === ''
  const createManifest = commandById('manifest.new')
  return (
    <div className={styles['navigator']} data-empty={empty || undefined}>
      <Tree
        label={view === 'library' ? 'CDM Library' : 'Project Navigator'}
        rows={rows}
        selected={selectedRow(rows, nodes, selected, active)}
        onToggle={fold.toggle}
        onOpen={open}
        onMore={more}
        entriesFor={id => {
          const node = nodes.get(id)
          if (!node) return []
          select(id)
          return entriesOf(commandsAt(view === 'library' ? 'library' : 'tree'), { ...context, target: node.target })
        }}
        canDrop={(source, target) => mayDrop(nodes.get(source)?.target, nodes.get(target)?.target)}
        onDrop={(source, target) => void dropEntity(nodes.get(source)?.target, nodes.get(target)?.target)}
        onForeignDrop={() => notify('error', messages.failed.dropEntity)}
      />
      {empty && (
        <EmptyState
          icon={Package2}
          text={messages.empty.manifests}
          action={
            createManifest && (
              <Button variant="primary" icon={Plus} onClick={() => void createManifest.run(context)}>
                New Manifest
              </Button>
            )
          }
        />
      )}
    </div>
  )
}

/** The chosen node; when another document is shown, a visible node of that. */
function selectedRow(
  rows: readonly TreeRow[],
  nodes: ReadonlyMap<string, NavNode>,
  selected: string | null,
  active: TabId | null,
): string | null {
  const shows = (id: string) => {
    const document = documentOf(nodes.get(id)?.target ?? { kind: 'none' })
    return document !== null && tabIdOf(document) === active
  }
  const target = selected === null ? undefined : nodes.get(selected)?.target
  if (active === null || (target && documentOf(target) === null) || (selected !== null && shows(selected)))
    return selected
  return rows.find(row => shows(row.id))?.id ?? selected
}

function select(id: string) {
  workbench.getState().set({ selectedNode: id })
  storage.write('selectedNode', id)
}

/** What is unfolded, and how many pages of each group are shown. */
function useFolding(search: string) {
  const [folding, setFolding] = useState(() => ({ open: new Set(initiallyOpen()), pages: new Map<string, number>() }))
  const [found, setFound] = useState(() => ({ open: new Set(unfoldedBySearch), pages: new Map<string, number>() }))
  const [searched, setSearched] = useState(search)
  if (search !== searched) {
    setSearched(search)
    setFound({ open: new Set(unfoldedBySearch), pages: new Map() })
  }
  const [current, change] = search === '' ? [folding, setFolding] : [found, setFound]

  return {
    expanded: current.open,
    isExpanded: (id: string) => current.open.has(id),
    pagesOf: (id: string) => current.pages.get(id) ?? 1,
    toggle: (id: string) =>
      change(({ open, pages }) => {
        const next = new Set(open)
        if (!next.delete(id)) next.add(id)
        return { open: next, pages }
      }),
    more: (id: string) =>
      change(({ open, pages }) => ({ open, pages: new Map(pages).set(id, (pages.get(id) ?? 1) + 1) })),
  }
}

/** The first groups, and everything above the node that was chosen last time. */
function initiallyOpen(): string[] {
  const selected = storage.read('selectedNode')
  return selected ? [...unfoldedAtFirst, ...ancestorsOf(selected)] : unfoldedAtFirst
}
