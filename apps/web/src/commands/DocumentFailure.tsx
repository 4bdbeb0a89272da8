import { messages } from '@cadmus/model/messages'
import { useEffect } from 'react'
import { ApiError, isGone as isNotThere, messageOf } from '../api/error.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { notify } from '../ui/Snackbar.tsx'
import { workbench } from '../workbench/desk.ts'
import type { TabId } from '../workbench/documents.ts'

type DocumentFailureProps = { tabId: TabId; error: Error; onRetry: () => void; onLatest?: (() => void) | undefined }

/** In a document's place: why it is not there, as for a link to something that was deleted; any other failure is told aloud too. */
export function DocumentFailure({ tabId, error, onRetry, onLatest }: DocumentFailureProps) {
  const message = messageOf(error, messages.failed.unexpected)
  const status = error instanceof ApiError ? error.status : 0
  const isGone = isNotThere(error)
  // A version that is not there is none the next time either, but the document may be.
  const onOther = status >= 400 && status < 500 ? onLatest : undefined
  useEffect(() => {
    if (!isGone) notify('error', message)
  }, [error, isGone, message])
  return (
    <ErrorState
      message={message}
      id={error instanceof ApiError ? error.id : undefined}
      // What is not there will not be there the next time.
      onRetry={onOther ?? (isGone ? undefined : onRetry)}
      {...(onOther ? { retryLabel: 'Show the latest' } : {})}
      onClose={() => workbench.getState().closeTabs([tabId])}
    />
  )
}
