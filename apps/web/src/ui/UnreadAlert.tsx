import { Alert } from './Alert.tsx'
import type { ReadFailure } from './Field.tsx'
import { RetryButton } from './RetryButton.tsx'

/** Reports a failed read beside content that works without it. */
export function UnreadAlert({ failure: { message, busy, retry } }: { failure: ReadFailure }) {
  return (
    <Alert>
      <span>{message}</span> <RetryButton busy={busy} retry={retry} />
    </Alert>
  )
}
