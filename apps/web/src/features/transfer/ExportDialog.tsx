import { databaseTypes as allTypes, type DatabaseType } from '@cadmus/model/database-types'
import type { ListedExport } from '@cadmus/model/export-formats'
import { messages } from '@cadmus/model/messages'
import { scriptTexts } from '@cadmus/model/messages/values'
import { useEffect, useRef, useState } from 'react'
import { useLicence } from '../../api/licence.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import type { ReadyExport } from './export-flow.ts'
import { ExportNotes } from './ExportNotes.tsx'
import { ExportOptionFields } from './ExportOptions.tsx'
import { ExportProblems } from './ExportProblems.tsx'
import { problemsFor } from './problem-groups.ts'
import { ProblemList } from './ProblemList.tsx'
import { ScriptPreview } from './ScriptPreview.tsx'
import styles from './Transfer.module.css'
import { useExport } from './use-export.ts'
import { reasons } from '../../ui/reasons.ts'

export type ExportDialogProps = {
  manifest: { id: number; name: string }
  format: ListedExport
  /** Selected instead of the default, if the licence includes it. */
  databaseType?: DatabaseType | undefined
  onClose: () => void
}

/** Export in a format: validates, offers its options, then shows it as text or downloads it. */
export function ExportDialog({ manifest: { id, name }, format, databaseType, onClose }: ExportDialogProps) {
  // Database types that the licence allows, the default first.
  const databaseTypes = useLicence()?.databaseTypes ?? allTypes
  const { state, dispatch, preview, download, resolved } = useExport(id, format, databaseType, onClose)
  const [resolving, setResolving] = useState(false)
  const shown = state.step === 'ready' ? state.shown : null
  const usesDatabase = format.options.includes('databaseType')
  return (
    <Dialog
      title={`Export ${format.label}`}
      description={name}
      width={shown ? 900 : state.step === 'refused' ? 640 : 480}
      onClose={onClose}
      busy={resolving}
      error={state.step === 'refused' ? state.message : state.step === 'ready' ? state.error : null}
      footer={
        <>
          <CloseButton label="Close" />
          {state.step === 'ready' && (
            <Actions
              state={state}
              hasPreview={format.preview === 'text'}
              onPreview={() => void preview()}
              onDownload={() => void download()}
              onBack={() => dispatch({ type: 'back' })}
            />
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
      {shown && <ScriptPreview {...shown} />}
      {state.step === 'ready' && !shown && (
        <div className={styles['fields']}>
          {format.options.length === 0 && <p>{format.contains}</p>}
          <ExportOptionFields
            format={format}
            options={state.options}
            databaseTypes={databaseTypes}
            disabled={state.working !== null}
            onChange={options => dispatch({ type: 'options', options })}
          />
          {format.preview === 'notes' && <ExportNotes notes={state.notes} files={format.files} />}
          <ProblemList
            problems={problemsFor(state.warnings, usesDatabase ? state.options.databaseType : null)}
            onLeave={onClose}
          />
        </div>
      )}
    </Dialog>
  )
}

type ActionsProps = {
  state: ReadyExport
  hasPreview: boolean
  onPreview: () => void
  onDownload: () => void
  onBack: () => void
}

function Actions({ state: { shown, working }, hasPreview, onPreview, onDownload, onBack }: ActionsProps) {
  const previewButton = useRef<HTMLButtonElement>(null)
  const wasShown = useRef(false)
  // Returns the focus after the preview is closed.
  useEffect(() => {
    if (wasShown.current && !shown) previewButton.current?.focus()
    wasShown.current = shown !== null
  }, [shown])

  const busy = working !== null
  const download = (label: string) => (
    <Button
      size="dialog"
      variant="primary"
      busy={working === 'export'}
      disabled={working === 'preview' && reasons.busy}
      onClick={onDownload}
    >
      {label}
    </Button>
  )
  if (!shown)
    return (
      <>
        {hasPreview && (
          <Button
            ref={previewButton}
            size="dialog"
            busy={working === 'preview'}
            disabled={working === 'export' && reasons.busy}
            onClick={onPreview}
          >
            Preview
          </Button>
        )}
        {download('Export')}
      </>
    )
  return (
    <>
      <Button size="dialog" disabled={busy && reasons.busy} onClick={onBack}>
        Back
      </Button>
      <Button size="dialog" disabled={busy && reasons.busy} onClick={() => void copy(shown.script)}>
        Copy
      </Button>
      {download('Download')}
    </>
  )
}

async function copy(script: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(script)
    notify('success', scriptTexts.copied)
  } catch {
    // The clipboard needs a secure context and permission.
    notify('error', scriptTexts.notCopied)
  }
}
