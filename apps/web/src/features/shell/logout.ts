import { messages } from '@cadmus/model/messages'
import { confirm } from '../../workbench/confirm.ts'
import { workbench } from '../../workbench/desk.ts'
import { dirtyTabs } from '../../workbench/workbench.ts'

/** Asks, then goes to the page that signs out. */
export async function logout(): Promise<void> {
  const unsaved = dirtyTabs(workbench.getState()).length > 0
  const text = unsaved ? messages.confirm.logoutUnsaved : messages.confirm.logout
  if (!(await confirm({ title: 'Logout', text, confirmLabel: 'Logout' }))) return
  // What was unsaved has been given up; the leave guard must not ask again.
  workbench.getState().reset()
  location.assign('/sso/logout')
}
