import type { ProblemAnswer } from '@cadmus/model/contract/shared'
import type { ExportTarget } from '@cadmus/model/export-formats'
import { messages } from '@cadmus/model/messages'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError, messageOf, whyFailed } from '../../api/error.ts'
import { validateManifest } from '../../api/manifests.ts'
import { notify } from '../../ui/Snackbar.tsx'

type ValidationResult =
  | { type: 'validated'; message: string; problems: readonly ProblemAnswer[] }
  | { type: 'refused'; message: string }

/**
 * Validates when an export dialog opens, and again whenever the returned function is called. If validation itself
 * fails, notifies and closes the dialog.
 */
export function useValidation(
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
    validateManifest(id, exportType, leaving.signal)
      .then(({ message, problems }) => report({ type: 'validated', message, problems }))
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) failed(error)
      })
    return () => leaving.abort()
  }, [id, exportType, round])

  return () => setRound(round + 1)
}
