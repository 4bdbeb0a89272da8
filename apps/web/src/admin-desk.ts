import { isAskedToLeave } from './admin-leave.ts'
import { organisationElsewhere, workElsewhere } from './api/elsewhere.ts'
import { ownManifestCountQuery } from './api/lists.ts'
import { queryClient } from './api/query-client.ts'
import { restoreKept } from './drafts/restore-kept.ts'
import { adminPlaceIn, isSameContent, placeText, type AdminPlace } from './features/admin/admin-address.ts'
import { guardLeaving, navigate } from './navigation.ts'
import { organisationNode, organisationOf } from './tree/tree-model.ts'
import { isEntered } from './ui/entered.ts'
import { applyTyped, isTyped } from './ui/typed-text.ts'
import { addressOf, documentIn, hrefIn, hrefOf } from './workbench/address.ts'
import { questionStore } from './workbench/confirm.ts'
import { workbench } from './workbench/desk.ts'
import { closeDialogs } from './workbench/dialogs.ts'
import { documentKind } from './workbench/document-kinds.ts'
import { tabIdOf, type DocumentRef, type TabId } from './workbench/documents.ts'
import { settled, unsavedComesBack } from './workbench/leave.ts'
import { dirtyTabs, type Workbench } from './workbench/workbench.ts'

// The desk of the administration: one document at a time, in the organisation that was chosen. The address says which; whoever opens a
// document goes to its address, and what is unsaved is asked about first.

/** `node`: the row of the tree that is chosen then, where the document stands in several. */
export type Wish = { node?: string | undefined; document?: DocumentRef }

let shown: AdminPlace = {}
let arriving = false
let wished: Wish = {}

/** Goes to another place of the administration. False: something is unsaved, and the person stayed. */
export async function goTo(place: AdminPlace, wish: Wish = {}): Promise<boolean> {
  const document = documentIn(place)
  if (!isSameContent(place, shown)) {
    if (!(await settled(workbench, workbench.getState().tabs))) return false
    wished = wish
  } else {
    if (wish.node !== undefined) workbench.getState().set({ selectedNode: wish.node })
    // Its part follows what the desk says.
    if (document) return true
  }
  // Who opened it may have said meanwhile which part of it is meant.
  const part = document ? workbench.getState().shown.get(document.tabId) : undefined
  navigate({ to: '/admin', search: { ...place, ...part } })
  return true
}

/** Does it in that organisation: where the page works in another one, it goes there first. */
export async function inOrganisation(code: string, work: () => void): Promise<void> {
  if (organisationElsewhere() !== code) {
    if (!(await goTo({ org: code }))) return
    arrive({ org: code })
    // What is offered depends on it; where it cannot be found out, the work says so.
    await queryClient.ensureQueryData(ownManifestCountQuery).catch(() => undefined)
  }
  work()
}

/** Shows what the address names. */
export function arrive(place: AdminPlace): void {
  const { org = null } = place
  const document = documentIn(place)
  const isElsewhere = organisationElsewhere() !== org
  const isSame = isSameContent(place, shown) && !isElsewhere
  shown = place
  arriving = true
  if (isElsewhere) {
    // Still in the organisation that they were opened in.
    closeAllBut(null)
    // What is open before the page would be done in the other organisation.
    if (organisationElsewhere() !== null) leaveDialogs()
    workElsewhere(org)
  }
  if (!isSame) hrefIn('/admin', org === null ? {} : { org })
  // Before the others go: what was given up of it and is brought back is unsaved already, and without a tab it would go with them.
  if (org !== null && document) show({ ...document, state: { tab: place.tab, version: place.version } })
  if (!isSame) closeAllBut(document?.tabId ?? null)
  if (!isSame) choose(place)
  arriving = false
  // What was brought back is kept already; what else there is of it waits until it is opened again.
  if (!isSame && document && !workbench.getState().drafts.has(document.tabId))
    unsavedComesBack(restoreDraft(document.tabId))
}

function leaveDialogs(): void {
  questionStore.getState().asked?.answer('cancel')
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
  const { document } = wished
  const isKnown = document !== undefined && tabIdOf(document) === tabId
  own.open(isKnown ? document : { kind, id, name: documentKind(kind)?.unnamed(id) ?? '' })
  workbench.getState().show(tabId, state)
}

/** The row of the tree; of a document that nobody opened from one the tree looks for it. */
function choose({ org }: AdminPlace): void {
  const { node } = wished
  const isHere = node !== undefined && (organisationOf(node) ?? org) === org
  if (isHere) workbench.getState().set({ selectedNode: node })
  else if (org !== undefined && documentIn(shown) === null)
    workbench.getState().set({ selectedNode: organisationNode(org) })
  wished = {}
}

/** What was left unsaved of it, on this page before it was loaded again or on one that is no longer open. */
async function restoreDraft(tabId: TabId): Promise<void> {
  // What is unsaved of others waits until they are opened.
  await restoreKept(document => workbench.getState().active === tabId && document.split('@')[0] === tabId)
}

/** The desk's own ways to show a document, which the address takes. */
const own = { ...workbench.getState() }

/** From here on every document is opened by its address. Answers what ends that. */
export function beginDesk(): () => void {
  const open: Workbench['open'] = (document, { below } = {}) => {
    const { org } = shown
    if (org === undefined) return
    const node = below === undefined ? undefined : nodeBelow(org, below, document)
    void goTo({ org, [document.kind]: document.id }, { document, node })
  }
  workbench.setState({ open, openBeside: document => void window.open(hrefOf(document), '_blank', 'noopener') })
  const stop = workbench.subscribe(followDesk)
  const free = guardLeaving(
    () => settled(workbench, workbench.getState().tabs),
    next => !isSameContent(adminPlaceIn(next.search), shown),
  )
  addEventListener('beforeunload', askBeforeUnload)
  return () => {
    stop()
    free()
    removeEventListener('beforeunload', askBeforeUnload)
    const { tabs, closeTabs, set } = workbench.getState()
    closeTabs(tabs.map(({ tabId }) => tabId))
    set({ selectedNode: null })
    workbench.setState({ open: own.open, openBeside: own.openBeside })
    workElsewhere(null)
    hrefIn('/', {})
    shown = {}
  }
}

/** The address follows the part of the document that is shown, and leads to its organisation once it is closed. */
function followDesk(state: Workbench): void {
  const document = documentIn(shown)
  if (arriving || !document) return
  const address = addressOf(state)
  if (documentIn(address)?.tabId === document.tabId) {
    const place = { org: shown.org, ...address }
    if (placeText(place) !== placeText(shown)) navigate({ to: '/admin', search: place }, { replace: true })
  } else if (state.active === null) navigate({ to: '/admin', search: { org: shown.org } })
}

function askBeforeUnload(event: BeforeUnloadEvent): void {
  // It is kept with the other edits; the question gives the browser the time to.
  if (isTyped()) void applyTyped()
  if (isAskedToLeave()) return
  if (isTyped() || isEntered() || dirtyTabs(workbench.getState()).length > 0) event.preventDefault()
}

function nodeBelow(org: string, manifest: number, { kind, id }: DocumentRef): string {
  const group = kind === 'entity' ? 'entities' : 'manifests'
  return `${organisationNode(org)}>manifests>manifest:${manifest}>${group}>${kind}:${id}`
}
