import { databaseTypes as allTypes, type DatabaseType } from '@cadmus/model/database-types'
import { messages } from '@cadmus/model/messages'
import { useEffect, useReducer, useRef, useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { lookAgain } from '../../api/session.ts'
import { licenceAtWork, otherOrganisation, useLicence } from '../../api/other-organisation.ts'
import { exportDatabaseSchema, previewDatabaseSchema } from '../../api/manifests.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { nextExportDialog, type ExportDialog as State, type ExportDialogEvent } from './export-flow.ts'
import { ExportOptions } from './ExportOptions.tsx'
import { ExportProblems } from './ExportProblems.tsx'
import { ScriptPreview } from './ScriptPreview.tsx'
import { useValidation } from './validation.ts'

export type ExportDialogProps = {
  manifest: { id: number; name: string }
  onClose: () => void
}

/** Database types of the licence. The first is preselected: PostgreSQL in the administration, if it is licensed. */
function licensed(): readonly DatabaseType[] {
  const types = licenceAtWork()?.databaseTypes ?? allTypes
  if (otherOrganisation() === null || !types.includes('postgresql')) return types
  return ['postgresql', ...types.filter(type => type !== 'postgresql')]
}

type Dispatch = (event: ExportDialogEvent) => void

/** Database Schema export: validates, offers database and options, then shows the script or downloads it. */
export function ExportDialog({ manifest, onClose }: ExportDialogProps) {
  // Database types that the licence allows, the default first.
  const databaseTypes = useLicence()?.databaseTypes ?? allTypes
  const [refreshed] = useState(lookAgain)
  const [state, dispatch] = useReducer(nextExportDialog, { step: 'validating' } satisfies State)
  const { id } = manifest
  const [resolving, setResolving] = useState(false)
  const validateAgain = useValidation(
    { id, exportType: 'DB_STRUCTURE' },
    result =>
      void refreshed.then(() =>
        dispatch(result.type === 'validated' ? { ...result, databaseTypes: licensed() } : result),
      ),
    onClose,
  )

  const working = state.step === 'options' ? state.working : null
  const shown = state.step === 'options' ? state.shown : null
  return (
    <Dialog
      title="Export Database Schema"
      description={manifest.name}
      width={shown ? 900 : state.step === 'refused' ? 640 : 480}
      onClose={onClose}
      busy={resolving}
      error={state.step === 'refused' ? state.message : state.step === 'options' ? state.error : null}
      footer={
        <>
          <Button size="dialog" disabled={resolving} onClick={onClose}>
            Close
          </Button>
          {state.step === 'options' && <Actions id={id} state={state} dispatch={dispatch} onClose={onClose} />}
        </>
      }
    >
      {state.step === 'validating' && <ProgressBar label={messages.prompts.validating} done={null} />}
      {state.step === 'refused' && (
        <ExportProblems
          manifestId={id}
          problems={state.problems}
          onBusy={setResolving}
          onResolved={() => {
            dispatch({ type: 'resolved' })
            validateAgain()
          }}
          onLeave={onClose}
        />
      )}
      {shown && <ScriptPreview {...shown} />}
      {state.step === 'options' && !shown && (
        <ExportOptions
          {...state.options}
          databaseTypes={databaseTypes}
          disabled={working !== null}
          onDatabaseType={databaseType => dispatch({ type: 'databaseType', databaseType })}
          onApplyAutoIncrement={apply => dispatch({ type: 'applyAutoIncrement', apply })}
          onLeave={onClose}
        />
      )}
    </Dialog>
  )
}

type ActionsProps = { id: number; state: Extract<State, { step: 'options' }>; dispatch: Dispatch; onClose: () => void }

function Actions({ id, state, dispatch, onClose }: ActionsProps) {
  const { options, shown, working } = state
  const { databaseType, applyAutoIncrement } = options
  const busy = working !== null
  const previewButton = useRef<HTMLButtonElement>(null)
  const leaving = useRef(new AbortController())
  const wasShown = useRef(false)
  // Returns the focus after the preview is closed.
  useEffect(() => {
    if (wasShown.current && !shown) previewButton.current?.focus()
    wasShown.current = shown !== null
  }, [shown])

  // Closing aborts the request: the script is no longer needed.
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])

  async function work(type: 'preview' | 'export', call: (signal: AbortSignal) => Promise<void>) {
    const { signal } = leaving.current
    dispatch({ type })
    try {
      await call(signal)
    } catch (error) {
      if (!signal.aborted) dispatch({ type: 'failed', message: messageOf(error, messages.failed.exportManifest) })
    }
  }
  const preview = () =>
    work('preview', async signal => {
      const script = await previewDatabaseSchema(id, { databaseType, applyAutoIncrement }, signal)
      dispatch({ type: 'previewed', script })
    })
  const download = () =>
    work('export', async signal => {
      const fileName = await exportDatabaseSchema(id, { databaseType, applyAutoIncrement }, signal)
      notify('success', messages.script.downloaded(fileName))
      onClose()
    })

  if (!shown)
    return (
      <>
        <Button
          ref={previewButton}
          size="dialog"
          busy={working === 'preview'}
          disabled={working === 'export'}
          onClick={() => void preview()}
        >
          Preview
        </Button>
        <Button
          size="dialog"
          variant="primary"
          busy={working === 'export'}
          disabled={working === 'preview'}
          onClick={() => void download()}
        >
          Export
        </Button>
      </>
    )
  return (
    <>
      <Button size="dialog" disabled={busy} onClick={() => dispatch({ type: 'back' })}>
        Back
      </Button>
      <Button size="dialog" disabled={busy} onClick={() => void copy(shown.script)}>
        Copy
      </Button>
      <Button size="dialog" variant="primary" busy={working === 'export'} onClick={() => void download()}>
        Download
      </Button>
    </>
  )
}

async function copy(script: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(script)
    notify('success', messages.script.copied)
  } catch {
    // The clipboard needs a secure context and permission.
    notify('error', messages.script.notCopied)
  }
}
