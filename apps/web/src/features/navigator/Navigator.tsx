import { Package2, Plus } from 'lucide-react'
import { useMemo } from 'react'
import { useStore } from 'zustand'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { messageOf } from '../../api/error.ts'
import { useOwnManifestCount } from '../../api/lists.ts'
import { useCoreSchema } from '../../api/navigator.ts'
import { scopeText, useScope } from '../../api/scope.ts'
import { currentOrganisation } from '../../api/session-store.ts'
import { storage } from '../../api/storage.ts'
import { runByKey } from '../../commands/command.ts'
import { type AppContext, documentOf, type Target } from '../../commands/context.ts'
import { dropEntity, mayDrop, type Receiver } from '../../commands/entity-drop.ts'
import { entriesOf } from '../../commands/entries.ts'
import { shortcutOf } from '../../commands/keys.ts'
import { commandById, commandsAt } from '../../commands/registry.ts'
import { knownProblems, noProblems } from '../../problems/known-problems.ts'
import { indexCore } from '../../tree/core-index.ts'
import { ancestorsOf, isUnsaved, requiredBranches, rootsOf, waiting } from '../../tree/tree-model.ts'
import { treeRows } from '../../tree/tree-rows.ts'
import { useBranches } from '../../tree/use-branches.ts'
import { type StoredFolding, useFolding } from '../../tree/use-folding.ts'
import { useReveal } from '../../tree/use-reveal.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Tree } from '../../ui/Tree.tsx'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import styles from './Navigator.module.css'

// Tree state that survives a reload.

const defaultUnfolded = ['custom', 'custom>manifests', 'library>entities']
/** Maximum number of stored ids; the oldest are dropped first. */
const maxStored = 300

function chooseNode(id: string | null): void {
  workbench.getState().set({ selectedNode: id })
  if (id === null) storage.remove('selectedNode')
  else storage.write('selectedNode', id)
}

const storedFolding: StoredFolding = {
  /** The stored folding, else the default groups, plus the ancestors of the selected node. */
  first: () => {
    const selected = storage.read('selectedNode')
    return [...(storedIds() ?? defaultUnfolded), ...(selected ? ancestorsOf(selected) : [])]
  },
  keep: open => {
    storage.writeJson('unfolded', { organisation: currentOrganisation(), ids: [...open].slice(-maxStored) })
  },
}

/** Null without stored state for this organisation. */
function storedIds(): string[] | null {
  const stored = storage.readJson('unfolded')
  if (typeof stored !== 'object' || stored === null || !('ids' in stored) || !Array.isArray(stored.ids)) return null
  if (!('organisation' in stored) || stored.organisation !== currentOrganisation()) return null
  return stored.ids.filter(id => typeof id === 'string')
}

const topOf = { navigator: ['standard', 'custom'], library: ['library'] }

type NavigatorProps = {
  view: 'navigator' | 'library'
  search: string
  /** The page's context; the navigator adds the target node. */
  context: AppContext
}

export function Navigator({ view, search, context }: NavigatorProps) {
  const selected = useWorkbench(state => state.selectedNode)
  const drafts = useWorkbench(state => state.drafts)
  const scope = scopeText(useScope())
  const problems = useStore(knownProblems, ({ byScope }) => byScope.get(scope) ?? noProblems)
  const manifestCount = useOwnManifestCount()
  const core = useCoreSchema()
  const index = useMemo(() => (core.data ? indexCore(core.data.nodes) : null), [core.data])
  const fold = useFolding(search, storedFolding)
  const branches = requiredBranches(topOf[view], fold.isExpanded, fold.expanded)
  const { states, retry } = useBranches(branches, fold.pagesOf, search)
  const { rows, nodes } = treeRows({
    roots: rootsOf(view, index, search),
    movable: view === 'navigator',
    search,
    core: index,
    coreError: core.isError ? messageOf(core.error, firstTexts.failed.unexpected) : null,
    isExpanded: fold.isExpanded,
    pagesOf: fold.pagesOf,
    branch: branch => states.get(branch.id) ?? waiting,
    isDirty: node => isUnsaved(node, drafts),
    problemsOf: ({ target }) => {
      if (target.kind === 'manifest') return problems.manifests.get(target.id)
      return target.kind === 'entity' ? problems.entities.get(target.id) : undefined
    },
  })

  useReveal({
    place: { root: view === 'library' ? 'library' : 'standard', own: view === 'library' ? null : 'custom' },
    search,
    nodes,
    core: index,
    states,
    fold,
    choose: chooseNode,
  })

  function open(id: string, keep: boolean) {
    const node = nodes.get(id)
    if (!node) return
    chooseNode(id)
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

  const commands = commandsAt(view === 'library' ? 'library' : 'tree')
  const empty = view === 'navigator' && manifestCount === 0 && search === ''
  const createManifest = commandById('manifest.new')
  return (
    <div className={styles['navigator']} data-empty={empty || undefined}>
      <Tree
        label={view === 'library' ? 'CDM Library' : 'Project Navigator'}
        rows={rows}
        selected={rows.some(row => row.id === selected) ? selected : null}
        onToggle={fold.toggle}
        onOpen={open}
        onMore={more}
        entriesFor={id => {
          const node = nodes.get(id)
          if (!node) return []
          chooseNode(id)
          return entriesOf(commands, { ...context, target: node.target })
        }}
        onKey={(id, event) => {
          const node = nodes.get(id)
          const shortcut = shortcutOf(event)
          const matching = [...commands, ...commandsAt('row')].filter(command => command.shortcut === shortcut)
          // A row's shortcut applies to the row only: if the command is disabled there, nothing else runs.
          if (node) runByKey(matching, { ...context, target: node.target })
          return node !== undefined && matching.length > 0
        }}
        canDrop={(source, target) => mayDrop(source, receiverOf(nodes.get(target)?.target))}
        onDrop={(source, target) => void dropEntity(source, receiverOf(nodes.get(target)?.target))}
      />
      {empty && (
        <EmptyState
          icon={Package2}
          text={firstTexts.empty.manifests}
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

function receiverOf(target: Target | undefined): Receiver | null {
  if (target?.kind !== 'manifest') return null
  return { id: target.id, name: target.name, locked: target.isDefault && firstTexts.locked.default }
}
