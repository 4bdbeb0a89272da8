import { visibleText } from '@cadmus/model/display'
import { firstTexts } from '@cadmus/model/messages/first-load'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isAdministration, useScope, type Scope } from './api/scope.ts'
import { followSession, useSession } from './api/session.ts'
import { currentOrganisation, sessionStore } from './api/session-store.ts'
import { storage } from './api/storage.ts'
import { onDraftsDeleted } from './api/stored-drafts.ts'
import type { AppContext } from './commands/context.ts'
import { commandById } from './commands/registry.ts'
import { useAppContext } from './commands/use-app-context.ts'
import { restoreStored } from './drafts/restore-stored.ts'
import { Navigator } from './features/navigator/Navigator.tsx'
import { DialogHost } from './features/shell/DialogHost.tsx'
import { Sidebar, SidebarViews } from './features/shell/Sidebar.tsx'
import { pageAtRest, usePage } from './features/shell/use-page.ts'
import { storedWidths } from './features/shell/widths.ts'
import { Workspace } from './features/shell/Workspace.tsx'
import { Waiting } from './features/sign-in/Waiting.tsx'
import { Tours } from './features/tours/Tours.tsx'
import { guardLeaving, navigate, type Place } from './navigation.ts'
import { notify } from './ui/notices.ts'
import { onDemand } from './ui/on-demand.ts'
import { applyTyped } from './ui/typed-text.ts'
import { Skeleton } from './ui/Skeleton.tsx'
import { guardUnload } from './unload-guard.ts'
import { addressOf, administrationPlaceIn, documentIn, type WorkspacePlace } from './workbench/address.ts'
import { settled, trackRestoring } from './workbench/leave.ts'
import { leaveDocument, workbench } from './workbench/page-workbench.ts'
import { fromStored, toStored } from './workbench/persist.ts'
import { recordRecent } from './workbench/recent.ts'
import { dirtyTabs } from './workbench/workbench.ts'
import { useAddress } from './workspace-address.ts'

const { Component: PackagesView } = onDemand(() =>
  import('./features/exported/PackagesView.tsx').then(module => module.PackagesView),
)
const { Component: HomeScreen } = onDemand(
  () => import('./features/home/HomeScreen.tsx').then(module => module.HomeScreen),
  <Skeleton lines={8} />,
)
const { Component: Administration } = onDemand(
  () => import('./administration.tsx').then(module => module.Administration),
  <Skeleton />,
)

/** The workspace of designers, and of administrators, whose organisations need not be their own. */
export function WorkspaceScreen({ place }: { place: WorkspacePlace }) {
  const scope = useScope()
  const isAdmin = useSession(session => session.user?.isAdmin ?? false)
  useEffect(followSession, [])
  useEffect(guardWork, [])
  useEffect(recordRecent, [])
  if (!isAdministration(scope)) return <DesignerWorkspace place={place} scope={scope} />
  if (isAdmin) return <Administration place={place} scope={scope} />
  return (
    <Waiting text={firstTexts.administration.notAllowed}>
      <a href="/">Go To Homepage</a>
    </Waiting>
  )
}

type WorkspaceScreenProps = { place: WorkspacePlace; scope: Scope }

function DesignerWorkspace({ place, scope }: WorkspaceScreenProps) {
  const context = useAppContext()
  useStoredWorkbench(scope)
  useAddress(place, scope)
  useWizardInAddress(place)
  usePage(context)
  useEffect(() => {
    if (place.unreadable === undefined) return
    notify('error', visibleText(place.unreadable))
    navigate({ to: '/', search: addressOf(workbench.getState()) }, { replace: true })
  }, [place.unreadable])
  return (
    <>
      <Workspace
        context={context}
        empty={<Home context={context} />}
        sidebar={
          <Sidebar label="Navigator">
            <SidebarViews>
              {(view, search) =>
                view === 'packages' ? (
                  <PackagesView search={search} context={context} />
                ) : (
                  <Navigator key={view} view={view} search={search} context={context} />
                )
              }
            </SidebarViews>
          </Sidebar>
        }
      />
      <DialogHost />
      <Tours />
    </>
  )
}

/** Loads the home screen once the tree is there, which comes first. */
function Home({ context }: { context: AppContext }) {
  const [isReady, setIsReady] = useState(false)
  useEffect(() => void pageAtRest().then(() => setIsReady(true)), [])
  return isReady ? <HomeScreen context={context} /> : <Skeleton lines={8} />
}

/** Restores tabs, drafts, selection and panel widths after a reload, and stores changes. */
function useStoredWorkbench(scope: Scope) {
  const restore = useEffectEvent(() => {
    const restored = fromStored(storage.readJson('desk'), workbenchOwner())
    const { tabs, selectedNode, set } = workbench.getState()
    if (restored && tabs.length === 0)
      workbench.setState(({ shown }) => ({ ...restored, shown: new Map([...shown, ...restored.shown]) }))
    set({ selectedNode: selectedNode ?? storage.read('selectedNode'), widths: storedWidths(innerWidth) })
    const open = new Set(dirtyTabs(workbench.getState()).map(({ kind, id }) => `${kind}:${id}`))
    const restoring = restoreStored(document => !open.has(document.split('@')[0] ?? ''))
    trackRestoring(restoring.then(dropUnused))
  })
  useEffect(() => {
    restore()
    return workbench.subscribe((state, before) => {
      if (isAdministration()) return
      if (state.tabs !== before.tabs || state.active !== before.active || state.shown !== before.shown)
        storage.writeJson('desk', toStored(state, workbenchOwner()))
      if (state.selectedNode === null && before.selectedNode !== null) storage.remove('selectedNode')
    })
  }, [scope])
}

/** Drops documents that were held for unsaved changes, which are saved or gone by now. */
function dropUnused(): void {
  for (const { tabId } of workbench.getState().tabs) workbench.getState().dropHidden(tabId)
}

function workbenchOwner() {
  return { user: sessionStore.getState().user?.userId ?? '', organisation: currentOrganisation() }
}

/** Asks before leaving with unsaved changes: always within the app, on unload only if they cannot be stored. */
function guardWork(): () => void {
  const releaseGuard = guardLeaving(mayLeave, isOtherContent)
  const releaseUnload = guardUnload()
  onDraftsDeleted(() => notify('info', firstTexts.draftsForgotten))
  return () => {
    releaseGuard()
    releaseUnload()
  }
}

/** Tabs of the designer stay open in the administration, with the text being typed. */
async function mayLeave({ pathname }: Place): Promise<boolean> {
  if (isAdministration() && pathname === '/admin') return leaveDocument()
  if (!isAdministration() && pathname === '/admin') return applyTyped()
  return settled(workbench, workbench.getState().tabs)
}

/** Whether a step within the administration leaves the shown document. */
function isOtherContent({ search }: Place): boolean {
  if (!isAdministration()) return false
  return documentIn(administrationPlaceIn(search))?.tabId !== workbench.getState().active
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
