import { useEffect, useEffectEvent, useRef } from 'react'
import { isAdministration, scopeText, type Scope } from './api/scope.ts'
import { restoreStored } from './drafts/restore-stored.ts'
import { navigate } from './navigation.ts'
import { organisationNode } from './tree/tree-model.ts'
import {
  addressOf,
  compareTab,
  documentIn,
  sectionPath,
  textOf,
  type Address,
  type WorkspacePlace,
} from './workbench/address.ts'
import { documentKind } from './workbench/document-kinds.ts'
import { trackRestoring } from './workbench/leave.ts'
import { showAlone, useWorkbench, workbench } from './workbench/page-workbench.ts'

type DocumentPlace = NonNullable<ReturnType<typeof documentIn>>

/** Keeps the address and the active document in step, in both directions. */
export function useAddress(
  { manifestWizard: _wizard, unreadable: _unreadable, ...search }: WorkspacePlace,
  scope: Scope,
  isReady = true,
) {
  const addressed = textOf(search)
  const shown = useWorkbench(state => textOf(addressOf(state)))

  // While the addressed document opens, the address overrides the tab.
  const following = useRef(true)

  const toAddress = useEffectEvent(() => {
    if (!isReady || following.current || shown === addressed) return
    const address = addressOf(workbench.getState())
    // Replace instead of push for another part of the same document, and for a document shown by a bare address: Back
    // would be undone at once.
    const [from, to] = [documentIn(search), documentIn(address)]
    const isStep = from !== null && (from.tabId !== to?.tabId || from.kind === 'organisation')
    navigate({ to: sectionPath(), search: address }, { replace: !isStep })
  })
  const fromAddress = useEffectEvent(() => {
    if (!isReady) return
    const place = documentIn(search)
    if (place && (addressed !== shown || workbench.getState().active !== place.tabId)) {
      following.current = true
      openPlace(place, search)
    }
    following.current = false
    toAddress()
    if (place && isAdministration()) restoreShown(place)
  })
  const within = scopeText(scope)
  useEffect(() => fromAddress(), [addressed, isReady, within])
  useEffect(() => toAddress(), [shown])
}

/** Opens the document of an address at once; it loads its name or reports that it is missing. */
function openPlace({ kind, id, tabId }: DocumentPlace, address: Address): void {
  const { org = '', tab, version, before, after, view } = address
  const { tabs, shown, activate, open, show, set } = workbench.getState()
  const document = { kind, id, name: documentKind(kind)?.unnamed(id) ?? '' }
  if (isAdministration()) showAlone(document)
  else if (tabs.some(open => open.tabId === tabId)) activate(tabId)
  else open(document)
  if (kind === 'organisation') set({ selectedNode: organisationNode(org) })
  // A link without a part shows the last one; without a version, the latest.
  const isPart = kind !== 'organisation' && tab === undefined && version === undefined
  const compared = tab === compareTab ? { before, after, view } : {}
  show(tabId, { tab: isPart ? shown.get(tabId)?.tab : tab, version, ...compared })
}

/** Restores the draft of the document from an earlier load or a closed page; others when they open. */
function restoreShown({ kind, id, tabId }: DocumentPlace): void {
  if (workbench.getState().drafts.has(tabId)) return
  const isShown = (document: string) =>
    workbench.getState().active === tabId && document.split('@')[0] === `${kind}:${id}`
  trackRestoring(restoreStored(isShown))
}
