import { useEffect, useEffectEvent, useReducer, useRef, useState } from 'react'
import type { ProblemAnswer } from '@cadmus/model/contract/shared'
import { type DatabaseType, databaseTypes as allTypes } from '@cadmus/model/database-types'
import type { ExportTarget, ExportType, ListedExport } from '@cadmus/model/export-formats'
import type { SqlExport } from '@cadmus/model/sql-export'
import { messages } from '@cadmus/model/messages'
import { scriptTexts } from '@cadmus/model/messages/values'
import { ApiError, messageOf, whyFailed } from '../../api/error.ts'
import { currentLicence } from '../../api/licence.ts'
import { exportManifest, previewExport, validateManifest } from '../../api/manifests.ts'
import { queryClient } from '../../api/query-client.ts'
import { configurationQuery } from '../../api/configurations.ts'
import { isAdministration } from '../../api/scope.ts'
import { lookAgain } from '../../api/session.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { type ExportDialog, type ExportDialogEvent, nextExportDialog, optionsFault } from './export-flow.ts'

/**
 * Database types of the licence. The first is preselected: the preferred one, or PostgreSQL in the administration, if it is
 * licensed.
 */
function licensed(preferred: DatabaseType | undefined): readonly DatabaseType[] {
  const types = currentLicence()?.databaseTypes ?? allTypes
  const first = preferred ?? (isAdministration() ? 'postgresql' : undefined)
  return first === undefined || !types.includes(first) ? types : [first, ...types.filter(type => type !== first)]
}

/** State of an export dialog. Closing it aborts its requests. */
export function useExport(id: number, format: ListedExport, preferred: DatabaseType | undefined, onClose: () => void) {
  const { wireName: exportType } = format
  const usesDatabase = format.options.includes('databaseType')
  const [refreshed] = useState(() => (usesDatabase ? lookAgain() : Promise.resolve()))
  const [configured] = useState(() => configuredOptions(id, format))
  const [state, dispatch] = useReducer(nextExportDialog, { step: 'validating' } satisfies ExportDialog)
  const validateAgain = useValidation(
    { id, exportType },
    result =>
      void Promise.all([configured, refreshed]).then(([sqlExport]) =>
        dispatch(result.type === 'validated' ? { ...result, databaseTypes: licensed(preferred), sqlExport } : result),
      ),
    onClose,
  )
  useNotes(id, exportType, state.step === 'ready' && format.preview === 'notes', dispatch)
  const work = useWork(dispatch)
  const options = state.step === 'ready' && format.options.length > 0 ? state.options : undefined
  const body = { exportType, ...options }
  const preview = () =>
    work('preview', async signal => {
      const script = await previewExport(id, body, signal)
      dispatch({ type: 'previewed', script, ...(options && { options }) })
    })
  useLivePreview(state, preview)
  return {
    state,
    dispatch,
    preview,
    download: () =>
      work('export', async signal => {
        const fileName = await exportManifest(id, body, signal)
        notify('success', scriptTexts.downloaded(fileName))
        onClose()
      }),
    resolved: () => {
      dispatch({ type: 'resolved' })
      validateAgain()
    },
  }
}

/** The options of the manifest's configuration. If it cannot be read, the server applies them nevertheless. */
async function configuredOptions(id: number, { options }: ListedExport): Promise<Partial<SqlExport>> {
  if (!options.includes('sqlExport')) return {}
  try {
    return (await queryClient.fetchQuery(configurationQuery(id))).saved.configuration.configurationBuild.sqlExport
  } catch {
    return {}
  }
}

type Dispatch = (event: ExportDialogEvent) => void

/** Reports the notes of the export, the last lines of its preview, as soon as they are shown. */
function useNotes(id: number, exportType: ExportType, isShown: boolean, dispatch: Dispatch): void {
  useEffect(() => {
    if (!isShown) return
    const controller = new AbortController()
    const { signal } = controller
    void previewExport(id, { exportType }, signal)
      .then(({ script, notes }) => (notes === 0 ? [] : script.trimEnd().split('\n').slice(-notes)))
      .then(lines => lines.map(line => line.replace(/^\/\/ /, '')))
      // Optional: the export itself includes the notes.
      .catch(() => null)
      .then(notes => {
        if (!signal.aborted) dispatch({ type: 'notes', notes })
      })
    return () => controller.abort()
  }, [id, exportType, isShown, dispatch])
}

/** Requests the preview again when options change while it is shown. */
function useLivePreview(state: ExportDialog, preview: () => Promise<void>): void {
  const options = state.step === 'ready' && state.shown ? state.options : null
  const settled = useDebounced(options, 300)
  const last = useRef(settled)
  const again = useEffectEvent(preview)
  useEffect(() => {
    const isChanged = last.current !== null && settled !== null && last.current !== settled
    last.current = settled
    if (isChanged && optionsFault(settled) === undefined) void again()
  }, [settled])
}

/** Runs a request until the dialog closes and reports its failure. */
function useWork(dispatch: Dispatch) {
  const leaving = useRef(new AbortController())
  useEffect(() => {
    const controller = new AbortController()
    leaving.current = controller
    return () => controller.abort()
  }, [])
  return async (type: 'preview' | 'export', call: (signal: AbortSignal) => Promise<void>) => {
    const { signal } = leaving.current
    dispatch({ type })
    try {
      await call(signal)
    } catch (error) {
      if (!signal.aborted) dispatch({ type: 'failed', message: messageOf(error, messages.failed.exportManifest) })
    }
  }
}

type ValidationResult =
  | { type: 'validated'; message: string; problems: readonly ProblemAnswer[] }
  | { type: 'refused'; message: string }

/**
 * Validates when an export dialog opens, and again whenever the returned function is called. If validation itself
 * fails, notifies and closes the dialog.
 */
function useValidation(
  { id, exportType }: { id: number; exportType: ExportTarget },
  onResult: (report: ValidationResult) => void,
  onClose: () => void,
): () => void {
  const [round, setRound] = useState(0)
  const report = useEffectEvent(onResult)
  const failed = useEffectEvent((error: unknown) => {
    if (error instanceof ApiError && error.status === 400)
      return onResult({ type: 'refused', message: messageOf(error, messages.failed.validation) })
    notify('error', messages.failed.openExport(whyFailed(error)))
    onClose()
  })

  useEffect(() => {
    const leaving = new AbortController()
    validateManifest(id, exportType, { signal: leaving.signal })
      .then(({ message, problems }) => report({ type: 'validated', message, problems }))
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) failed(error)
      })
    return () => leaving.abort()
  }, [id, exportType, round])

  return () => setRound(round + 1)
}
