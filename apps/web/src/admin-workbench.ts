import { isLeaveConfirmed } from './admin-leave.ts'
import { scopeStore } from './api/scope.ts'
import { ownManifestCountQuery } from './api/lists.ts'
import { queryClient } from './api/query-client.ts'
import { restoreStored } from './drafts/restore-stored.ts'
import { adminPlaceIn, isSameContent, placeText, type AdminPlace } from './features/admin/admin-address.ts'
import { guardLeaving, navigate } from './navigation.ts'
import { organisationNode, organisationOf } from './tree/tree-model.ts'
import { isEntered } from './ui/entered.ts'
import { applyTyped, isTyped } from './ui/typed-text.ts'
import { addressOf, documentIn, hrefIn, hrefOf } from './workbench/address.ts'
import { questionStore } from './workbench/confirm.ts'
import { workbench } from './workbench/page-workbench.ts'
import { closeDialogs } from './workbench/dialogs.ts'
import { documentKind } from './workbench/document-kinds.ts'
import { tabIdOf, type DocumentRef, type TabId } from './workbench/documents.ts'
import { settled, trackRestoring } from './workbench/leave.ts'
import { dirtyTabs, type Workbench } from './workbench/workbench.ts'

// Workbench of the administration: one document at a time, in the organisation of the address. Opening a document
// navigates to its address, after confirming unsaved changes.

/** `node`: the tree row to select, for a document that has several. */
export type OpenRequest = { node?: string | undefined; document?: DocumentRef }

let shown: AdminPlace = {}
let isShowing = false
let pendingRequest: OpenRequest = {}

/** Navigates within the administration. Resolves to false if the user cancelled because of unsaved changes. */
export async function goTo(place: AdminPlace, request: OpenRequest = {}): Promise<boolean> {
  const document = documentIn(place)
  if (!isSameContent(place, shown)) {
    if (!(await settled(workbench, workbench.getState().tabs))) return false
    pendingRequest = request
  } else {
    if (request.node !== undefined) workbench.getState().set({ selectedNode: request.node })
    // The workbench updates the address.
    if (document) return true
  }
  // The opener may have set the part to show.
  const part = document ? workbench.getState().shown.get(document.tabId) : undefined
  navigate({ to: '/admin', search: { ...place, ...part } })
  return true
}

/** Runs work in an organisation, navigating there first if needed. */
export async function inOrganisation(code: string, work: () => void): Promise<void> {
  if (scopeStore.getState().administered !== code) {
    if (!(await goTo({ org: code }))) return
    showPlace({ org: code })
    // Commands depend on the count; a failure is reported by the work itself.
    await queryClient.ensureQueryData(ownManifestCountQuery()).catch(() => undefined)
  }
  work()
}

export function showPlace(place: AdminPlace): void {
  const { org = '' } = place
  const document = documentIn(place)
  const { administered } = scopeStore.getState()
  const isOtherOrganisation = administered !== org
  const isSame = isSameContent(place, shown) && !isOtherOrganisation
  shown = place
  isShowing = true
  if (isOtherOrganisation) {
    // Closes the tabs in the organisation in which they were opened.
    closeAllBut(null)
    // An open dialog would act in the other organisation.
    if (administered) leaveDialogs()
    scopeStore.setState({ administered: org })
  }
  if (!isSame) hrefIn('/admin', org === '' ? {} : { org })
  // Opens the document before closing other tabs: a restored draft without a tab would be closed with them.
  if (org !== '' && document) show({ ...document, state: { tab: place.tab, version: place.version } })
  if (!isSame) closeAllBut(document?.tabId ?? null)
  if (!isSame) choose(place)
  isShowing = false
  // A draft restored by an undo is stored already; others are restored when their document opens.
  if (!isSame && document && !workbench.getState().drafts.has(document.tabId))
    trackRestoring(restoreDraft(document.tabId))
}

function leaveDialogs(): void {
  questionStore.getState().question?.answer('cancel')
  closeDialogs()
}

function closeAllBut(shownTab: TabId | null): void {
  const { tabs, closeTabs } = workbench.getState()
  closeTabs(tabs.flatMap(({ tabId }) => (tabId === shownTab ? [] : [tabId])))
}

type Shown = NonNullable<ReturnType<typeof documentIn>> & {
  state: { tab?: string | undefined; version?: string | undefined }
}

function show({ kind, id, tabId, state }: Shown): void {
  const { document } = pendingRequest
  const isRequested = document !== undefined && tabIdOf(document) === tabId
  own.open(isRequested ? document : { kind, id, name: documentKind(kind)?.unnamed(id) ?? '' })
  workbench.getState().show(tabId, state)
}

/** Selects the tree row; the tree itself locates a document that was not opened from a row. */
function choose({ org }: AdminPlace): void {
  const { node } = pendingRequest
  const isHere = node !== undefined && (organisationOf(node) ?? org) === org
  if (isHere) workbench.getState().set({ selectedNode: node })
  else if (org !== undefined && documentIn(shown) === null)
    workbench.getState().set({ selectedNode: organisationNode(org) })
  pendingRequest = {}
}

/** Restores the draft of the document from an earlier load or a closed page. */
async function restoreDraft(tabId: TabId): Promise<void> {
  // Drafts of other documents are restored when they open.
  await restoreStored(document => workbench.getState().active === tabId && document.split('@')[0] === tabId)
}

/** The workbench's own actions, which navigation by address replaces. */
const own = { ...workbench.getState() }

/** Makes every document open by its address. Returns a cleanup function. */
export function startAdminWorkbench(): () => void {
  const open: Workbench['open'] = (document, { below } = {}) => {
    const { org } = shown
    if (org === undefined) return
    const node = below === undefined ? undefined : nodeBelow(org, below, document)
    void goTo({ org, [document.kind]: document.id }, { document, node })
  }
  workbench.setState({ open, openInBackground: document => void window.open(hrefOf(document), '_blank', 'noopener') })
  const stop = workbench.subscribe(syncAddress)
  const releaseGuard = guardLeaving(
    () => settled(workbench, workbench.getState().tabs),
    next => !isSameContent(adminPlaceIn(next.search), shown),
  )
  addEventListener('beforeunload', askBeforeUnload)
  return () => {
    stop()
    releaseGuard()
    removeEventListener('beforeunload', askBeforeUnload)
    const { tabs, closeTabs, set } = workbench.getState()
    closeTabs(tabs.map(({ tabId }) => tabId))
    set({ selectedNode: null })
    workbench.setState({ open: own.open, openInBackground: own.openInBackground })
    scopeStore.setState({ administered: null })
    hrefIn('/', {})
    shown = {}
  }
}

/** Keeps the address in step with the shown part; closing the document leads to its organisation. */
function syncAddress(state: Workbench): void {
  const document = documentIn(shown)
  if (isShowing || !document) return
  const address = addressOf(state)
  if (documentIn(address)?.tabId === document.tabId) {
    const place = { org: shown.org, ...address }
    if (placeText(place) !== placeText(shown)) navigate({ to: '/admin', search: place }, { replace: true })
  } else if (state.active === null) navigate({ to: '/admin', search: { org: shown.org } })
}

function askBeforeUnload(event: BeforeUnloadEvent): void {
  // Apply typed text so that it is stored: the browser's confirmation leaves enough time.
  if (isTyped()) void applyTyped()
  if (isLeaveConfirmed()) return
  if (isTyped() || isEntered() || dirtyTabs(workbench.getState()).length > 0) event.preventDefault()
}

function nodeBelow(org: string, manifest: number, { kind, id }: DocumentRef): string {
  const group = kind === 'entity' ? 'entities' : 'manifests'
  return `${organisationNode(org)}>manifests>manifest:${manifest}>${group}>${kind}:${id}`
}
