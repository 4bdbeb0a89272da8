import { messages } from '@cadmus/model/messages'
import { countKeptDrafts, forgetAllDrafts } from '../../api/kept-drafts.ts'
import { confirm } from '../../workbench/confirm.ts'
import { workbench } from '../../workbench/desk.ts'
import { dirtyTabs } from '../../workbench/workbench.ts'

/** Asks, then goes to the page that signs out. */
export async function logout(): Promise<void> {
  const unsaved = dirtyTabs(workbench.getState()).length > 0 || (await countKeptDrafts()) > 0
  const text = unsaved ? messages.confirm.logoutUnsaved : messages.confirm.logout
  if (!(await confirm({ title: 'Logout', text, confirmLabel: 'Logout' }))) return
  // What was unsaved has been given up, on this machine too; the leave guard must not ask again.
  workbench.getState().reset()
  await forgetAllDrafts()
  location.assign('/sso/logout')
}
