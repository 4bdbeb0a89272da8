import { diagramLimits, type DiagramView, type Placements } from '@cadmus/model/diagram/view'
import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { newUid } from '@cadmus/model/uid'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import {
  changeDiagramView,
  createDiagramView,
  diagramQuery,
  diagramRows,
  diagramViewsQuery,
  type DiagramViewSummary,
} from '../api/diagram.ts'
import { queryClient } from '../api/query-client.ts'
import { problemCountsQuery } from '../api/problems.ts'
import { currentScope, scopeText, useScope, type Scope } from '../api/scope.ts'
import { sessionStore } from '../api/session-store.ts'
import type { Named } from '../commands/context.ts'
import { commandById } from '../commands/registry.ts'
import { placeOf } from '../drafts/draft-key.ts'
import { entityStore } from '../drafts/entity-store.ts'
import { dialogStore } from '../workbench/dialogs.ts'
import { tabIdOf } from '../workbench/documents.ts'
import { workbench } from '../workbench/page-workbench.ts'
import { allTabs } from '../workbench/workbench.ts'
import { DiagramStore } from './diagram-store.ts'
import { layout } from './layout.ts'
import { addRelationship } from './relate.ts'
import { remembered, rememberView } from './remembered.ts'
import type { DiagramData, Unsaved } from './scene-of.ts'

/** `version`: an old one, which can only be looked at. `mayEdit`: shared views can be changed. */
export type ShownManifest = { id: number; name: string; version: string | undefined; mayEdit: boolean }

export type ManifestDiagram = {
  store: DiagramStore | null
  views: readonly DiagramViewSummary[]
  /** Shows another stored view; undefined: the first one. */
  showView: (uid: string | undefined) => void
  /** Reads the views again. */
  refreshViews: () => Promise<void>
  error: Error | null
  retry: () => void
}

type ViewsAnswer = { views: DiagramViewSummary[]; open: DiagramView | null }
type OpenDiagram = { tabId: string; store: DiagramStore }

/** By scope, manifest and version: undo steps and unsent ones outlive a change of tabs. */
const openDiagrams = new Map<string, OpenDiagram>()

workbench.subscribe((state, before) => {
  if (state.tabs === before.tabs && state.parked === before.parked) return
  const tabs = new Set<string>(allTabs(state).map(({ tabId }) => tabId))
  for (const [key, { tabId, store }] of openDiagrams)
    if (!tabs.has(tabId) && !store.get().isWaiting) openDiagrams.delete(key)
})

export function useManifestDiagram(shown: ShownManifest): ManifestDiagram {
  const { id, version } = shown
  const scope = useScope()
  const [view, setView] = useState(() => remembered(id).view)
  const data = useQuery(diagramQuery(id, version, scope))
  const place = { ...(version === undefined ? {} : { version }), ...(view === undefined ? {} : { open: view }) }
  const views = useQuery({ ...diagramViewsQuery(id, place, scope), placeholderData: keepPreviousData })
  const unsaved = useUnsaved()
  const isRead = data.data !== undefined && views.data !== undefined
  const key = `${scopeText(scope)}/${id}@${version ?? ''}`
  const read = data.data
  // A later answer is passed to the same store.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const store = useMemo(() => (isRead && read ? openStore(key, shown, read) : null), [key, isRead])

  useEffect(() => {
    if (read) store?.setData(read)
  }, [store, read])
  useEffect(() => {
    if (version === undefined) store?.setUnsaved(unsaved)
  }, [store, unsaved, version])
  useStoredView(store, shown, views)
  useLiveProblems(store, shown, scope)

  return {
    store,
    views: views.data?.views ?? [],
    showView(uid) {
      rememberView(id, uid)
      setView(uid)
      if (uid !== undefined && store?.has(uid)) store.show(uid)
    },
    async refreshViews() {
      await views.refetch()
    },
    error: isRead ? null : (data.error ?? views.error),
    retry: () => {
      void data.refetch()
      void views.refetch()
    },
  }
}

/** While problems are marked, marks them again as they come and go, which the status bar reads. */
function useLiveProblems(store: DiagramStore | null, { id }: ShownManifest, scope: Scope): void {
  const { data } = useQuery({ ...problemCountsQuery(id, scope), enabled: false })
  useEffect(() => {
    if (data && store?.get().marksProblems) void store.markProblems(true)
  }, [store, data])
}

/** Passes the open view as the server has it to the store. */
function useStoredView(
  store: DiagramStore | null,
  { version, mayEdit }: ShownManifest,
  { data: answer, isPlaceholderData }: { data: ViewsAnswer | undefined; isPlaceholderData: boolean },
): void {
  useEffect(() => {
    if (!store || !answer || isPlaceholderData) return
    const { open } = answer
    if (open) store.receive(open, { sends: version === undefined && (mayEdit || !open.shared) })
    store.follow(open?.uid)
  }, [store, answer, isPlaceholderData, version, mayEdit])
}

function openStore(key: string, { id, name, version, mayEdit }: ShownManifest, data: DiagramData): DiagramStore {
  const existing = openDiagrams.get(key)
  if (existing) return existing.store
  const scope = currentScope()
  const place = { manifestId: id, scope }
  const frozen = version === undefined ? undefined : { manifest: id, version }
  const store = new DiagramStore({
    data,
    send: (uid, change) => changeDiagramView({ ...place, uid }, change),
    readRows: ids => diagramRows(ids, { scope, frozen }),
    layout,
    storeFirst: version === undefined && mayEdit ? placements => storeFirst(place, placements) : undefined,
    readProblems: version === undefined ? () => entitiesWithProblems(id, scope) : undefined,
    relate: addRelationship,
    addEntity: onClosed =>
      addEntityTo({ id, name }, () => {
        // What the dialog has added is being read.
        const reading = queryClient.fetchQuery({ ...diagramQuery(id, version, scope), staleTime: Infinity })
        void reading.then(now => store.setData(now)).then(onClosed, onClosed)
      }),
  })
  openDiagrams.set(key, { tabId: tabIdOf({ kind: 'manifest', id }, scope), store })
  return store
}

async function entitiesWithProblems(id: number, scope: Scope): Promise<ReadonlySet<number>> {
  const { entities } = await queryClient.fetchQuery(problemCountsQuery(id, scope))
  return new Set(entities.ids)
}

export function addEntityTo({ id, name }: Named, onClosed: () => void): void {
  const target = { kind: 'manifest' as const, id, name, path: '', isDefault: false, parent: null }
  const isAdmin = sessionStore.getState().user?.isAdmin ?? false
  void commandById('manifest.addEntity')?.run({ target, isAdmin, hasManifests: true, active: null })
  const stop = dialogStore.subscribe(({ open }) => {
    if (open.length > 0) return
    stop()
    onClosed()
  })
}

type ViewPlace = Parameters<typeof createDiagramView>[0]
type NewView = Pick<DiagramView, 'name' | 'shared' | 'detail' | 'placements'>

/** The first view of a manifest. If someone else was faster, theirs is shown. */
async function storeFirst(place: ViewPlace, placements: Placements): Promise<DiagramView> {
  try {
    return await storeView(place, { name: viewTexts.firstView, shared: true, detail: 'all', placements })
  } catch (failure) {
    await queryClient.invalidateQueries(diagramViewsQuery(place.manifestId, {}, place.scope))
    throw failure
  }
}

/** Stores a view. Placements beyond the limit of a request are left out; the page sends them as changes. */
export async function storeView(place: ViewPlace, { placements, ...view }: NewView): Promise<DiagramView> {
  const first: Placements = Object.fromEntries(Object.entries(placements).slice(0, diagramLimits.changes))
  const stored = await createDiagramView(place, { operationId: newUid(), ...view, placements: first })
  return { ...stored, placements: first }
}

/** Unsaved contents of the entities of the scope. */
export function useUnsaved(): Unsaved {
  const within = scopeText(useScope())
  return useStore(
    entityStore.state,
    useShallow(({ open }) => {
      const contents = [...open].flatMap(([key, { draft }]) => {
        const { id, version, scope } = placeOf(key)
        const isShown = version === undefined && draft.changes > 0 && scopeText(scope) === within
        return isShown ? [[id, draft.content] as const] : []
      })
      return new Map(contents)
    }),
  )
}
