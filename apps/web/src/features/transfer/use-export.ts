import { databaseTypes as allTypes, type DatabaseType } from '@cadmus/model/database-types'
import type { ExportType, ListedExport } from '@cadmus/model/export-formats'
import { messages } from '@cadmus/model/messages'
import { scriptTexts } from '@cadmus/model/messages/values'
import { useEffect, useReducer, useRef, useState } from 'react'
import { messageOf } from '../../api/error.ts'
import { exportManifest, previewExport } from '../../api/manifests.ts'
import { currentLicence } from '../../api/licence.ts'
import { isAdministration } from '../../api/scope.ts'
import { lookAgain } from '../../api/session.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { nextExportDialog, type ExportDialog, type ExportDialogEvent } from './export-flow.ts'
import { useValidation } from './validation.ts'

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
  const [state, dispatch] = useReducer(nextExportDialog, { step: 'validating' } satisfies ExportDialog)
  const validateAgain = useValidation(
    { id, exportType },
    result =>
      void refreshed.then(() =>
        dispatch(result.type === 'validated' ? { ...result, databaseTypes: licensed(preferred) } : result),
      ),
    onClose,
  )
  useNotes(id, exportType, state.step === 'ready' && format.preview === 'notes', dispatch)
  const work = useWork(dispatch)
  const options = state.step === 'ready' && format.options.length > 0 ? state.options : {}
  const body = { exportType, ...options }
  return {
    state,
    dispatch,
    preview: () =>
      work('preview', async signal => dispatch({ type: 'previewed', script: await previewExport(id, body, signal) })),
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
