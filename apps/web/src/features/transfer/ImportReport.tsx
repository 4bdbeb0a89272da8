import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import styles from './Transfer.module.css'

export type Imported = {
  id: number
  name: string
  message: string
  report: readonly { severity: 'error' | 'warning' | 'info'; path: string; message: string }[]
  counts: { files: number; entities: number; manifests: number; relationships: number } | null
}

const shownLines = 500

/** What came in, and line by line what was not understood. */
export function ImportReport({
  imported,
  onClose,
  onOpen,
}: {
  imported: Imported
  onClose: () => void
  onOpen: () => void
}) {
  const { counts, report, message } = imported
  const rest = report.length - shownLines
  return (
    <Dialog
      title="Import finished"
      description={message}
      width={640}
      onClose={onClose}
      footer={
        <>
          <Button size="dialog" onClick={onClose}>
            Close
          </Button>
          <Button
            size="dialog"
            variant="primary"
            onClick={() => {
              onOpen()
              onClose()
            }}
          >
            Open {imported.name.slice(0, 40)}
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
            <summary>{report.length === 1 ? '1 note' : `${report.length.toLocaleString('en')} notes`}</summary>
            {/* A list that scrolls must take the focus, or the keyboard cannot scroll it. */}
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
            <ul tabIndex={0} aria-label="Notes">
              {report.slice(0, shownLines).map((line, index) => (
                <li key={`${index} ${line.path}`}>
                  {line.severity === 'error' && <strong>Error. </strong>}
                  {line.message} <code>{line.path}</code>
                </li>
              ))}
              {rest > 0 && <li>{rest.toLocaleString('en')} more</li>}
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
      <dd>{count.toLocaleString('en')}</dd>
    </>
  )
}
