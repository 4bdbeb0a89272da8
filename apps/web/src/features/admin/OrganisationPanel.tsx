import { messages } from '@cadmus/model/messages'
import { PencilLine } from 'lucide-react'
import { ApiError, messageOf } from '../../api/error.ts'
import { useOrganisation } from '../../api/organisations.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { openDialog } from '../../workbench/dialogs.ts'
import type { OrganisationTab } from './admin-address.ts'
import { ChangesTab } from './ChangesTab.tsx'
import { renameOrganisationDialog } from './dialogs.ts'
import { LicenceTab } from './LicenceTab.tsx'
import { MembersTab } from './MembersTab.tsx'
import { titleOf } from './words.ts'
import styles from './Admin.module.css'

export type OrganisationPanelProps = {
  code: string
  tab: OrganisationTab
  onTab: (tab: OrganisationTab) => void
}

/** One organisation: its title, and what is kept of it in tabs. */
export function OrganisationPanel({ code, tab, onTab }: OrganisationPanelProps) {
  const { data: loaded, error, refetch } = useOrganisation(code)
  if (!loaded && error) {
    const isGone = error instanceof ApiError && error.status === 404
    return (
      <ErrorState
        message={messageOf(error, messages.failed.unexpected)}
        onRetry={isGone ? undefined : () => void refetch()}
      />
    )
  }
  if (!loaded) return <Skeleton lines={8} />
  const { organisation } = loaded
  return (
    <article className={styles['panel']} aria-labelledby="organisation-title">
      <header className={styles['title']}>
        <h1 id="organisation-title">{titleOf(organisation)}</h1>
        <Button icon={PencilLine} onClick={() => openDialog(renameOrganisationDialog, { loaded })}>
          Rename
        </Button>
      </header>
      <Tabs
        label="Organisation"
        value={tab}
        onChange={onTab}
        items={[
          {
            value: 'members',
            label: 'Members',
            count: organisation.totalMembers,
            panel: <MembersTab key={organisation.code} organisation={organisation} />,
          },
          { value: 'licence', label: 'Subscription and Licence', panel: <LicenceTab loaded={loaded} /> },
          { value: 'changes', label: 'Changes', panel: <ChangesTab code={organisation.code} /> },
        ]}
      />
    </article>
  )
}
