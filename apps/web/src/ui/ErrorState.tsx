import { CircleAlert, Copy } from 'lucide-react'
import { Button } from './Button.tsx'
import type { ReadFailure } from './Field.tsx'
import { RetryButton } from './RetryButton.tsx'
import styles from './State.module.css'

export type ErrorStateProps = {
  message: string
  id?: string | undefined
  onRetry?: (() => void) | undefined
  retryLabel?: string
  onClose?: () => void
  busy?: boolean
}

/** A failed read in the place of its content. */
export function UnreadState({ failure: { message, busy, retry } }: { failure: ReadFailure }) {
  return <ErrorState message={message} busy={busy} onRetry={retry} />
}

/** A loading error with reason, Retry and an id to quote. */
export function ErrorState({ message, id, onRetry, retryLabel = 'Retry', onClose, busy = false }: ErrorStateProps) {
  return (
    <div role="alert" className={styles['state']}>
      <CircleAlert size={24} strokeWidth={1.5} aria-hidden className={styles['danger']} />
      <p>{message}</p>
      {onRetry && (
        <RetryButton busy={busy} retry={onRetry}>
          {retryLabel}
        </RetryButton>
      )}
      {onClose && (
        <Button variant={onRetry ? 'quiet' : 'primary'} onClick={onClose}>
          Close
        </Button>
      )}
      {id && (
        <Button
          variant="quiet"
          icon={Copy}
          className="mono"
          onClick={() => void navigator.clipboard.writeText(id)}
          aria-label={`Copy the error's id ${id}`}
        >
          {id}
        </Button>
      )}
    </div>
  )
}
