import { messages } from '@cadmus/model/messages'
import { organisationElsewhere } from './api/elsewhere.ts'
import { applyTyped } from './ui/typed-text.ts'
import { confirm } from './workbench/confirm.ts'
import { workbench } from './workbench/desk.ts'
import { settled } from './workbench/leave.ts'
import { dirtyTabs } from './workbench/workbench.ts'

// The ways out of the administration. The next page is loaded anew: nothing of what was open here is left in it.

let isLeaving = false

/** Whether the person was asked already, and wants to leave. */
export function isAskedToLeave(): boolean {
  return isLeaving
}

export async function goHome(): Promise<void> {
  if (await settled(workbench, workbench.getState().tabs)) location.assign('/')
}

/** To the packages of the organisation that is shown, or to the one that is being built of a manifest. What is unsaved is kept by the browser until its document is opened again. */
export async function goToPackages(manifestName?: string): Promise<void> {
  if (!(await applyTyped())) return
  const dirty = dirtyTabs(workbench.getState())
  const { leave: text, leaveTitle: title } = messages.packages.view
  const details = dirty.map(({ name }) => name)
  if (dirty.length > 0 && !(await confirm({ title, text, details, confirmLabel: 'Proceed' }))) return
  const org = organisationElsewhere()
  isLeaving = true
  const search = { ...(manifestName !== undefined && { new: manifestName }), ...(org !== null && { org }) }
  location.assign(Object.keys(search).length === 0 ? '/packages' : `/packages?${new URLSearchParams(search)}`)
}
