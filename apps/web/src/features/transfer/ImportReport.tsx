import { formatCount, visibleText } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { downloadImportReport } from '../../api/manifests.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import styles from './Transfer.module.css'

export type Imported = {
  id: number
  name: string
  message: string
  report: readonly { severity: 'error' | 'warning' | 'info'; path: string; message: string }[]
  /** Total number of lines; `report` may hold fewer. */
  lines: number
  /** Key of the full report on the server. */
  key?: string
  counts: { files: number; entities: number; manifests: number; relationships: number } | null
}

const maxLines = 500

/** Counts of the import, and its notes line by line. */
export function ImportReport({
  imported,
  onClose,
  onOpen,
}: {
  imported: Imported
  onClose: () => void
  onOpen: () => void
}) {
  const { counts, report, message, lines, key } = imported
  const [error, setError] = useState<string | null>(null)
  const rest = lines - Math.min(report.length, maxLines)

  async function download(reportKey: string) {
    setError(null)
    try {
      await downloadImportReport(reportKey)
    } catch (failure) {
      setError(messageOf(failure, messages.failed.downloadReport))
    }
  }

  return (
    <Dialog
      title="Import finished"
      description={message}
      width={640}
      error={error}
      onClose={onClose}
      footer={
        <>
          {key !== undefined && lines > 0 && (
            <Button size="dialog" onClick={() => void download(key)}>
              Download report
            </Button>
          )}
          <CloseButton label="Close" />
          <Button
            size="dialog"
            variant="primary"
            onClick={() => {
              onOpen()
              onClose()
            }}
          >
            Open {visibleText(imported.name.slice(0, 40))}
          </Button>
        </>
      }
    >
      <div className={styles['fields']}>
        {counts && (
          <dl className={styles['counts']}>
            <Count name="Files read" count={counts.files} />
            <Count name="Entities" count={counts.entities} />
            <Count name="Manifests" count={counts.manifests} />
            <Count name="Relationships" count={counts.relationships} />
          </dl>
        )}
        {report.length > 0 && (
          <details className={styles['report']} open={report.length <= 20}>
            <summary>{lines === 1 ? '1 note' : `${formatCount(lines)} notes`}</summary>
            {/* Focusable so that the keyboard can scroll it. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <ul tabIndex={0} aria-label="Notes">
              {report.slice(0, maxLines).map((line, index) => (
                <li key={`${index} ${line.path}`}>
                  {line.severity === 'error' && <strong>Error. </strong>}
                  {visibleText(line.message)} <code>{visibleText(line.path)}</code>
                </li>
              ))}
              {rest > 0 && <li>{formatCount(rest)} more in the downloadable report</li>}
            </ul>
          </details>
        )}
      </div>
    </Dialog>
  )
}

function Count({ name, count }: { name: string; count: number }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{formatCount(count)}</dd>
    </>
  )
}
