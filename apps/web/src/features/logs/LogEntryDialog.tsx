import type { AuditDifference, AuditEntry } from '@cadmus/model/audit-differences'
import { visibleText } from '@cadmus/model/display'
import { useLogEntry, type LogKind } from '../../api/logs.ts'
import { readFailure } from '../../api/read-failure.ts'
import { DocumentLink } from '../../commands/DocumentLink.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { UnreadState } from '../../ui/ErrorState.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { timestamp } from '../../ui/timestamp.ts'
import type { DocumentRef } from '../../workbench/documents.ts'
import { ActionChip } from './ActionChip.tsx'
import { describeDifference } from './describe-difference.ts'
import styles from './Logs.module.css'

export type LogEntryDialogProps = { kind: LogKind; entry: AuditEntry; onClose: () => void }

/** Maximum number of lines shown; the rest is in the entry's content. */
const maxLines = 500

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
      footer={<CloseButton label="Close" variant="primary" />}
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

type DifferencesProps = { differences: readonly AuditDifference[]; kind: AuditEntry['CONTENT_KIND'] }

function Differences({ differences, kind }: DifferencesProps) {
  if (differences.length === 0) {
    const text =
      kind === 'configuration'
        ? 'The changed value is secret and not shown.'
        : 'The content is the same before and after.'
    return <p className={styles['none']}>{text}</p>
  }
  const more = differences.length - maxLines
  return (
    // Focusable so that the keyboard can scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={styles['differences']} tabIndex={0} aria-label="Differences">
      <table aria-label="Differences">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {differences.slice(0, maxLines).map(difference => {
            const { subject, before, after } = describeDifference(difference, kind)
            return (
              <tr key={`${difference.change} ${difference.path} ${difference.field}`}>
                <th scope="row">{subject}</th>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {more > 0 && <p className={styles['none']}>{more} more</p>}
    </section>
  )
}
