import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { LoadedEntity } from '../api/entities.ts'
import { keys } from '../api/query-client.ts'
import { documentOf } from '../commands/context.ts'
import { useWorkbench, workbench } from '../workbench/desk.ts'
import { tabIdOf, type TabId } from '../workbench/documents.ts'
import type { CoreIndex } from './core-index.ts'
import { placeInTree, type Roots } from './place-in-tree.ts'
import { ancestorsOf, type BranchState, type NavNode } from './tree-model.ts'
import type { Folding } from './use-folding.ts'

type Shown = {
  place: Roots
  search: string
  nodes: ReadonlyMap<string, NavNode>
  core: CoreIndex | null
  states: ReadonlyMap<string, BranchState>
  fold: Folding
  /** Null: the document's row is not to be had. */
  choose: (id: string | null) => void
  /** Below which node the document was asked for, where it stands in several places. */
  meant?: string | null
}

/** Pages that are fetched to find a row; what stands further below is not looked for. */
const mostPages = 10

/**
 * Lets the choice in the tree follow the shown document: unfolds what is above it and fetches the pages before it. Once for
 * each change of the document; what a person chooses or folds afterwards stays as it is.
 */
export function useReveal(shown: Shown): void {
  const active = useWorkbench(state => state.tabs.find(tab => tab.tabId === state.active) ?? null)
  // A configuration is chosen where its manifest is.
  const node = active?.kind === 'configuration' ? tabIdOf({ kind: 'manifest', id: active.id }) : active?.tabId
  const entity = useQuery<LoadedEntity>({
    queryKey: keys.entity(active?.kind === 'entity' ? active.id : 0),
    // The document asks for it; here it is only read.
    enabled: false,
  }).data?.entity
  const open = useRef<TabId | null>(null)

  const follow = useEffectEvent(() => {
    open.current = active?.tabId ?? null
    if (node && showsDocument(shown.nodes, workbench.getState().selectedNode, node)) open.current = null
  })
  const look = useEffectEvent(() => {
    if (!active || open.current !== active.tabId || shown.search !== '') return
    const known = entity?.id === active.id ? entity : undefined
    const place = shown.meant ?? placeInTree(active, known, shown.place, shown.core)
    if (place === null) return
    if (shown.nodes.has(place)) {
      open.current = null
      shown.choose(place)
      return
    }
    shown.fold.unfold(ancestorsOf(place))
    if (searchOn(shown, place)) return
    open.current = null
    // Better none than the row of another document, which may have the same name.
    shown.choose(null)
  })

  useEffect(() => follow(), [active?.tabId, shown.meant])
  useEffect(
    () => look(),
    [active?.tabId, entity, shown.nodes, shown.core, shown.place.root, shown.place.own, shown.meant],
  )
}

/** Whether the row may still come: the group in which it, or one above it, stands is being read, or its next page was just asked for. */
function searchOn({ fold, states, core, nodes }: Shown, place: string): boolean {
  const above = ancestorsOf(place)
  if (!above.every(fold.isExpanded)) return true
  const group = above.findLast((_, index) => above.slice(0, index + 1).every(id => nodes.has(id))) ?? ''
  const state = states.get(group)
  // A group of the predefined tree, which is here whole: its pages are only shown.
  if (!state) return core !== null && askMore(fold, group)
  if (state.loading) return true
  return state.total !== undefined && state.items.length < state.total && askMore(fold, group)
}

function askMore(fold: Folding, group: string): boolean {
  if (fold.pagesOf(group) >= mostPages) return false
  fold.more(group)
  return true
}

function showsDocument(nodes: ReadonlyMap<string, NavNode>, id: string | null, tabId: TabId): boolean {
  const document = documentOf((id === null ? undefined : nodes.get(id))?.target ?? { kind: 'none' })
  return document !== null && tabIdOf(document) === tabId
}
