import { importKinds } from '@cadmus/model/import-formats'
import { messages } from '@cadmus/model/messages'
import { newUid } from '@cadmus/model/uid'
import { useReducer, useState } from 'react'
import { importEntity } from '../../api/entities.ts'
import { ApiError, messageOf } from '../../api/error.ts'
import { cancelImport, importManifest, importProgress, manifestSource } from '../../api/manifests.ts'
import { useEntered } from '../../ui/entered.ts'
import { FileField } from '../../ui/FileField.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { SearchSelect } from '../../ui/Combobox.tsx'
import { Select } from '../../ui/Select.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { StepDialog } from '../../ui/StepDialog.tsx'
import { ImportProgress } from './ImportProgress.tsx'
import { ImportReport, type Imported } from './ImportReport.tsx'
import {
  acceptedExtension,
  fileProblem,
  hasEntered,
  nextImportDialog,
  openImportDialog,
  type ImportDialog as State,
  type ImportDialogEvent,
  whyBlocked,
} from './import-flow.ts'
import { reasons } from '../../ui/reasons.ts'
import styles from './Transfer.module.css'

export type ImportDialogProps = {
  kind?: State['kind']
  target?: { id: number; name: string }
  onClose: () => void
  onOpen: (kind: State['kind'], id: number, name: string) => void
}

const noManifest = { value: '-1', label: 'No manifest' }

/** Import: kind, target (for an entity) and file; then progress and a report. */
export function ImportDialog({ kind, target, onClose, onOpen }: ImportDialogProps) {
  const [state, next] = useReducer(nextImportDialog, openImportDialog(kind, target))
  const [running, setRunning] = useState<{ key: string; cancel: () => void } | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [imported, setImported] = useState<Imported | null>(null)
  // The import must be followed and cancelled here, in its organisation.
  useEntered(running !== null, () => notify('info', messages.importRunning))

  // The error was about the previous input.
  function dispatch(event: ImportDialogEvent) {
    setError(null)
    next(event)
  }

  async function run() {
    if (!state.file) return
    const key = newUid()
    const leaving = new AbortController()
    const sending = new AbortController()
    setError(null)
    setRunning({
      key,
      cancel() {
        leaving.abort()
        if (state.kind === 'entity') return sending.abort()
        // During the upload the server does not know the import yet: abort the upload instead.
        void cancelImport(key)
          .catch(() => importProgress(key))
          .catch(() => sending.abort())
      },
    })
    try {
      const done = await send(state, state.file, key, sending.signal)
      notify('success', done.message)
      if (done.report.length > 0 || done.counts) setImported(done)
      else {
        onOpen(state.kind, done.id, done.name)
        onClose()
      }
    } catch (failure) {
      if (failure instanceof ApiError && failure.roots.length > 0) next({ type: 'roots', roots: failure.roots })
      const fallback = state.kind === 'entity' ? messages.failed.importEntity : messages.failed.importManifest
      setError(
        leaving.signal.aborted ? 'The import was cancelled. Nothing was imported.' : messageOf(failure, fallback),
      )
    } finally {
      setRunning(null)
    }
  }

  if (imported) {
    return (
      <ImportReport
        imported={imported}
        onClose={onClose}
        onOpen={() => onOpen(state.kind, imported.id, imported.name)}
      />
    )
  }
  return (
    <StepDialog
      title="Import"
      steps={state.kind === 'entity' ? ['What to import', 'Target manifest', 'File'] : ['What to import', 'File']}
      current={state.kind === 'entity' ? state.step - 1 : state.step === 1 ? 0 : 1}
      error={error}
      width={520}
      entered={!running && hasEntered(state, openImportDialog(kind, target))}
      onCancel={() => (running ? running.cancel() : onClose())}
      onBack={state.step > 1 && !running ? () => dispatch({ type: 'back' }) : undefined}
      onNext={() => (state.step === 3 ? void run() : dispatch({ type: 'next' }))}
      blocked={running === null ? whyBlocked(state) : reasons.busy}
      last={state.step === 3}
    >
      {running ? (
        <ImportProgress importKey={state.kind === 'manifest' ? running.key : null} fileName={state.file?.name ?? ''} />
      ) : (
        <ImportStep state={state} dispatch={dispatch} />
      )}
    </StepDialog>
  )
}

type ImportStepProps = { state: State; dispatch: (event: ImportDialogEvent) => void }

function ImportStep({ state, dispatch }: ImportStepProps) {
  if (state.step === 1) return <ImportSource state={state} dispatch={dispatch} />
  if (state.step === 2) {
    const chosen = state.target
      ? { value: String(state.target.id), label: state.target.name, data: state.target }
      : null
    return (
      <SearchSelect<{ id: number; name: string }>
        label="Target manifest"
        hint={state.target ? undefined : `${noManifest.label}: the entity is imported without a manifest.`}
        placeholder={messages.placeholders.selectManifest}
        source={manifestSource()}
        value={chosen}
        onChange={option => dispatch({ type: 'target', target: { id: option.data.id, name: option.data.name } })}
      />
    )
  }
  return (
    <div className={styles['fields']}>
      <FileField
        label={state.kind === 'entity' ? 'Entity file' : 'Manifest file'}
        required
        accept={[acceptedExtension(state.kind)]}
        file={state.file}
        error={fileProblem(state) ?? null}
        onChange={file => dispatch({ type: 'file', file })}
      />
      {state.roots.length > 0 && (
        <Select
          label="Root manifest"
          hint="It is imported with its sub-manifests."
          options={state.roots.map(root => ({ value: root, label: root }))}
          value={state.root}
          onChange={root => dispatch({ type: 'root', root })}
        />
      )}
    </div>
  )
}

function ImportSource({ state, dispatch }: ImportStepProps) {
  return (
    <div className={styles['fields']}>
      <RadioGroup
        label="What to import"
        hideLabel
        value={state.kind}
        onChange={kind => dispatch({ type: 'kind', kind })}
        options={[
          { value: 'entity', label: 'Entity', hint: 'One entity from a .json file.' },
          { value: 'manifest', label: 'Manifest', hint: 'A manifest with its entities from a .zip file.' },
        ]}
      />
      {state.kind === 'manifest' && (
        <RadioGroup
          label="Import manifest as"
          value={state.importAs}
          onChange={importAs => dispatch({ type: 'importAs', importAs })}
          options={importKinds.map(({ wireName: value, label, hint }) => ({ value, label, hint }))}
        />
      )}
    </div>
  )
}

async function send(state: State, file: File, key: string, signal: AbortSignal): Promise<Imported> {
  if (state.kind === 'entity') {
    const { entity, report } = await importEntity(file, state.target?.id ?? -1, signal)
    return {
      id: entity.id,
      name: entity.name,
      message: messages.entityImported,
      report,
      lines: report.length,
      counts: null,
    }
  }
  const { manifest, message, report, reportLines, counts } = await importManifest(
    file,
    { importAs: state.importAs, root: state.root, key },
    signal,
  )
  return { id: manifest.id, name: manifest.name, message, report, lines: reportLines, key, counts }
}
