import type { AuditEntry } from '@cadmus/model/audit-differences'
import { limits } from '@cadmus/model/limits'
import { visibleText } from '@cadmus/model/display'
import { ScrollText } from 'lucide-react'
import { readFailure } from '../../api/read-failure.ts'
import { useOrganisationLogs } from '../../api/organisations.ts'
import { DataTable, type Column } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { UnreadState } from '../../ui/ErrorState.tsx'
import { Paging } from '../../ui/Paging.tsx'
import { timestamp } from '../../ui/timestamp.ts'
import { usePage } from '../../ui/use-page.ts'
import styles from './Admin.module.css'

const [firstSize] = limits.auditPageSizes
const noChanges =
  'No changes of the organisation, its licence or its members yet. Its entities and manifests have audit logs of their own.'
const largest = Math.max(...limits.auditPageSizes)

export function ChangesTab({ code }: { code: string }) {
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
