import { messages } from '@cadmus/model/messages'
import { ask } from './confirm.ts'
import { closing, type CloseWhich } from './tabs.ts'
import { dirtyTabs, type WorkbenchStore } from './workbench.ts'
import type { Tab, TabId } from './documents.ts'

/** Closes tabs by a command of their menu; unsaved ones are asked about first. False: the person stayed. */
export async function closeTabs(workbench: WorkbenchStore, tabId: TabId, which: CloseWhich): Promise<boolean> {
  const tabs = closing(workbench.getState(), tabId, which)
  if (!(await settled(workbench, tabs))) return false
  workbench.getState().closeTabs(tabs.map(tab => tab.tabId))
  return true
}

/** Asks about the unsaved documents among the tabs, naming them. True: nothing unsaved is left that somebody wants. */
export async function settled(workbench: WorkbenchStore, tabs: readonly Tab[]): Promise<boolean> {
  const dirty = dirtyTabs(workbench.getState(), tabs)
  if (dirty.length === 0) return true
  const answer = await ask({
    title: messages.confirm.saveChanges,
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
  for (const tab of dirty) {
    // Each save shows its own failure; the first one stops.
    const saved =
      (await drafts
        .get(tab.tabId)
        ?.save()
        .catch(() => false)) ?? true
    if (!saved) return false
  }
  return true
}

function question(dirty: readonly Tab[]): string {
  const names = dirty.map(tab => `"${tab.name}"`)
  if (names.length === 1) return `${names[0]} has unsaved changes.`
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)} have unsaved changes.`
}
