import { limits } from '@cadmus/model/limits'
import { useStore } from 'zustand'
import { currentScope, isAdministration, scopeStore, scopeText, type Scope } from '../api/scope.ts'
import { nodeBelow } from '../tree/tree-model.ts'
import { typedStore } from '../ui/typed-text.ts'
import { hrefOf } from './address.ts'
import { questionStore } from './confirm.ts'
import { closeDialogs } from './dialogs.ts'
import { tabIdOf, type DocumentRef } from './documents.ts'
import { settled } from './leave.ts'
import { createWorkbench, type Workbench } from './workbench.ts'

export const workbench = createWorkbench({
  properties: limits.propertiesWidth.default,
  sidebar: limits.sidebarWidth.default,
})

const { open, openInBackground } = workbench.getState()
workbench.setState({
  open: (document, options = {}) => {
    if (!isAdministration()) return open(document, options)
    const { below } = options
    void openAlone(document, below === undefined ? undefined : nodeBelow(currentScope().organisation, below, document))
  },
  openInBackground: document => {
    if (isAdministration()) window.open(hrefOf(document), '_blank', 'noopener')
    else openInBackground(document)
  },
})

/** Opens the results of a dialog or command, unless the user has entered another scope since. */
export function openIn(scope: Scope): Workbench['open'] {
  return (document, options) => {
    if (scopeText(scope) === scopeText(currentScope())) workbench.getState().open(document, options)
  }
}

/**
 * The administration shows one document at a time: asks for confirmation if the shown one is unsaved, and closes it.
 * Resolves to false if the user cancelled. `node`: the tree row to select.
 */
export async function openAlone(document: DocumentRef, node?: string): Promise<boolean> {
  const isShown = workbench.getState().active === tabIdOf(document)
  if (!isShown && !(await leaveDocument())) return false
  if (node !== undefined) workbench.getState().set({ selectedNode: node })
  showAlone(document)
  return true
}

/** Asks for confirmation if the shown document is unsaved. */
export async function leaveDocument(): Promise<boolean> {
  const { tabs, active } = workbench.getState()
  return settled(
    workbench,
    tabs.filter(({ tabId }) => tabId === active),
  )
}

/** Shows a document and closes others, except unsaved ones. */
export function showAlone(document: DocumentRef): void {
  // Before the others close: a restored draft without a tab would be closed with them.
  open(document)
  const { tabs, active, drafts, closeTabs } = workbench.getState()
  closeTabs(tabs.flatMap(({ tabId }) => (tabId === active || drafts.has(tabId) ? [] : [tabId])))
}

/** Shows a document whose draft is restored. Requires no confirmation, because after Cancel the draft would have no tab. */
export function openRestored(document: DocumentRef): void {
  if (isAdministration()) showAlone(document)
  else open(document)
}

/** Enters the scope of an address. `administered`: the organisation of an administrator, '' if none is chosen. */
export function enterScope(administered: string | null): void {
  const from = scopeText(currentScope())
  if (scopeStore.getState().administered === administered) return
  // An open dialog would act in the other organisation.
  questionStore.getState().question?.answer('cancel')
  closeDialogs()
  scopeStore.setState({ administered })
  workbench.getState().enter(from, scopeText(currentScope()))
}

// Typing into a previewed document keeps its tab, so that the unapplied text is not lost when the next document
// opens.
typedStore.subscribe(({ fields }) => {
  const { active, keep } = workbench.getState()
  if (fields.size > 0 && active !== null) keep(active)
})

export function useWorkbench<T>(pick: (state: Workbench) => T): T {
  return useStore(workbench, pick)
}
