import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type * as z from 'zod'
import type { importReportLine } from '@cadmus/model/contract/shared'
import { formatCount, visibleText } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import { messageOf } from '../../api/error.ts'
import { downloadImportReport, type ReportFormat } from '../../api/manifests.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { Menu } from '../../ui/Menu.tsx'
import styles from './Transfer.module.css'

type Line = z.output<typeof importReportLine>

export type Imported = {
  id: number
  name: string
  message: string
  report: readonly Line[]
  /** Total number of lines; `report` may hold fewer. */
  lines: number
  /** Key of the full report on the server. */
  key?: string
  counts: { files: number; entities: number; manifests: number; relationships: number } | null
}

const maxLines = 500

export type ImportReportProps = { imported: Imported; onClose: () => void; onOpen: () => void }

/** Counts of the import, facts about it, and its notes line by line. */
export function ImportReport({ imported, onClose, onOpen }: ImportReportProps) {
  const { counts, report, message, lines, key } = imported
  const [error, setError] = useState<string | null>(null)
  const facts = report.filter(({ kind }) => kind === 'read')
  const notes = report.filter(({ kind }) => kind !== 'read')

  async function download(reportKey: string, format: ReportFormat) {
    setError(null)
    try {
      await downloadImportReport(reportKey, format)
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
          {key !== undefined && lines > 0 && <ReportDownload onDownload={format => void download(key, format)} />}
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
        {facts.length > 0 && (
          <ul className={styles['facts']} aria-label="What was read">
            {facts.map(fact => (
              <li key={fact.message}>{fact.message}</li>
            ))}
          </ul>
        )}
        {notes.length > 0 && <Notes notes={notes} total={lines - facts.length} />}
      </div>
    </Dialog>
  )
}

const reportFormats: readonly { format: ReportFormat; label: string }[] = [
  { format: 'csv', label: 'CSV' },
  { format: 'text', label: 'Text' },
  { format: 'json', label: 'JSON' },
]

/** The whole report in a format of choice. */
function ReportDownload({ onDownload }: { onDownload: (format: ReportFormat) => void }) {
  const entries = reportFormats.map(({ format, label }) => ({
    kind: 'item' as const,
    id: format,
    label,
    run: () => onDownload(format),
  }))
  return (
    <Menu
      align="start"
      entries={entries}
      trigger={
        <Button size="dialog">
          Download Report
          <ChevronDown size={14} aria-hidden />
        </Button>
      }
    />
  )
}

const marks = {
  problem: 'To mend before an export. ',
  lost: 'Lost. ',
  changed: 'Changed. ',
  note: '',
  read: '',
} as const

function Notes({ notes, total }: { notes: readonly Line[]; total: number }) {
  const rest = total - Math.min(notes.length, maxLines)
  return (
    <details className={styles['report']} open={notes.length <= 20}>
      <summary>{total === 1 ? '1 note' : `${formatCount(total)} notes`}</summary>
      {/* Focusable so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul tabIndex={0} aria-label="Notes">
        {notes.slice(0, maxLines).map((line, index) => (
          <li key={`${index} ${line.path}`}>
            <strong>{markOf(line)}</strong>
            {visibleText(line.message)} <code>{visibleText(line.path)}</code>
          </li>
        ))}
        {rest > 0 && <li>{formatCount(rest)} more in the downloadable report</li>}
      </ul>
    </details>
  )
}

function markOf({ kind, severity }: Line): string {
  return kind ? marks[kind] : severity === 'error' ? 'Error. ' : ''
}

function Count({ name, count }: { name: string; count: number }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{formatCount(count)}</dd>
    </>
  )
}
