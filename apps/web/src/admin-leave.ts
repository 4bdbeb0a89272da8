import { messages } from '@cadmus/model/messages'
import { currentScope } from './api/scope.ts'
import { applyTyped } from './ui/typed-text.ts'
import { confirm } from './workbench/confirm.ts'
import { workbench } from './workbench/page-workbench.ts'
import { settled } from './workbench/leave.ts'
import { dirtyTabs } from './workbench/workbench.ts'

// Ways out of the administration. The next page is a full load, which drops all state.

let isLeaving = false

/** Whether the user has confirmed leaving. */
export function isLeaveConfirmed(): boolean {
  return isLeaving
}

export async function goHome(): Promise<void> {
  if (await settled(workbench, workbench.getState().tabs)) location.assign('/')
}

/**
 * Opens the packages of the organisation, or the one being built of a manifest. Unsaved changes stay stored until their
 * document opens again.
 */
export async function goToPackages(manifestName?: string): Promise<void> {
  if (!(await applyTyped())) return
  const dirty = dirtyTabs(workbench.getState())
  const { leave: text, leaveTitle: title } = messages.packages.view
  const details = dirty.map(({ name }) => name)
  if (dirty.length > 0 && !(await confirm({ title, text, details, confirmLabel: 'Proceed' }))) return
  const { organisation: org } = currentScope()
  isLeaving = true
  const search = { ...(manifestName !== undefined && { new: manifestName }), ...(org !== '' && { org }) }
  location.assign(Object.keys(search).length === 0 ? '/packages' : `/packages?${new URLSearchParams(search)}`)
}
