import { messages } from '@cadmus/model/messages'
import { switchOrganisation, useSession } from '../../api/session.ts'
import { organisationsOf } from '../../api/session-store.ts'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { OrganisationList } from '../../ui/OrganisationList.tsx'
import { workbench } from '../../workbench/page-workbench.ts'
import { settled } from '../../workbench/leave.ts'

/** Select Organisation: reloads the page in the selected organisation. */
export function OrganisationDialog({ onClose }: { onClose: () => void }) {
  const permissions = useSession(session => session.user?.permissions ?? [])
  const current = useSession(session => session.organisation?.oc ?? null)

  async function choose(code: string) {
    const organisation = permissions.find(permission => permission.oc === code)
    onClose()
    if (!organisation || code === current) return
    if (!(await settled(workbench, workbench.getState().tabs))) return
    // Tabs and drafts of the administration remain.
    const { tabs, closeTabs } = workbench.getState()
    closeTabs(tabs.map(({ tabId }) => tabId))
    switchOrganisation(organisation)
  }

  return (
    <Dialog title="Select Organisation" onClose={onClose} footer={<CloseButton />}>
      <OrganisationList
        organisations={organisationsOf(permissions)}
        current={current}
        unavailable={messages.session.noSubscription}
        onSelect={code => void choose(code)}
      />
    </Dialog>
  )
}
