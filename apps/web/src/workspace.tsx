import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'
import { useEffect, useEffectEvent, useRef } from 'react'
import { onDraftsDeleted } from './api/stored-drafts.ts'
import { followSession } from './api/session.ts'
import { currentOrganisation, sessionStore } from './api/session-store.ts'
import { storage } from './api/storage.ts'
import { commandById } from './commands/registry.ts'
import { useAppContext } from './commands/use-app-context.ts'
import { restoreStored } from './drafts/restore-stored.ts'
import { Navigator } from './features/navigator/Navigator.tsx'
import { DialogHost } from './features/shell/DialogHost.tsx'
import { storedWidths } from './features/shell/widths.ts'
import { Workspace } from './features/shell/Workspace.tsx'
import { Tours } from './features/tours/Tours.tsx'
import { notify } from './ui/notices.ts'
import { onDemand } from './ui/on-demand.ts'
import { guardLeaving, navigate } from './navigation.ts'
import { guardUnload } from './unload-guard.ts'
import { useWorkbench, workbench } from './workbench/page-workbench.ts'
import { addressOf, documentIn, textOf, type Address, type WorkspacePlace } from './workbench/address.ts'
import { documentKind } from './workbench/document-kinds.ts'
import { settled, trackRestoring } from './workbench/leave.ts'
import { fromStored, toStored } from './workbench/persist.ts'

const packagesView = onDemand(() => import('./features/exported/PackagesView.tsx').then(module => module.PackagesView))
const { Component: PackagesView } = packagesView

type Place = NonNullable<ReturnType<typeof documentIn>>

export function WorkspaceScreen({ place }: { place: WorkspacePlace }) {
  const context = useAppContext()
  useStoredWorkbench()
  useAddress(place)
  useEffect(guardWork, [])
  useEffect(followSession, [])
  useWizardInAddress(place)
  useEffect(() => {
    if (place.unreadable === undefined) return
    notify('error', visibleText(place.unreadable))
    navigate({ to: '/', search: addressOf(workbench.getState()) }, { replace: true })
  }, [place.unreadable])
  return (
    <>
      <Workspace
        context={context}
        navigator={(view, search) =>
          view === 'packages' ? (
            <PackagesView search={search} context={context} />
          ) : (
            <Navigator key={view} view={view} search={search} context={context} />
          )
        }
      />
      <DialogHost />
      <Tours />
    </>
  )
}

/** Restores tabs, drafts, selection and panel widths after a reload, and stores changes. */
function useStoredWorkbench() {
  useEffect(() => {
    const restored = fromStored(storage.readJson('desk'), workbenchOwner())
    if (restored && workbench.getState().tabs.length === 0) workbench.setState(restored)
    workbench.getState().set({ selectedNode: storage.read('selectedNode'), widths: storedWidths() })
    trackRestoring(restoreStored(() => true))
    return workbench.subscribe((state, before) => {
      if (state.tabs !== before.tabs || state.active !== before.active || state.shown !== before.shown)
        storage.writeJson('desk', toStored(state, workbenchOwner()))
      if (state.selectedNode === null && before.selectedNode !== null) storage.remove('selectedNode')
    })
  }, [])
}

function workbenchOwner() {
  return { user: sessionStore.getState().user?.userId ?? '', organisation: currentOrganisation() }
}

/** Keeps the address and the active document in step, in both directions. */
function useAddress({ manifestWizard: _wizard, unreadable: _unreadable, ...search }: WorkspacePlace) {
  const addressed = textOf(search)
  const shown = useWorkbench(state => textOf(addressOf(state)))

  // While the addressed document opens, the address overrides the tab.
  const following = useRef(true)

  const toAddress = useEffectEvent(() => {
    if (following.current || shown === addressed) return
    const address = addressOf(workbench.getState())
    // Replace instead of push for another part of the same document, and for a document shown by a bare address: Back
    // would be undone at once.
    const from = documentIn(search)?.tabId
    const isStep = from !== undefined && from !== documentIn(address)?.tabId
    navigate({ to: '/', search: address }, { replace: !isStep })
  })
  const fromAddress = useEffectEvent(() => {
    const place = documentIn(search)
    if (place && addressed !== shown) {
      following.current = true
      openPlace(place, search)
    }
    following.current = false
    toAddress()
  })
  useEffect(() => fromAddress(), [addressed])
  useEffect(() => toAddress(), [shown])
}

/** Opens the document of an address at once; it loads its name or reports that it is missing. */
function openPlace({ kind, id, tabId }: Place, { tab, version }: Address): void {
  const { tabs, shown, activate, open, show } = workbench.getState()
  if (tabs.some(open => open.tabId === tabId)) activate(tabId)
  else open({ kind, id, name: documentKind(kind)?.unnamed(id) ?? '' })
  // A link without a part shows the last one; without a version, the latest.
  show(tabId, { tab: tab ?? (version === undefined ? shown.get(tabId)?.tab : undefined), version })
}

/** Asks before leaving with unsaved changes: always within the app, on unload only if they cannot be stored. */
function guardWork(): () => void {
  const releaseGuard = guardLeaving(() => settled(workbench, workbench.getState().tabs))
  const releaseUnload = guardUnload()
  onDraftsDeleted(() => notify('info', messages.draftsForgotten))
  return () => {
    releaseGuard()
    releaseUnload()
  }
}

/** Opens the manifest wizard for /?manifestWizard=open. */
function useWizardInAddress({ manifestWizard, unreadable: _unreadable, ...address }: WorkspacePlace) {
  const context = useAppContext()
  // The wizard needs the number of manifests, to offer duplication.
  const isLoaded = context.hasManifests !== undefined
  const isRequested = useRef(false)
  const open = useEffectEvent(() => {
    if (manifestWizard === 'open') {
      // Replace at once: the address follows the active tab, and a reload must not open it again.
      isRequested.current = true
      navigate({ to: '/', search: address }, { replace: true })
    }
    if (!isRequested.current || !isLoaded) return
    isRequested.current = false
    void commandById('manifest.new')?.run(context)
  })
  useEffect(() => open(), [manifestWizard, isLoaded])
}
