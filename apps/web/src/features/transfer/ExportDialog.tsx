import { useEffect, useMemo, useRef, useState } from 'react'
import type { ProblemAnswer } from '@cadmus/model/contract/shared'
import {
  adviceFor,
  type DatabaseType,
  databaseTypes as allTypes,
  databaseTypeTable,
} from '@cadmus/model/database-types'
import { visibleText } from '@cadmus/model/display'
import {
  type ExportFormat,
  exportNoteTexts as texts,
  type ExportOptionName,
  exportOptions,
  type ExportOptions,
  type ListedExport,
} from '@cadmus/model/export-formats'
import type { SqlExport } from '@cadmus/model/sql-export'
import { messages } from '@cadmus/model/messages'
import { problemTexts, scriptTexts } from '@cadmus/model/messages/values'
import { useLicence } from '../../api/licence.ts'
import { DatabaseTypeSelect } from '../../commands/DatabaseTypeSelect.tsx'
import { Alert } from '../../ui/Alert.tsx'
import { Button } from '../../ui/Button.tsx'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import { LongText } from '../../ui/LongText.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { reasons } from '../../ui/reasons.ts'
import { NameConflictResolver } from './NameConflictResolver.tsx'
import { ProblemList } from './ProblemList.tsx'
import styles from './Transfer.module.css'
import { optionsFault, type ReadyExport } from './export-flow.ts'
import { ScriptOptions } from './ScriptOptions.tsx'
import { problemsFor } from '../../problems/problem-groups.ts'
import { useExport } from './use-export.ts'

/** The button that opened the preview was removed: the script takes the focus. */
export function ScriptPreview({ script, notes }: { script: string; notes: number }) {
  const lines = useMemo(() => script.replace(/\n$/, '').split('\n').length, [script])
  return (
    <>
      <p className={styles['size']}>{scriptTexts.size(lines, new Blob([script]).size, notes)}</p>
      <LongText isFocused label={scriptTexts.label} text={script} cutText={scriptTexts.cut} />
    </>
  )
}

const maxLines = 500

/** Lists what the files do not support. The line is reserved from the start to avoid a layout shift. */
export function ExportNotes({ notes, files }: Pick<ReadyExport, 'notes'> & { files: string }) {
  if (notes === null) return null
  if (notes === 'loading') return <p className={styles['omissions']}>{texts.checking(files)}</p>
  if (notes.length === 0) return <p className={styles['omissions']}>{texts.count(0, files)}</p>
  const lines = notes.slice(0, maxLines).map((line, at) => ({ line, key: `${at} ${line}` }))
  return (
    <details className={styles['report']}>
      <summary>{texts.count(notes.length, files)}</summary>
      <ul aria-label={texts.list(files)}>
        {lines.map(({ line, key }) => (
          <li key={key}>{visibleText(line)}</li>
        ))}
        {notes.length > maxLines && <li>{problemTexts.more(notes.length - maxLines)}</li>}
      </ul>
    </details>
  )
}

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
  const changeScript = (changed: Partial<SqlExport>) => {
    if (state.step !== 'ready') return
    dispatch({ type: 'options', options: { sqlExport: { ...state.options.sqlExport, ...changed } } })
  }
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
      {state.step === 'ready' && shown && format.options.includes('sqlExport') && (
        <div className={styles['fields']}>
          <ScriptOptions
            database={state.options.databaseType}
            options={state.options.sqlExport}
            disabled={state.working === 'export'}
            onChange={changeScript}
          />
        </div>
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

function Actions({ state: { shown, working, options }, hasPreview, onPreview, onDownload, onBack }: ActionsProps) {
  const previewButton = useRef<HTMLButtonElement>(null)
  const wasShown = useRef(false)
  // Returns the focus after the preview is closed.
  useEffect(() => {
    if (wasShown.current && !shown) previewButton.current?.focus()
    wasShown.current = shown !== null
  }, [shown])

  const busy = working !== null
  const fault = optionsFault(options)
  const download = (label: string) => (
    <Button
      size="dialog"
      variant="primary"
      busy={working === 'export'}
      disabled={fault ?? (working === 'preview' && reasons.busy)}
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
            disabled={fault ?? (working === 'export' && reasons.busy)}
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

type ExportProblemsProps = {
  manifestId: number
  problems: readonly ProblemAnswer[]
  onBusy: (busy: boolean) => void
  /** A problem was resolved: validate again. */
  onResolved: () => void
  onLeave: () => void
}

/** Shows why a manifest cannot be exported, with links to the problems. Name conflicts can be resolved here. */
export function ExportProblems({ manifestId, problems, onBusy, onResolved, onLeave }: ExportProblemsProps) {
  return (
    <>
      {problems.some(({ code }) => code === 'namesakes') && (
        <NameConflictResolver manifestId={manifestId} onBusy={onBusy} onResolved={onResolved} />
      )}
      <ProblemList problems={problems} onLeave={onLeave} />
    </>
  )
}

type ExportOptionsProps = {
  format: ExportFormat
  options: ExportOptions
  databaseTypes: readonly DatabaseType[]
  disabled: boolean
  onChange: (options: Partial<ExportOptions>) => void
}

export function ExportOptionFields({ format, options, databaseTypes, disabled, onChange }: ExportOptionsProps) {
  const usesDatabase = format.options.includes('databaseType')
  const { label } = databaseTypeTable[options.databaseType]
  const advice = adviceFor(options.databaseType)
  return (
    <>
      {format.options.map(name => (
        <OptionField key={name} {...{ name, options, databaseTypes, disabled, onChange }} />
      ))}
      {usesDatabase && advice && (
        <Alert kind="info">
          Recommended for {label}: add <code>{advice}</code> to the connection URL.
        </Alert>
      )}
    </>
  )
}

type OptionFieldProps = Omit<ExportOptionsProps, 'format'> & { name: ExportOptionName }

function OptionField({ name, options, databaseTypes, disabled, onChange }: OptionFieldProps) {
  const option = exportOptions[name]
  if (option.kind === 'database') {
    return (
      <DatabaseTypeSelect
        label={option.label}
        licensed={databaseTypes}
        value={options.databaseType}
        disabled={disabled}
        onChange={databaseType => onChange({ databaseType })}
      />
    )
  }
  if (option.kind === 'sql') {
    return (
      <ScriptOptions
        database={options.databaseType}
        options={options.sqlExport}
        disabled={disabled}
        onChange={changed => onChange({ sqlExport: { ...options.sqlExport, ...changed } })}
      />
    )
  }
  return (
    <Checkbox
      label={option.label}
      hint={option.hint}
      checked={options[name] === true}
      disabled={disabled}
      onChange={value => onChange({ [name]: value })}
    />
  )
}
