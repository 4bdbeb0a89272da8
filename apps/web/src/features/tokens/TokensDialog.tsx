import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/display'
import { KeyRound, Plus, Trash2 } from 'lucide-react'
import { messageOf } from '../../api/error.ts'
import { readFailure } from '../../api/read-failure.ts'
import { useSession } from '../../api/session.ts'
import { revokeToken, type TokenAccess, type TokenAnswer, useTokens } from '../../api/tokens.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { UnreadState } from '../../ui/ErrorState.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { dayOf, minuteOf } from '../../ui/timestamp.ts'
import { confirm } from '../../workbench/confirm.ts'
import styles from './Tokens.module.css'

export function TokensDialog({ onCreate, onClose }: { onCreate: () => void; onClose: () => void }) {
  const read = useTokens()
  const readError = readFailure(read, 'The access tokens could not be read.')
  const { data } = read
  const organisation = useSession(session => session.organisation?.on ?? '')
  const create = (
    <Button size="dialog" variant="primary" icon={Plus} onClick={onCreate}>
      Create
    </Button>
  )
  return (
    <Dialog
      title="Access Tokens"
      description={`Scripts use access tokens to work in ${organisation} as you.`}
      width={880}
      onClose={onClose}
      footer={
        <>
          <CloseButton label="Close" />
          {create}
        </>
      }
    >
      <DataTable
        label="Access Tokens"
        columns={columns}
        rows={data ?? []}
        rowId={({ id }) => String(id)}
        rowName={({ name }) => name}
        loading={data === undefined && !readError}
        minWidth="720px"
        entriesFor={token => [
          { kind: 'item', id: 'revoke', label: 'Revoke', icon: Trash2, danger: true, run: () => void revoke(token) },
        ]}
        empty={
          readError ? (
            <UnreadState failure={readError} />
          ) : (
            <EmptyState icon={KeyRound} text="No access tokens yet. Create one for each script." />
          )
        }
      />
    </Dialog>
  )
}

export const accessLabels: Record<TokenAccess, string> = { read: 'Read only', 'read-write': 'Read and write' }

const columns: readonly Column<TokenAnswer>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => <span className={styles['name']}>{visibleText(name)}</span>,
  },
  { id: 'access', header: 'Access', cell: ({ access }) => accessLabels[access], width: '124px' },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ expiresAt }) => {
      const isExpired = Date.parse(expiresAt) <= Date.now()
      if (!isExpired) return minuteOf(expiresAt)
      return <span className={styles['over']}>Expired {dayOf(new Date(expiresAt))}</span>
    },
    width: '156px',
  },
  {
    id: 'used',
    header: 'Last Used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : minuteOf(lastUsedAt)),
    width: '148px',
  },
  { id: 'admin', header: 'Administrator', cell: ({ isAdmin }) => (isAdmin ? 'Yes' : 'No'), width: '116px' },
  {
    id: 'revoke',
    header: 'Revoke',
    cell: token => (
      <Button
        variant="quiet"
        className={styles['revoke']}
        aria-label={`Revoke ${visibleText(token.name)}`}
        onClick={() => void revoke(token)}
      >
        Revoke
      </Button>
    ),
    width: '96px',
  },
]

async function revoke({ id, name }: TokenAnswer): Promise<void> {
  const isConfirmed = await confirm({
    title: 'Revoke this access token?',
    text: `Scripts that use "${name}" will lose access immediately. This cannot be undone.`,
    confirmLabel: 'Revoke',
    danger: true,
  })
  if (!isConfirmed) return
  try {
    notify('success', await revokeToken(id))
  } catch (error) {
    notify('error', messageOf(error, messages.failed.unexpected))
  }
}
