import { messages } from '@cadmus/model/messages'
import { PencilLine, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError, messageOf } from '../../api/error.ts'
import { useOrganisation } from '../../api/organisations.ts'
import type { AppContext } from '../../commands/context.ts'
import { entriesOf } from '../../commands/entries.ts'
import { commandsAt } from '../../commands/registry.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { organisationDocument } from '../../workbench/address.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { ChangesTab } from './ChangesTab.tsx'
import { renameOrganisationDialog } from './dialogs.ts'
import { LicenceTab } from './LicenceTab.tsx'
import { MembersTab } from './MembersTab.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { titleOf } from './labels.ts'
import styles from './Admin.module.css'

export type OrganisationPanelProps = {
  code: string
  context: AppContext
  packages: ReactNode
}

const organisationTabs = ['overview', 'packages', 'members', 'licence', 'changes'] as const

export function OrganisationPanel({ code, context, packages }: OrganisationPanelProps) {
  const tabId = tabIdOf(organisationDocument)
  const shown = useWorkbench(state => state.shown.get(tabId)?.tab)
  const tab = organisationTabs.find(candidate => candidate === shown) ?? 'overview'
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
        <Menu
          entries={entriesOf(creations(), {
            ...context,
            view: 'admin',
            target: { kind: 'organisation', ...organisation },
          })}
          trigger={
            <Button variant="primary" icon={Plus}>
              Create
            </Button>
          }
        />
        <Button icon={PencilLine} onClick={() => openDialog(renameOrganisationDialog, { loaded })}>
          Rename
        </Button>
      </header>
      <Tabs
        label="Organisation"
        value={tab}
        onChange={next => workbench.getState().show(tabId, { tab: next })}
        items={[
          {
            value: 'overview',
            label: 'Overview',
            panel: <OverviewTab key={organisation.code} code={organisation.code} />,
          },
          {
            value: 'packages',
            label: 'Generated Packages',
            count: organisation.totalPackages,
            panel: <div className={styles['packages']}>{packages}</div>,
          },
          {
            value: 'members',
            label: 'Members',
            count: organisation.totalMembers,
            panel: <MembersTab key={organisation.code} organisation={organisation} />,
          },
          { value: 'licence', label: 'Licence', panel: <LicenceTab loaded={loaded} /> },
          { value: 'changes', label: 'Changes', panel: <ChangesTab code={organisation.code} /> },
        ]}
      />
    </article>
  )
}

function creations() {
  return commandsAt('admin').filter(({ group }) => group === 'create')
}
