import { PencilLine, Plus, ScrollText } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AuditEntry } from '@cadmus/model/audit-differences'
import { formatCount, visibleText } from '@cadmus/model/display'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { ApiError, messageOf } from '../../api/error.ts'
import { type LoadedOrganisation, useOrganisation, useOrganisationLogs } from '../../api/organisations.ts'
import { readFailure } from '../../api/read-failure.ts'
import type { AppContext } from '../../commands/context.ts'
import { entriesOf } from '../../commands/entries.ts'
import { commandsAt } from '../../commands/registry.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState, UnreadState } from '../../ui/ErrorState.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Paging } from '../../ui/Paging.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { timestamp } from '../../ui/timestamp.ts'
import { usePage } from '../../ui/use-page.ts'
import { organisationDocument } from '../../workbench/address.ts'
import { openDialog } from '../../workbench/dialogs.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import styles from './Admin.module.css'
import { MembersTab } from './MembersTab.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { licenceDialog, renameOrganisationDialog } from './dialogs.ts'
import { databaseLabel, formatLimit, titleOf } from './labels.ts'

const [firstSize] = limits.auditPageSizes
const noChanges =
  'No changes of the organisation, its licence or its members yet. Its entities and manifests have audit logs of their own.'
const largest = Math.max(...limits.auditPageSizes)

function ChangesTab({ code }: { code: string }) {
  const { page, setPage, size, setSize } = usePage(firstSize, code)
  const read = useOrganisationLogs(code, { page, size })
  const readError = readFailure(read, 'The changes could not be read.')
  const { data, isPending, isPlaceholderData } = read
  const total = data?.totalElements ?? 0
  return (
    <div className={styles['tab']}>
      <DataTable
        label="Changes"
        columns={columns}
        rows={data?.organisationLogs ?? []}
        rowId={({ ID }) => String(ID)}
        rowName={({ DESCRIPTION }) => DESCRIPTION}
        pageSize={largest}
        loading={isPending && !readError}
        stale={isPlaceholderData}
        minWidth="560px"
        empty={readError ? <UnreadState failure={readError} /> : <EmptyState icon={ScrollText} text={noChanges} />}
      />
      {total > firstSize && (
        <Paging
          page={page}
          pages={Math.max(1, Math.ceil(total / size))}
          total={total}
          size={size}
          sizes={limits.auditPageSizes}
          onPage={setPage}
          onSize={setSize}
        />
      )}
    </div>
  )
}

const columns: readonly Column<AuditEntry>[] = [
  { id: 'at', header: 'Timestamp', cell: ({ LAST_MODIFIED }) => timestamp(LAST_MODIFIED), width: '168px', mono: true },
  { id: 'user', header: 'User', cell: ({ USER_NAME }) => visibleText(USER_NAME), width: '160px' },
  {
    id: 'details',
    header: 'Details',
    cell: ({ DESCRIPTION }) => <span className={styles['sentence']}>{DESCRIPTION}</span>,
  },
]

type OrganisationPanelProps = {
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

function LicenceTab({ loaded }: { loaded: LoadedOrganisation }) {
  const { licence, totalManifests, totalMembers, totalSubscriptions } = loaded.organisation
  const { manifestLimit, rest, graphql, databaseTypes } = licence
  return (
    <div className={styles['tab']}>
      <section className={styles['facts']} aria-labelledby="subscription-heading">
        <h2 id="subscription-heading">Subscription</h2>
        <dl>
          <dt>Members</dt>
          <dd>{formatCount(totalMembers)}</dd>
          <dt>With a subscription</dt>
          <dd>{formatCount(totalSubscriptions)}</dd>
        </dl>
      </section>
      <section className={styles['facts']} aria-labelledby="licence-heading">
        <header>
          <h2 id="licence-heading">Licence limits</h2>
          <Button icon={PencilLine} onClick={() => openDialog(licenceDialog, { loaded })}>
            Edit Licence Limits
          </Button>
        </header>
        <dl>
          <dt>Manifest limit</dt>
          <dd>
            {formatLimit(manifestLimit)} <span className={styles['hint']}>{formatCount(totalManifests)} in total</span>
          </dd>
          <dt>REST API</dt>
          <dd>{rest ? 'Included' : 'Not included'}</dd>
          <dt>GraphQL API</dt>
          <dd>{graphql ? 'Included' : 'Not included'}</dd>
          <dt>Database types</dt>
          <dd>
            {databaseTypes.length === 0 ? (
              'None'
            ) : (
              <ol>
                {databaseTypes.map((type, at) => (
                  <li key={type}>
                    {databaseLabel(type)}
                    {at === 0 && <span className={styles['default']}>Default</span>}
                  </li>
                ))}
              </ol>
            )}
          </dd>
        </dl>
      </section>
    </div>
  )
}
