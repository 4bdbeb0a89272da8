import { Download, FilterX, RefreshCw, ScrollText } from 'lucide-react'
import { useId, useState } from 'react'
import { useStore } from 'zustand'
import type { AuditEntry } from '@cadmus/model/audit-differences'
import { visibleText } from '@cadmus/model/display'
import { isEqual } from '@cadmus/model/equal'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { historyTexts } from '@cadmus/model/messages/history'
import { messageOf } from '../../api/error.ts'
import { downloadLogs, type LogKind, useLogs } from '../../api/logs.ts'
import { isRestorable, openRestore } from '../../commands/restore.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Paging } from '../../ui/Paging.tsx'
import { Select } from '../../ui/Select.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { timestamp } from '../../ui/timestamp.ts'
import { useDebounced } from '../../ui/use-debounced.ts'
import { usePage } from '../../ui/use-page.ts'
import { defineDialog, openDialog } from '../../workbench/dialogs.ts'
import { tabIdOf } from '../../workbench/documents.ts'
import { useWorkbench, workbench } from '../../workbench/page-workbench.ts'
import { ActionChip } from './ActionChip.tsx'
import type { LogEntryDialogProps } from './LogEntryDialog.tsx'
import styles from './Logs.module.css'
import { type ChosenFilter, endProblem, noFilter, toLogFilter, withStart } from './log-filter.ts'
import { logsDocument } from './logs-document.ts'
import { logsStore } from './logs-store.ts'

const kinds: readonly { value: LogKind; label: string }[] = [
  { value: 'manifest', label: 'Manifest' },
  { value: 'entity', label: 'Entity' },
]

const others = { manifest: 'Does not list entities.', entity: 'Does not list manifests.' }

type Action = ChosenFilter['actionType']
/** A select needs a non-empty value. */
type ActionChoice = Exclude<Action, ''> | 'ALL'
const actions: readonly { value: ActionChoice; label: string }[] = [
  { value: 'ALL', label: 'All' },
  { value: 'CREATE', label: 'Create' },
  { value: 'UPDATE', label: 'Update' },
  { value: 'DELETE', label: 'Delete' },
]

type LogFiltersProps = {
  kind: LogKind
  onKind: (kind: LogKind) => void
  filter: ChosenFilter
  onFilter: (filter: ChosenFilter) => void
  users: readonly string[]
}

export function LogFilters({ kind, onKind, filter, onFilter, users }: LogFiltersProps) {
  const names = useId()
  return (
    <fieldset className={styles['filters']} aria-label="Filters">
      <Select label="Log Type" hint={others[kind]} options={kinds} value={kind} onChange={onKind} />
      <Select
        label="Action Type"
        options={actions}
        value={filter.actionType === '' ? 'ALL' : filter.actionType}
        onChange={action => onFilter({ ...filter, actionType: action === 'ALL' ? '' : action })}
      />
      <TextField
        label="User"
        list={names}
        maxLength={200}
        value={filter.userName}
        onChange={userName => onFilter({ ...filter, userName })}
      />
      <datalist id={names}>
        {users.map(name => (
          <option key={name}>{name}</option>
        ))}
      </datalist>
      <TextField
        label="Start Date"
        type="date"
        value={filter.start}
        onChange={start => onFilter(withStart(filter, start))}
      />
      <TextField
        label="End Date"
        type="date"
        reason={filter.start === '' && 'Set a start date first.'}
        min={filter.start}
        value={filter.end}
        error={endProblem(filter)}
        onChange={end => onFilter({ ...filter, end })}
      />
    </fieldset>
  )
}

export const logEntryDialog = defineDialog<Omit<LogEntryDialogProps, 'onClose'>>('log-entry', () =>
  import('./LogEntryDialog.tsx').then(module => module.LogEntryDialog),
)

const tabId = () => tabIdOf(logsDocument)
const [firstSize] = limits.auditPageSizes
/** Paging happens on the server: the table shows each page whole. */
const largest = Math.max(...limits.auditPageSizes)

export function LogsDocument() {
  const kind: LogKind = useWorkbench(({ shown }) => (shown.get(tabId())?.tab === 'entity' ? 'entity' : 'manifest'))
  const chosen = useStore(logsStore, ({ filter }) => filter)
  const debounced = useDebounced(chosen, limits.auditDebounce)
  const debouncedKind = useDebounced(kind, limits.auditDebounce)
  const { page, setPage, size, setSize } = usePage(firstSize, JSON.stringify([debouncedKind, debounced]))
  const filter = toLogFilter(debounced)
  const { data, isPending, isFetching, isPlaceholderData, refetch } = useLogs(debouncedKind, filter, { page, size })
  const [users, setUsers] = useState<ReadonlySet<string>>(new Set())
  const entries = data?.entries ?? []
  const unknown = entries.filter(({ USER_NAME }) => !users.has(USER_NAME))
  if (unknown.length > 0) setUsers(new Set([...users, ...unknown.map(({ USER_NAME }) => USER_NAME)]))
  const total = data?.total ?? 0
  // While a log loads, the rows still belong to the previous log.
  const isLoading = isPending || debouncedKind !== kind
  function clear() {
    setChosen(noFilter)
    showKind('manifest')
  }
  return (
    <article className={styles['document']} aria-label="Audit Logs">
      <header className={styles['header']}>
        <h1>Audit Logs</h1>
        <Button
          icon={FilterX}
          disabled={kind === 'manifest' && isEqual(chosen, noFilter) && 'No filter is set.'}
          onClick={clear}
        >
          Clear Filters
        </Button>
        <Button icon={RefreshCw} busy={isFetching && !isLoading} onClick={() => void refetch()}>
          Refresh
        </Button>
        <Button icon={Download} onClick={() => void download(kind, toLogFilter(chosen))}>
          Download CSV
        </Button>
      </header>
      <LogFilters kind={kind} onKind={showKind} filter={chosen} onFilter={setChosen} users={[...users]} />
      <div className={styles['list']}>
        <DataTable
          label="Audit Logs"
          columns={columns(kind)}
          rows={isLoading ? [] : entries}
          rowId={({ ID }) => String(ID)}
          rowName={({ DESCRIPTION }) => DESCRIPTION}
          onOpen={entry => open(kind, entry)}
          entriesFor={entry => [
            { kind: 'item', id: 'open', label: 'Show Details', run: () => open(kind, entry) },
            ...(isRestorable(entry)
              ? [
                  {
                    kind: 'item' as const,
                    id: 'restore',
                    label: historyTexts.restore,
                    run: () => openRestore(kind, entry.ID),
                  },
                ]
              : []),
          ]}
          pageSize={largest}
          stale={isPlaceholderData}
          minWidth="var(--log-width)"
          empty={<EmptyState icon={ScrollText} text={isLoading ? 'Loading audit logs...' : 'No records found'} />}
        />
      </div>
      {!isLoading && total > firstSize && (
        <footer className={styles['paging']}>
          <Paging
            page={page}
            pages={Math.max(1, Math.ceil(total / size))}
            total={total}
            size={size}
            sizes={limits.auditPageSizes}
            onPage={setPage}
            onSize={setSize}
          />
        </footer>
      )}
    </article>
  )
}

function setChosen(filter: ChosenFilter): void {
  logsStore.setState({ filter })
}

function showKind(kind: LogKind): void {
  workbench.getState().show(tabId(), { tab: kind === 'entity' ? 'entity' : undefined })
}

function open(kind: LogKind, entry: AuditEntry): void {
  openDialog(logEntryDialog, { kind, entry })
}

async function download(kind: LogKind, filter: Parameters<typeof downloadLogs>[1]): Promise<void> {
  try {
    notify('success', `Downloaded ${await downloadLogs(kind, filter)}.`)
  } catch (error) {
    notify('error', messageOf(error, messages.failed.unexpected))
  }
}

const columnsOf = (kind: LogKind): readonly Column<AuditEntry>[] => [
  {
    id: 'timestamp',
    header: 'Timestamp',
    cell: ({ LAST_MODIFIED }) => timestamp(LAST_MODIFIED),
    width: '168px',
    mono: true,
  },
  {
    id: 'user',
    header: 'User',
    cell: ({ USER_NAME }) => USER_NAME,
    width: '140px',
  },
  { id: 'action', header: 'Action', cell: ({ ACTION_TYPE }) => <ActionChip action={ACTION_TYPE} />, width: '88px' },
  {
    id: 'details',
    header: 'Details',
    cell: entry => (
      <span className={styles['details']}>
        {!entry.DESCRIPTION.includes(entry.ENTITY_NAME) && (
          <span title={visibleText(entry.PATH)}>{visibleText(entry.ENTITY_NAME)}</span>
        )}
        <button type="button" tabIndex={-1} onClick={() => open(kind, entry)}>
          {entry.DESCRIPTION}
        </button>
      </span>
    ),
  },
]
const both = { manifest: columnsOf('manifest'), entity: columnsOf('entity') }
const columns = (kind: LogKind) => both[kind]
