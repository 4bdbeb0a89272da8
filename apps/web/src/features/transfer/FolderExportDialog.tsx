import { folderExportTexts, type FolderExportType } from '@cadmus/model/folder-export-texts'
import { messages } from '@cadmus/model/messages'
import { visibleText } from '@cadmus/model/visible-text'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { useFolderExport } from './folder-export.ts'
import type { FolderDialog as State } from './folder-flow.ts'
import { ProblemList } from './ProblemList.tsx'
import { ExportProblems } from './ExportProblems.tsx'
import styles from './Transfer.module.css'

export type FolderExportDialogProps = {
  manifest: { id: number; name: string }
  exportType: FolderExportType
  onClose: () => void
}

const maxLines = 500

/** Export as a folder of documents: validates, reports omissions and downloads a zip. */
export function FolderExportDialog({ manifest: { id, name }, exportType, onClose }: FolderExportDialogProps) {
  const { title, holds, files } = folderExportTexts.kinds[exportType]
  const { state, download, resolved } = useFolderExport({ id, exportType }, onClose)
  const [resolving, setResolving] = useState(false)
  return (
    <Dialog
      title={title}
      description={name}
      width={state.step === 'refused' ? 640 : 480}
      onClose={onClose}
      busy={resolving}
      error={state.step === 'refused' ? state.message : state.step === 'ready' ? state.error : null}
      footer={
        <>
          <Button size="dialog" disabled={resolving} onClick={onClose}>
            Close
          </Button>
          {state.step === 'ready' && (
            <Button size="dialog" variant="primary" busy={state.working} onClick={() => void download()}>
              Export
            </Button>
          )}
        </>
      }
    >
      {state.step === 'validating' && <ProgressBar label={messages.prompts.validating} done={null} />}
      {state.step === 'refused' && (
        <ExportProblems
          manifestId={id}
          problems={state.problems}
          onBusy={setResolving}
          onResolved={resolved}
          onLeave={onClose}
        />
      )}
      {state.step === 'ready' && (
        <div className={styles['fields']}>
          <p>{holds}</p>
          <Omissions omissions={state.omissions} files={files} />
          <ProblemList problems={state.warnings} onLeave={onClose} />
        </div>
      )}
    </Dialog>
  )
}

/** Omissions of the documents. The line is reserved from the start to avoid a layout shift. */
function Omissions({ omissions, files }: Pick<Extract<State, { step: 'ready' }>, 'omissions'> & { files: string }) {
  if (omissions === null) return null
  if (omissions === 'loading') return <p className={styles['omissions']}>{folderExportTexts.asking(files)}</p>
  if (omissions.length === 0) return <p className={styles['omissions']}>{folderExportTexts.unsaid(0, files)}</p>
  const lines = omissions.slice(0, maxLines).map((line, at) => ({ line, key: `${at} ${line}` }))
  return (
    <details className={styles['report']}>
      <summary>{folderExportTexts.unsaid(omissions.length, files)}</summary>
      <ul aria-label={folderExportTexts.list(files)}>
        {lines.map(({ line, key }) => (
          <li key={key}>{visibleText(line)}</li>
        ))}
        {omissions.length > maxLines && <li>{messages.problems.more(omissions.length - maxLines)}</li>}
      </ul>
    </details>
  )
}
