import type { FolderExportType } from '@cadmus/model/folder-export-texts'
import { messages } from '@cadmus/model/messages'
import { useEffect, useReducer, useRef } from 'react'
import { messageOf } from '../../api/error.ts'
import { exportFolder, omissionsOf } from '../../api/manifests.ts'
import { notify } from '../../ui/Snackbar.tsx'
import { nextFolderDialog, type FolderDialog } from './folder-flow.ts'
import { useValidation } from './validation.ts'

export type FolderExport = { id: number; exportType: FolderExportType }

/** State of a folder export dialog. Closing it aborts the request. */
export function useFolderExport({ id, exportType }: FolderExport, onClose: () => void) {
  const [state, dispatch] = useReducer(nextFolderDialog, { step: 'validating' } satisfies FolderDialog)
  const validateAgain = useValidation({ id, exportType }, dispatch, onClose)
  const leaving = useRef(new AbortController())
  const isReady = state.step === 'ready'

  useEffect(() => {
    if (!isReady) return
    const controller = new AbortController()
    const { signal } = controller
    leaving.current = controller
    void omissionsOf(id, exportType, signal)
      // Optional: the export itself includes the notes.
      .catch(() => null)
      .then(omissions => {
        if (!signal.aborted) dispatch({ type: 'omissions', omissions })
      })
    return () => controller.abort()
  }, [id, exportType, isReady])

  async function download() {
    const { signal } = leaving.current
    dispatch({ type: 'export' })
    try {
      const fileName = await exportFolder(id, exportType, signal)
      notify('success', messages.script.downloaded(fileName))
      onClose()
    } catch (error) {
      if (!signal.aborted) dispatch({ type: 'failed', message: messageOf(error, messages.failed.exportManifest) })
    }
  }

  function resolved() {
    dispatch({ type: 'resolved' })
    validateAgain()
  }

  return { state, download, resolved }
}
