import { ApiError } from '../api/error.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { workbench } from '../workbench/desk.ts'
import type { TabId } from '../workbench/documents.ts'

type DocumentFailureProps = { tabId: TabId; error: Error; onRetry: () => void }

/** In a document's place: why it is not there, as for a link to something that was deleted. */
export function DocumentFailure({ tabId, error, onRetry }: DocumentFailureProps) {
  return (
    <ErrorState
      message={error.message}
      id={error instanceof ApiError ? error.id : undefined}
      onRetry={onRetry}
      onClose={() => workbench.getState().closeTabs([tabId])}
    />
  )
}
