import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { LoadedEntity } from '../api/entities.ts'
import { keyIn, keys } from '../api/query-client.ts'
import { documentOf } from '../commands/context.ts'
import { useWorkbench, workbench } from '../workbench/page-workbench.ts'
import { tabIdOf, type TabId } from '../workbench/documents.ts'
import type { CoreIndex } from './core-index.ts'
import { ancestorsOf, type BranchState, type NavNode, placeInTree, type Roots } from './tree-model.ts'
import type { Folding } from './use-folding.ts'

type Shown = {
  place: Roots
  search: string
  nodes: ReadonlyMap<string, NavNode>
  core: CoreIndex | null
  states: ReadonlyMap<string, BranchState>
  fold: Folding
  /** Null: the document has no row. */
  choose: (id: string | null) => void
  /** Preferred parent node, if the document occurs several times. */
  preferredParent?: string | null
}

const maxPages = 10

/**
 * Selects the shown document in the tree: unfolds its ancestors and fetches pages up to it. Runs once per change of
 * the document, so that the user's own selection and folding persist.
 */
export function useReveal(shown: Shown): void {
  const active = useWorkbench(state => state.tabs.find(tab => tab.tabId === state.active) ?? null)
  // A configuration is selected at its manifest.
  const node = active?.kind === 'configuration' ? tabIdOf({ kind: 'manifest', id: active.id }) : active?.tabId
  const entity = useQuery<LoadedEntity>({
    queryKey: keyIn(keys.entity(active?.kind === 'entity' ? active.id : 0)),
    // The document itself loads it; this only reads the cache.
    enabled: false,
  }).data?.entity
  const open = useRef<TabId | null>(null)

  const follow = useEffectEvent(() => {
    open.current = active?.tabId ?? null
    if (node && showsDocument(shown.nodes, workbench.getState().selectedNode, node)) open.current = null
  })
  const reveal = useEffectEvent(() => {
    if (!active || open.current !== active.tabId || shown.search !== '') return
    const loadedEntity = entity?.id === active.id ? entity : undefined
    const place = shown.preferredParent ?? placeInTree(active, loadedEntity, shown.place, shown.core)
    if (place === null) return
    if (shown.nodes.has(place)) {
      open.current = null
      shown.choose(place)
      return
    }
    shown.fold.unfold(ancestorsOf(place))
    if (searchOn(shown, place)) return
    open.current = null
    // Clears the selection, which would otherwise show another document, possibly of the same name.
    shown.choose(null)
  })

  useEffect(() => follow(), [active?.tabId, shown.preferredParent])
  useEffect(
    () => reveal(),
    [active?.tabId, entity, shown.nodes, shown.core, shown.place.root, shown.place.own, shown.preferredParent],
  )
}

/** Whether the row may still arrive: its group or an ancestor is being read, or the next page was just requested. */
function searchOn({ fold, states, core, nodes }: Shown, place: string): boolean {
  const above = ancestorsOf(place)
  if (!above.every(fold.isExpanded)) return true
  const group = above.findLast((_, index) => above.slice(0, index + 1).every(id => nodes.has(id))) ?? ''
  const state = states.get(group)
  // A group of the predefined tree is complete; only the number of shown pages grows.
  if (!state) return core !== null && showMore(fold, group)
  if (state.reading) return true
  return state.total !== undefined && state.items.length < state.total && showMore(fold, group)
}

function showMore(fold: Folding, group: string): boolean {
  if (fold.pagesOf(group) >= maxPages) return false
  fold.more(group)
  return true
}

function showsDocument(nodes: ReadonlyMap<string, NavNode>, id: string | null, tabId: TabId): boolean {
  const document = documentOf((id === null ? undefined : nodes.get(id))?.target ?? { kind: 'none' })
  return document !== null && tabIdOf(document) === tabId
}
