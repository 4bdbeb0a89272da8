import { messages } from '@cadmus/model/messages'
import { useEffect } from 'react'
import { ApiError, isGone as isNotThere, messageOf } from '../api/error.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { notify } from '../ui/Snackbar.tsx'
import { workbench } from '../workbench/page-workbench.ts'
import type { TabId } from '../workbench/documents.ts'

type DocumentFailureProps = { tabId: TabId; error: Error; onRetry: () => void; onLatest?: (() => void) | undefined }

/** Shown instead of a document that cannot be loaded; errors other than a missing document are also announced. */
export function DocumentFailure({ tabId, error, onRetry, onLatest }: DocumentFailureProps) {
  const message = messageOf(error, messages.failed.unexpected)
  const status = error instanceof ApiError ? error.status : 0
  const isGone = isNotThere(error)
  // Retrying a missing version is pointless, but the document may exist.
  const onOther = status >= 400 && status < 500 ? onLatest : undefined
  useEffect(() => {
    if (!isGone) notify('error', message)
  }, [error, isGone, message])
  return (
    <ErrorState
      message={message}
      id={error instanceof ApiError ? error.id : undefined}
      // Retrying a missing document is pointless.
      onRetry={onOther ?? (isGone ? undefined : onRetry)}
      {...(onOther ? { retryLabel: 'Show the latest' } : {})}
      onClose={() => workbench.getState().closeTabs([tabId])}
    />
  )
}
