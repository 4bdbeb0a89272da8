import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useReducer, useState } from 'react'
import type { ExistingEntity, ImportReview } from '@cadmus/model/contract/import-review'
import { databaseTypes, databaseTypeTable } from '@cadmus/model/database-types'
import { formatCount } from '@cadmus/model/display'
import { importKinds } from '@cadmus/model/import-formats'
import { limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { reviewDialogTexts } from '@cadmus/model/messages/import-review'
import { historyTexts } from '@cadmus/model/messages/history'
import { newUid } from '@cadmus/model/uid'
import { importEntity } from '../../api/entities.ts'
import { ApiError, messageOf } from '../../api/error.ts'
import {
  discardReview,
  existingEntitiesQuery,
  importReviewed,
  importReviewedInto,
  reviewImport,
} from '../../api/import-review.ts'
import { cancelImport, importManifest, importProgress } from '../../api/manifests.ts'
import { scoped } from '../../api/query-client.ts'
import { ManifestSelect } from '../../commands/ManifestSelect.tsx'
import { undoCreationAction } from '../../commands/restore.ts'
import { FileField } from '../../ui/FileField.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { RadioGroup } from '../../ui/RadioGroup.tsx'
import { Select } from '../../ui/Select.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { notify } from '../../ui/Snackbar.tsx'
import { StepDialog } from '../../ui/StepDialog.tsx'
import { TextArea } from '../../ui/TextArea.tsx'
import { useEntered } from '../../ui/entered.ts'
import { reasons } from '../../ui/reasons.ts'
import { type Imported, ImportReport } from './ImportReport.tsx'
import styles from './Transfer.module.css'
import {
  acceptedExtensions,
  fileProblem,
  hasEntered,
  type ImportDialog as State,
  type ImportDialogEvent,
  isSqlImport,
  longPaste,
  nextImportDialog,
  openImportDialog,
  stepsOf,
  upload,
  whyBlocked,
} from './import-flow.ts'
import { type ImportedEntities, undoImportAction } from './undo-import.ts'
import {
  type Decided,
  decisionsAgain,
  firstDecisions,
  intoBody,
  type ReviewDecisions,
  whyUndecided,
} from './review-decisions.ts'

const phases = {
  waiting: 'Waiting for other imports',
  reading: 'Reading the files',
  resolving: 'Resolving the entities',
  storing: 'Storing the entities',
  done: 'Finishing',
  failed: 'Stopping',
  cancelled: 'Stopping',
} as const

/** Progress of an import, polled twice a second. No polling without a key. */
export function ImportProgress({ importKey, fileName }: { importKey: string | null; fileName: string }) {
  const { data } = useQuery({
    ...scoped(['import', importKey], options => importProgress(importKey ?? '', options)),
    enabled: importKey !== null,
    refetchInterval: 500,
    retry: true,
    retryDelay: 500,
    gcTime: 0,
  })
  if (!data || data.total === 0)
    return <ProgressBar label={data ? phases[data.state] : `Uploading ${fileName}`} done={null} />
  const detail = `${formatCount(data.done)} of ${formatCount(data.total)}`
  return <ProgressBar label={phases[data.state]} done={data.done} total={data.total} detail={detail} />
}

export type ImportDialogProps = {
  kind?: State['kind']
  target?: { id: number; name: string }
  onClose: () => void
  onOpen: (kind: State['kind'], id: number, name: string) => void
}

const ImportReviewStep = lazy(async () => ({ default: (await import('./ImportReviewStep.tsx')).ImportReviewStep }))

type Reviewed = { review: ImportReview; decisions: ReviewDecisions }

/** Import: kind, target (for an entity), file, and an optional review; then progress and a report. */
export function ImportDialog({ kind, target, onClose, onOpen }: ImportDialogProps) {
  const [state, next] = useReducer(nextImportDialog, openImportDialog(kind, target))
  const [running, setRunning] = useState<{ key: string; cancel: () => void } | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [reviewed, setReviewed] = useState<Reviewed | null>(null)
  // Going back ends the review, but not what was decided about the same file.
  const [decided, setDecided] = useState<Decided | null>(null)
  const [imported, setImported] = useState<Imported | null>(null)
  // The import must be followed and cancelled here, in its organisation.
  useEntered(running !== null, () => notify('info', messages.importRunning))
  const known = useExisting(reviewed)
  const reviewKey = reviewed?.review.key
  // The server holds the file until then; an import has ended the review already.
  useEffect(() => () => void (reviewKey !== undefined && discardReview(reviewKey).catch(() => undefined)), [reviewKey])

  // The error was about the previous input.
  function dispatch(event: ImportDialogEvent) {
    setError(null)
    if (event.type === 'back') {
      if (reviewed) setDecided({ ...reviewed, of: inputOf(state) })
      setReviewed(null)
    }
    next(event)
  }

  async function run<T>(work: (key: string, signal: AbortSignal) => Promise<T>, onDone: (result: T) => void) {
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
      onDone(await work(key, sending.signal))
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

  function finish(file: File) {
    const send = (key: string, signal: AbortSignal) =>
      reviewed
        ? sendReviewed({ ...reviewed, known: known.data?.existing ?? [] }, key, signal)
        : sendFile(state, file, key, signal)
    void run(send, done => {
      notifyImported(state.kind, done)
      if (done.report.length > 0 || done.counts) return setImported(done)
      onOpen(state.kind, done.id, done.name)
      onClose()
    })
  }

  function review(file: File) {
    const read = (key: string, signal: AbortSignal) => reviewImport(file, { ...choicesOf(state), key }, signal)
    void run(read, answer => {
      const decisions = decisionsAgain(decided, inputOf(state), answer) ?? firstDecisions(target ?? null)
      setReviewed({ review: answer, decisions })
      dispatch({ type: 'review' })
    })
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
  const file = upload(state)
  const blocked = reviewed ? whyUndecided(reviewed.review, reviewed.decisions, known.data?.existing) : whyBlocked(state)
  const isReviewable = state.step === 3 && state.kind === 'manifest' && blocked === undefined && !running
  return (
    <StepDialog
      title="Import"
      {...stepsOf(state)}
      error={error}
      width={reviewed ? 1040 : 520}
      tall={reviewed !== null}
      entered={!running && hasEntered(state, openImportDialog(kind, target))}
      onCancel={() => (running ? running.cancel() : onClose())}
      onBack={state.step > 1 && !running ? () => dispatch({ type: 'back' }) : undefined}
      onNext={() => (state.step < 3 ? dispatch({ type: 'next' }) : file && finish(file))}
      skip={isReviewable && file ? { label: reviewDialogTexts.step, run: () => review(file) } : undefined}
      blocked={running === null ? blocked : reasons.busy}
      last={state.step >= 3}
    >
      {running ? (
        <ImportProgress
          importKey={state.kind === 'manifest' ? running.key : null}
          fileName={upload(state)?.name ?? ''}
        />
      ) : reviewed ? (
        <Suspense fallback={<Skeleton />}>
          <ImportReviewStep
            {...reviewed}
            known={known.data?.existing}
            additions={known.data?.findings}
            onDecide={change => setReviewed({ ...reviewed, decisions: { ...reviewed.decisions, ...change } })}
          />
        </Suspense>
      ) : (
        <ImportStep state={state} dispatch={dispatch} />
      )}
    </StepDialog>
  )
}

/** What exists in the chosen manifest. */
function useExisting(reviewed: Reviewed | null) {
  const { intoExisting = false, target = null } = reviewed?.decisions ?? {}
  const query = existingEntitiesQuery(reviewed?.review.key ?? '', target?.id ?? 0)
  return useQuery({ ...query, enabled: intoExisting && target !== null })
}

/** The message about an import, with what takes it back. */
function notifyImported(kind: State['kind'], done: Imported & { into?: ImportedEntities }): void {
  const { id, into, message } = done
  if (into) return notify('success', message, undoImportAction(id, into))
  const isUndoable = (done.counts?.entities ?? 0) <= limits.undoneCreations
  if (isUndoable) notify('success', message, undoCreationAction(kind, [done]))
  else notify('success', `${message}\n${historyTexts.tooLarge(limits.undoneCreations)}`)
}

const databaseChoices = [
  { value: 'detect' as const, label: 'Detect' },
  ...databaseTypes.map(value => ({ value, label: databaseTypeTable[value].label })),
]

type ImportStepProps = { state: State; dispatch: (event: ImportDialogEvent) => void }

export function ImportStep({ state, dispatch }: ImportStepProps) {
  if (state.step === 1) return <ImportSource state={state} dispatch={dispatch} />
  if (state.step === 2) {
    return (
      <ManifestSelect
        label="Target manifest"
        hint={state.target ? undefined : 'No manifest: the entity is imported without a manifest.'}
        value={state.target}
        onChange={target => dispatch({ type: 'target', target })}
      />
    )
  }
  return (
    <div className={styles['fields']}>
      <FileField
        label={state.kind === 'entity' ? 'Entity file' : 'Manifest file'}
        required={!isSqlImport(state)}
        accept={acceptedExtensions(state)}
        file={state.file}
        error={fileProblem(state) ?? null}
        onChange={file => dispatch({ type: 'file', file })}
      />
      {isSqlImport(state) && !state.file && (
        <TextArea
          label="Or paste a script"
          mono
          rows={3}
          spellCheck={false}
          value={state.pasted}
          onChange={pasted => dispatch({ type: 'paste', pasted })}
          onPaste={event => {
            const file = longPaste(event.clipboardData.getData('text/plain'))
            if (!file) return
            event.preventDefault()
            dispatch(file)
          }}
        />
      )}
      {isSqlImport(state) && (
        <Select
          label="Database"
          hint="Whose SQL it is. Choose it where the report names another one."
          options={databaseChoices}
          value={state.database ?? 'detect'}
          onChange={choice => dispatch({ type: 'database', database: choice === 'detect' ? null : choice })}
        />
      )}
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
          {
            value: 'manifest',
            label: 'Manifest',
            hint: 'A manifest with its entities from a .zip file, or from a script.',
          },
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

/** What a review reads. */
function inputOf({ file, pasted, importAs, database, root }: State): readonly unknown[] {
  return [file, pasted, importAs, database, root]
}

function choicesOf({ importAs, database, root }: State) {
  return { importAs, database, root }
}

async function sendFile(state: State, file: File, key: string, signal: AbortSignal): Promise<Imported> {
  if (state.kind === 'entity') {
    const { entity, report } = await importEntity(file, state.target?.id ?? -1, { signal })
    return {
      id: entity.id,
      name: entity.name,
      message: messages.entityImported,
      report,
      lines: report.length,
      counts: null,
    }
  }
  return importedOf(await importManifest(file, { ...choicesOf(state), key }, signal), key)
}

async function sendReviewed(
  { review, decisions, known }: Reviewed & { known: readonly ExistingEntity[] },
  key: string,
  signal: AbortSignal,
): Promise<Imported & { into?: ImportedEntities }> {
  const { leftOut, intoExisting, target } = decisions
  if (!intoExisting || !target)
    return importedOf(await importReviewed(review.key, { key, leftOut: [...leftOut] }, signal), key)
  const answer = await importReviewedInto(review.key, target.id, intoBody(decisions, known, key), signal)
  const { manifest, message, report, reportLines: lines, created, changed, enumerations } = answer
  return { ...manifest, message, report, lines, counts: null, into: { created, changed, enumerations } }
}

function importedOf(answer: Awaited<ReturnType<typeof importManifest>>, key: string): Imported {
  const { manifest, message, report, reportLines, counts } = answer
  return { id: manifest.id, name: manifest.name, message, report, lines: reportLines, key, counts }
}
