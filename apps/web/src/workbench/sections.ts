import { messages } from '@cadmus/model/messages'
import { currentScope, isAdministration } from '../api/scope.ts'
import { navigate } from '../navigation.ts'
import { applyTyped } from '../ui/typed-text.ts'
import { confirm } from './confirm.ts'
import { settled } from './leave.ts'
import { workbench } from './page-workbench.ts'
import { dirtyTabs } from './workbench.ts'

// Ways out of the administration.

export async function goHome(): Promise<void> {
  if (await settled(workbench, workbench.getState().tabs)) navigate({ to: '/' })
}

/** Opens the packages of the organisation, or the one being built of a manifest. Unsaved documents stay open. */
export async function goToPackages(manifestName?: string): Promise<void> {
  const search = { new: manifestName, ...(isAdministration() ? { org: currentScope().organisation || undefined } : {}) }
  if (isAdministration() && !(await mayLeaveUnsaved())) return
  navigate({ to: '/packages', search })
}

async function mayLeaveUnsaved(): Promise<boolean> {
  if (!(await applyTyped())) return false
  const details = dirtyTabs(workbench.getState()).map(({ name }) => name)
  const { leave: text, leaveTitle: title } = messages.packages.view
  return details.length === 0 || confirm({ title, text, details, confirmLabel: 'Proceed' })
}
