import type { AuditEntry } from '@cadmus/model/audit-differences'
import { visibleText } from '@cadmus/model/display'
import { historyTexts, restoreTexts } from '@cadmus/model/messages/history'
import { type LogKind, useLogEntry } from '../../api/logs.ts'
import { readFailure } from '../../api/read-failure.ts'
import { DocumentLink } from '../../commands/DocumentLink.tsx'
import { Differences } from '../../commands/Differences.tsx'
import { isRestorable, openRestore } from '../../commands/restore.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { UnreadState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { timestamp } from '../../ui/timestamp.ts'
import type { DocumentRef } from '../../workbench/documents.ts'
import { ActionChip } from './ActionChip.tsx'
import styles from './Logs.module.css'

export type LogEntryDialogProps = { kind: LogKind; entry: AuditEntry; onClose: () => void }

export function LogEntryDialog({ kind, entry, onClose }: LogEntryDialogProps) {
  const read = useLogEntry(kind, entry.ID)
  const readError = readFailure(read, 'The entry could not be read.')
  const { data } = read
  return (
    <Dialog
      title={entry.DESCRIPTION}
      description={`${timestamp(entry.LAST_MODIFIED)}, ${entry.USER_NAME}`}
      width={880}
      closeOnBackdrop
      onClose={onClose}
      footer={
        <>
          <CloseButton label="Close" />
          <Button
            size="dialog"
            variant="primary"
            disabled={!isRestorable(entry) && restoreTexts.notRestorable}
            onClick={() => openRestore(kind, entry.ID)}
          >
            {historyTexts.restore}
          </Button>
        </>
      }
    >
      <dl className={styles['facts']}>
        <dt>Action</dt>
        <dd>
          <ActionChip action={entry.ACTION_TYPE} />
        </dd>
        <dt>User</dt>
        <dd>{visibleText(entry.USER_EMAIL === '' ? entry.USER_NAME : `${entry.USER_NAME} (${entry.USER_EMAIL})`)}</dd>
        <dt>{wordOf[entry.CONTENT_KIND]}</dt>
        <dd>
          {data?.target.exists ? (
            <DocumentLink document={documentOf(entry, data.target.id)} onOpen={onClose}>
              {entry.PATH}
            </DocumentLink>
          ) : (
            <span className="mono">{visibleText(entry.PATH)}</span>
          )}
          {data && !data.target.exists && entry.ACTION_TYPE !== 'DELETE' && ' (deleted since)'}
        </dd>
        {entry.VERSION !== '' && (
          <>
            <dt>Version</dt>
            <dd className="mono">{visibleText(entry.VERSION)}</dd>
          </>
        )}
      </dl>
      {readError && <UnreadState failure={readError} />}
      {!data && !readError && <Skeleton lines={6} />}
      {data && <Differences differences={data.differences} kind={entry.CONTENT_KIND} />}
    </Dialog>
  )
}

const wordOf = {
  entity: 'Entity',
  scopes: 'Entity',
  manifest: 'Manifest',
  configuration: 'Configuration',
  organisation: 'Organisation',
  package: 'Package',
} as const

function documentOf({ CONTENT_KIND: content, ENTITY_NAME: name, PATH: path }: AuditEntry, id: number): DocumentRef {
  if (content === 'configuration') return { kind: 'configuration', id, name: `${name} Configuration`, path }
  return { kind: content === 'manifest' ? 'manifest' : 'entity', id, name, path }
}
