import { firstTexts } from '@cadmus/model/messages/first-load'
import { applyTyped } from '../ui/typed-text.ts'
import { ask } from './confirm.ts'
import { closing, type CloseWhich } from './tabs.ts'
import { dirtyTabs, type WorkbenchStore } from './workbench.ts'
import type { Tab, TabId } from './documents.ts'

/** Drafts of an earlier visit are being restored. */
let restoringDrafts: Promise<unknown> = Promise.resolve()

/** Registers the restoring of drafts; confirmations about unsaved changes are shown after it. */
export function trackRestoring(reading: Promise<unknown>): void {
  restoringDrafts = Promise.allSettled([restoringDrafts, reading])
}

/** Resolves when the drafts whose restoring has begun are shown. */
export async function draftsRestored(): Promise<void> {
  await restoringDrafts
}

/** Closes tabs after confirmation for unsaved ones. False if the user cancelled. */
export async function closeTabs(workbench: WorkbenchStore, tabId: TabId, which: CloseWhich): Promise<boolean> {
  if (!(await applyTyped())) return false
  const tabs = closing(workbench.getState(), tabId, which)
  if (!(await settled(workbench, tabs))) return false
  workbench.getState().closeTabs(tabs.map(tab => tab.tabId))
  return true
}

/** Asks for confirmation about the unsaved documents among the tabs, by name. True if they were saved or discarded. */
export async function settled(workbench: WorkbenchStore, tabs: readonly Tab[]): Promise<boolean> {
  if (!(await applyTyped())) return false
  const dirty = dirtyTabs(workbench.getState(), tabs)
  if (dirty.length === 0) return true
  const answer = await ask({
    title: firstTexts.confirm.saveChanges,
    text: question(dirty),
    confirmLabel: dirty.length === 1 ? 'Save' : 'Save all',
    alternativeLabel: 'Discard',
  })
  if (answer === 'cancel') return false
  const drafts = workbench.getState().drafts
  if (answer === 'alternative') {
    for (const tab of dirty) drafts.get(tab.tabId)?.discard()
    return true
  }
  return savedAll(workbench, dirty)
}

/**
 * Call before an action that uses only saved content: shows the number of unsaved changes and offers to save. True to
 * continue.
 */
export async function savedFirst(
  workbench: WorkbenchStore,
  tabs: readonly Tab[],
  title: string,
  consequence: string,
): Promise<boolean> {
  if (!(await applyTyped())) return false
  await restoringDrafts
  const { drafts } = workbench.getState()
  const dirty = dirtyTabs(workbench.getState(), tabs)
  if (dirty.length === 0) return true
  const count = dirty.reduce((sum, tab) => sum + (drafts.get(tab.tabId)?.count ?? 0), 0)
  const answer = await ask({
    title,
    text: `${firstTexts.unsavedChanges(count)} in ${listed(dirty)}. ${consequence}`,
    confirmLabel: dirty.length === 1 ? 'Save' : 'Save all',
    alternativeLabel: 'Continue without saving',
  })
  return answer === 'alternative' || (answer === 'confirm' && (await savedAll(workbench, dirty)))
}

async function savedAll(workbench: WorkbenchStore, dirty: readonly Tab[]): Promise<boolean> {
  if (!(await applyTyped())) return false
  const { drafts } = workbench.getState()
  for (const tab of dirty) {
    // Each save shows its own failure; the first failure stops.
    const saved = await (drafts.get(tab.tabId)?.save() ?? Promise.resolve(true)).catch(() => false)
    if (!saved) return false
  }
  return true
}

function question(dirty: readonly Tab[]): string {
  return `${listed(dirty)} ${dirty.length === 1 ? 'has' : 'have'} unsaved changes.`
}

function listed(dirty: readonly Tab[]): string {
  const names = dirty.map(tab => `"${tab.name}"`)
  return names.length === 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
